import { expect, test } from 'vitest'
import { partsOf, wordsAndAddresses } from './parse-mail.ts'

const mail = `Hello Mere,

confirm your address.

    123456

Confirm my address:
http://localhost:3000/signup/finalise?code=abc

If you did not sign up, leave this mail alone.

-- 
Tributary · http://localhost:3000
`

test('a mail is taken apart into what is said, its code and its button', () => {
  expect(partsOf(mail)).toEqual([
    { kind: 'text', text: 'Hello Mere,' },
    { kind: 'text', text: 'confirm your address.' },
    { kind: 'code', text: '123456' },
    { kind: 'action', text: 'Confirm my address', address: 'http://localhost:3000/signup/finalise?code=abc' },
    { kind: 'text', text: 'If you did not sign up, leave this mail alone.' },
  ])
})

test('only addresses of the portal itself become links', () => {
  const origin = 'http://localhost:3000'
  expect(wordsAndAddresses(`See ${origin}/reset-password now`, origin)).toEqual([
    { text: 'See ', isAddress: false },
    { text: `${origin}/reset-password`, isAddress: true },
    { text: ' now', isAddress: false },
  ])
  expect(wordsAndAddresses('https://evil.example/x', origin)).toEqual([
    { text: 'https://evil.example/x', isAddress: false },
  ])
})
