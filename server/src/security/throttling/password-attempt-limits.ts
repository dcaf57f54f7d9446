/** How often a password may be tried, wherever it is asked for by somebody who is not signed in. */
import type { Limit } from './throttle.ts'

/** Counted by the e-mail address in small letters, whether anybody has it or not. */
export const passwordsPerAccount: Limit = {
  kind: 'sign-in account',
  free: 5,
  waitMs: 1_000,
  waitMaxMs: 900_000,
  windowMs: 3_600_000,
}
/** Counted by `addressBlock`. */
export const passwordsPerAddress: Limit = {
  kind: 'sign-in address',
  free: 20,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}
