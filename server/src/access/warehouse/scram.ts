/** SCRAM verifiers: PostgreSQL stores them instead of passwords, so the plain text is never part of a statement. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const iterations = 4_096

/**
 * RFC 5802, in the format that PostgreSQL stores. The password must be ASCII, because it is not prepared with SASLprep.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const storedKey = createHash('sha256').update(hmacKey(salted, 'Client Key')).digest('base64')
  const serverKey = hmacKey(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

function hmacKey(salted: Buffer, name: string): Buffer {
  return createHmac('sha256', salted).update(name).digest()
}

/** 26 letters and digits: 151 bits, and no character that a shell, a URL or a connection string would interpret. */
export function generatePassword(): string {
  const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const bytes = randomBytes(64)
  // 228 is the largest multiple of 57, the alphabet's size, below 256: all characters are equally likely.
  const characters = [...bytes].filter((byte) => byte < 228).map((byte) => alphabet[byte % 57] ?? '')
  return characters.length < 26 ? generatePassword() : characters.slice(0, 26).join('')
}
