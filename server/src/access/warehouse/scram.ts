/** PostgreSQL's own form of a stored password, so that the clear text is never part of a statement. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const iterations = 4_096

/** RFC 5802 as PostgreSQL stores it. The password is plain ASCII, so it needs no SASLprep. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const storedKey = createHash('sha256').update(keyFor(salted, 'Client Key')).digest('base64')
  const serverKey = keyFor(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

function keyFor(salted: Buffer, name: string): Buffer {
  return createHmac('sha256', salted).update(name).digest()
}

/** 26 letters and digits: 134 bits, and nothing that a shell, an address or a connection string reads in another way. */
export function newPassword(): string {
  const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const bytes = randomBytes(64)
  // 228 is the largest multiple of the alphabet's 57 below 256, so that every character is equally likely.
  const drawn = [...bytes].filter((byte) => byte < 228).map((byte) => alphabet[byte % 57] ?? '')
  return drawn.length < 26 ? newPassword() : drawn.slice(0, 26).join('')
}
