/** Limits for password attempts of callers who are not signed in. */
import type { ThrottleLimit } from './throttle.ts'

/** Counted by the email address in lower case, whether or not an account has it. */
export const passwordsPerAccount: ThrottleLimit = {
  kind: 'sign-in account',
  free: 5,
  waitMs: 1_000,
  waitMaxMs: 900_000,
  windowMs: 3_600_000,
}
/** Counted by `addressBlock`. */
export const passwordsPerAddress: ThrottleLimit = {
  kind: 'sign-in address',
  free: 20,
  waitMs: 60_000,
  windowMs: 600_000,
  isShared: true,
}
