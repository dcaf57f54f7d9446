import { expect, test } from 'vitest'
import { parseMail, splitAtUrls } from './parse-mail.ts'

const mail = `Hello Mere,

confirm your address.

    123456

Confirm my address:
http://localhost:3000/signup/finalise?code=abc

If you did not sign up, leave this mail alone.

-- 
Tributary · http://localhost:3000
`

test('a mail is parsed into its text, its code and its button', () => {
  expect(parseMail(mail)).toEqual([
    { kind: 'text', text: 'Hello Mere,' },
    { kind: 'text', text: 'confirm your address.' },
    { kind: 'code', text: '123456' },
    { kind: 'action', text: 'Confirm my address', address: 'http://localhost:3000/signup/finalise?code=abc' },
    { kind: 'text', text: 'If you did not sign up, leave this mail alone.' },
  ])
})

test('only URLs of the portal become links', () => {
  const origin = 'http://localhost:3000'
  expect(splitAtUrls(`See ${origin}/reset-password now`, origin)).toEqual([
    { text: 'See ', isAddress: false },
    { text: `${origin}/reset-password`, isAddress: true },
    { text: ' now', isAddress: false },
  ])
  expect(splitAtUrls('https://evil.example/x', origin)).toEqual([{ text: 'https://evil.example/x', isAddress: false }])
})
