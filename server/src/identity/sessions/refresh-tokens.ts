/**
 * Refresh tokens as a chain: each is the HMAC of the one before. So the successor of a token can be told again without
 * keeping it, and any former token of a session can be recognised as one.
 */
import { createHash, createHmac } from 'node:crypto'

/** More exchanges than a session can live through; beyond it a token is simply unknown. */
const lengthMax = 1_000

/** What the store keeps of a token. */
export function tokenHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export class RefreshChain {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  successor(secret: string): string {
    return createHmac('sha256', this.#key).update(secret).digest('base64url')
  }

  /** Whether this token, or one that follows from it, is the one of that hash. */
  leadsTo(secret: string, hash: Buffer): boolean {
    let token = secret
    for (let step = 0; step < lengthMax; step += 1) {
      if (tokenHash(token).equals(hash)) return true
      token = this.successor(token)
    }
    return false
  }
}
