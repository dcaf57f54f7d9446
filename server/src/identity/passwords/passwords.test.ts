import { hash, verify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { concurrentHashesMax, openPasswords, queuedHashesMax } from './passwords.ts'
import { fixedKeys } from '@tributary/testing/server/app/fixed-keys.ts'

const passwords = openPasswords(6, fixedKeys())
const about = ['Ulla', 'Berg', 'ulla.berg@harbour.example', 'Harbour Trading']

async function flawOf(password: string, of = passwords): Promise<string | undefined> {
  try {
    await of.requireStrong('password', password, about)
    return undefined
  } catch (error) {
    return error instanceof ApiFault ? error.fields?.['password'] : String(error)
  }
}

test.each(['a1b2c', '🔑1🔑2🔑'])('[REG-2] %s has fewer than six characters', async (password) => {
  expect(await flawOf(password)).toBe('must be at least 6 characters long')
})

test.each(['abcdefgh', 'correct horse'])(
  '[REG-2] %s has neither a number nor a special character',
  async (password) => {
    expect(await flawOf(password)).toContain('a number or a special character')
  },
)

test.each([
  '123456',
  'password1',
  'P@ssw0rd',
  'Qwerty123',
  'Password123!',
  'Summer2026!',
  'ｐａｓｓｗｏｒｄ１',
  '1q2w3e4r5t',
])('[REG-2] %s is commonly used', async (password) => {
  expect(await flawOf(password)).toContain('most common')
})

test.each(['ulla-berg1', 'Harbour2026', 'trading-9', 'TRIBUTARY-12', 'bergharbour!'])(
  '%s consists of words that a stranger knows about the person',
  async (password) => {
    expect(await flawOf(password)).toContain('too close to your name')
  },
)

test.each([
  'a-good-one-77',
  '  spaces 1  ',
  'пароль-из-слов-7',
  'harbour-lantern-41',
  '🔑'.repeat(128),
  'x1'.repeat(64),
])('%s is good', async (password) => {
  expect(await flawOf(password)).toBeUndefined()
})

test('the length is counted in code points, and a configured minimum applies', async () => {
  expect(await flawOf('🔑'.repeat(129))).toBe('must be at most 128 characters long')
  expect(await flawOf('a-good-one-7', openPasswords(14, fixedKeys()))).toBe('must be at least 14 characters long')
})

test('spaces are significant, and equivalent Unicode characters match', async () => {
  const kept = await passwords.hash(' Café 1 ')
  expect(await passwords.matches(kept, ' Cafe\u0301 1 ')).toBe(true)
  expect(await passwords.matches(kept, 'Café 1')).toBe(false)
  expect(await passwords.matches(null, ' Café 1 ')).toBe(false)
})

test('a hash with a lower cost than today’s is outdated', async () => {
  const kept = await passwords.hash('a-good-one-77')
  expect(await passwords.isOutdated(kept)).toBe(false)
  expect(await passwords.isOutdated(kept.replace('t=2', 't=1'))).toBe(true)
  expect(await passwords.isOutdated('$2b$10$abcdefghijklmnopqrstuv')).toBe(true)
})

test('a password hashed without a pepper still matches, and is outdated', async () => {
  const kept = await hash('a-good-one-77')
  expect(await passwords.matches(kept, 'a-good-one-77')).toBe(true)
  expect(await passwords.matches(kept, 'a-good-one-78')).toBe(false)
  expect(await passwords.isOutdated(kept)).toBe(true)
})

test('a hash needs its pepper: a new pepper makes it outdated, a retired pepper makes it match nothing', async () => {
  const keys = fixedKeys()
  const ours = openPasswords(6, keys)
  const kept = await ours.hash('a-good-one-77')
  const [pepper, phc] = [kept.slice(0, 36), kept.slice(36)]
  expect(await verify(phc, 'a-good-one-77')).toBe(false)
  expect(await ours.matches(kept, 'a-good-one-77')).toBe(true)
  keys.rotate()
  expect(await ours.matches(kept, 'a-good-one-77')).toBe(true)
  expect(await ours.isOutdated(kept)).toBe(true)
  keys.retire(pepper)
  expect(await ours.matches(kept, 'a-good-one-77')).toBe(false)
})

test('concurrent checks beyond the limit are refused with a wait, and the others are answered', async () => {
  const kept = await passwords.hash('a-good-one-77')
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.matches(kept, 'a-good-one-77')))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(60 - concurrentHashesMax - queuedHashesMax)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'tooMany', values: { seconds: 5 } })
  expect(await passwords.matches(kept, 'a-good-one-77')).toBe(true)
})
