/** An answer that an address is in use tells who has an account in another organisation, so there are not many of them. */
import type { Db } from '../../kernel/store/store.ts'
import type { Limit } from '../../security/throttling/throttle.ts'
import type { Hand } from './audit-context.ts'

const hourMs = 3_600_000
const takenAddresses: Limit = {
  kind: 'taken address',
  free: 20,
  waitMs: 60_000,
  waitMaxMs: hourMs,
  windowMs: hourMs,
  isShared: true,
}

/** Before the address is tried; throws `tooMany`. Not inside a transaction. */
export function countAddress({ services, actor }: Hand): Promise<void> {
  return services.throttle.attempt(takenAddresses, actor.userId)
}

/** It was free, so nothing was learnt. Part of the transaction that takes it. */
export function refundAddress(db: Db, { services, actor }: Hand): Promise<void> {
  return services.throttle.refund(db, takenAddresses, actor.userId)
}
