/** The master keys, and the keys that are derived from the current one for each single purpose. */
import { createHash, hkdfSync } from 'node:crypto'

export interface MasterKeys {
  readonly current: Buffer
  /** Former ones, which still open what they wrapped. */
  readonly old: readonly Buffer[]
}

/** Every purpose has a key of its own, so that a value made for one is worth nothing for another. */
export type Purpose = 'access token' | 'refresh token' | 'authorise cookie' | 'device cookie' | 'throttle' | 'verification code' | 'captcha'

export function deriveKey(keys: MasterKeys, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', keys.current, Buffer.alloc(0), `tributary ${purpose}`, 32))
}

/** Names a master key without telling it: a positive 31-bit number of its hash, so nobody has to number keys by hand. */
export function keyVersion(key: Buffer): number {
  return createHash('sha256').update('tributary key version').update(key).digest().readUInt32BE(0) >>> 1
}
