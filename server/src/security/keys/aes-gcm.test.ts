import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from './aes-gcm.ts'

test('an unwrapped key does not keep a slab of the buffer pool in memory', () => {
  const [master, key] = [randomBytes(32), randomBytes(32)]
  const unwrapped = decrypt(master, encrypt(master, key, 'its place'), 'its place')
  expect(unwrapped.equals(key)).toBe(true)
  expect(unwrapped.buffer.byteLength).toBe(32)
})
