/** Limits how often a caller can learn that an address is in use, because that reveals accounts of other organisations. */
import type { AppServices } from '../../app-services.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'

const hourMs = 3_600_000
const addressCheckLimit: ThrottleLimit = {
  kind: 'taken address',
  free: 20,
  waitMs: 60_000,
  windowMs: hourMs,
  isShared: true,
}

/** Counts an attempt, before the address is written. Throws `tooMany`. Call it outside a transaction. */
export function countAddressCheck({ throttle }: Pick<AppServices, 'throttle'>, actor: Actor): Promise<void> {
  return throttle.attempt(addressCheckLimit, actor.userId)
}

/** Takes an attempt back: the address was free, so the caller learnt nothing. Call it in the transaction that writes the address. */
export function refundAddressCheck(db: Db, { throttle }: Pick<AppServices, 'throttle'>, actor: Actor): Promise<void> {
  return throttle.refund(db, addressCheckLimit, actor.userId)
}
