/** An answer that an address is in use tells who has an account in another organisation, so there are not many of them. */
import type { AppServices } from '../../app-services.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'

const hourMs = 3_600_000
const takenAddresses: ThrottleLimit = {
  kind: 'taken address',
  free: 20,
  waitMs: 60_000,
  waitMaxMs: hourMs,
  windowMs: hourMs,
  isShared: true,
}

/** Before the address is tried; throws `tooMany`. Not inside a transaction. */
export function countAddress({ throttle }: Pick<AppServices, 'throttle'>, actor: Actor): Promise<void> {
  return throttle.attempt(takenAddresses, actor.userId)
}

/** It was free, so nothing was learnt. Part of the transaction that takes it. */
export function refundAddress(db: Db, { throttle }: Pick<AppServices, 'throttle'>, actor: Actor): Promise<void> {
  return throttle.refund(db, takenAddresses, actor.userId)
}
