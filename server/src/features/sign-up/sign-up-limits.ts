/** How often visitors may call, so that nobody can ask for all the addresses of the world or fill other people's mailboxes. */
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'

const hourMs = 3_600_000

/** Counted by `addressBlock`. */
export const captchasPerAddress: ThrottleLimit = {
  kind: 'captcha',
  free: 120,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}
export const signUpsPerAddress: ThrottleLimit = {
  kind: 'sign-up address',
  free: 5,
  waitMs: hourMs,
  waitMaxMs: hourMs,
  windowMs: hourMs,
  isShared: true,
}
export const signUpsInAll: ThrottleLimit = {
  kind: 'sign-up',
  free: 200,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}
export const questionsPerAddress: ThrottleLimit = {
  kind: 'address taken',
  free: 20,
  waitMs: hourMs,
  waitMaxMs: hourMs,
  windowMs: hourMs,
  isShared: true,
}
export const questionsInAll: ThrottleLimit = {
  kind: 'addresses taken',
  free: 300,
  waitMs: hourMs,
  waitMaxMs: hourMs,
  windowMs: hourMs,
  isShared: true,
}
/** The page that waits for an approval asks every ten seconds. */
export const finalisationsPerAddress: ThrottleLimit = {
  kind: 'finalise',
  free: 300,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}
