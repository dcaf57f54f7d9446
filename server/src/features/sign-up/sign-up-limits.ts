/** Rate limits for visitors. They prevent the enumeration of addresses and the flooding of mailboxes. */
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'

const hourMs = 3_600_000

/** `PerAddress` limits count by `addressBlock`. */
export const captchasPerAddress: ThrottleLimit = {
  kind: 'captcha',
  free: 120,
  waitMs: 60_000,
  windowMs: 600_000,
  isShared: true,
}
export const signUpsPerAddress: ThrottleLimit = { kind: 'sign-up address', free: 5, waitMs: hourMs, isShared: true }
export const signUpsInTotal: ThrottleLimit = {
  kind: 'sign-up',
  free: 200,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}
export const addressChecksPerAddress: ThrottleLimit = {
  kind: 'address taken',
  free: 20,
  waitMs: hourMs,
  isShared: true,
}
export const addressChecksInTotal: ThrottleLimit = {
  kind: 'addresses taken',
  free: 300,
  waitMs: hourMs,
  isShared: true,
}
/** The page that waits for an approval polls every ten seconds. */
export const finalisationsPerAddress: ThrottleLimit = {
  kind: 'finalise',
  free: 300,
  waitMs: 60_000,
  windowMs: 600_000,
  isShared: true,
}
