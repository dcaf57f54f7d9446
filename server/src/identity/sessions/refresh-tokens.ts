/**
 * Refresh tokens form a hash chain: each is the HMAC of its predecessor. So the successor of a token can be computed
 * again without storing it, and any former token of a session can be recognised as reused.
 */
import { createHash, createHmac } from 'node:crypto'

/** More rotations than a session can have. A longer search treats the token as unknown. */
const chainLengthMax = 1_000

/** The store contains only this hash of a token. */
export function hashToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export class RefreshTokenChain {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  successor(secret: string): string {
    return createHmac('sha256', this.#key).update(secret).digest('base64url')
  }

  /** Whether the hash belongs to this token or to one of its successors. */
  leadsTo(secret: string, hash: Buffer): boolean {
    let token = secret
    for (let step = 0; step < chainLengthMax; step += 1) {
      if (hashToken(token).equals(hash)) return true
      token = this.successor(token)
    }
    return false
  }
}
