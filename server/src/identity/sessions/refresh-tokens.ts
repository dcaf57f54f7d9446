/**
 * Refresh tokens form a hash chain: each is the HMAC of its predecessor. So the successor of a token can be computed
 * again without storing it, and any former token of a session can be recognised as reused.
 */
import { createHmac } from 'node:crypto'
import { hashOf } from '../../security/secrets/one-time-codes.ts'

/** More rotations than a session can have. A longer search treats the token as unknown. */
const chainLengthMax = 1_000

/** The next token of the chain. @param key of the session or of the device */
export function successorOf(key: Buffer, secret: string): string {
  return createHmac('sha256', key).update(secret).digest('base64url')
}

/** Whether the stored hash belongs to this token or to one of its successors. */
export function leadsTo(key: Buffer, secret: string, hash: Buffer): boolean {
  let token = secret
  for (let step = 0; step < chainLengthMax; step += 1) {
    if (hashOf(token).equals(hash)) return true
    token = successorOf(key, token)
  }
  return false
}
