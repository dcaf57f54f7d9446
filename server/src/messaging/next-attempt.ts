import { sql } from 'kysely'

/** With exponential backoff between the waits below, the last attempt is a day after the first. */
export const attemptsMax = 14
const firstWaitMs = 60_000
export const waitMaxMs = 4 * 3_600_000

/** For the column of a row that a sender claims. */
export const nextAttemptAt = sql<string>`now() + least(${firstWaitMs} * 2 ^ attempts, ${waitMaxMs}) * interval '1 millisecond'`
