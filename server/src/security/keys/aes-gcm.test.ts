import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from './aes-gcm.ts'

test('a key that is unwrapped, and then kept, holds no more memory than it is', () => {
  const [master, key] = [randomBytes(32), randomBytes(32)]
  const unwrapped = decrypt(master, encrypt(master, key, 'its place'), 'its place')
  expect(unwrapped.equals(key)).toBe(true)
  expect(unwrapped.buffer.byteLength).toBe(32)
})
