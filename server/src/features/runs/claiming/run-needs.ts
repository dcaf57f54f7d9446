/** What runs need: learned from finished attempts, and charged to the organisation's place in the fair order. */
import { sql } from 'kysely'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from './claim-run.ts'

export interface MeasuredNeed {
  readonly memoryMb: number
  readonly seconds: number
}

/** How much of the former maximum remains if a run needs less. */
const decay = 0.9

/** Learns from an attempt. One that did not complete may have stopped early, so it only raises what is known. */
export async function learnNeed(
  db: Db,
  { organisationId, connectorId, runId, mode }: RunClaim,
  { memoryMb, seconds }: MeasuredNeed,
  isComplete: boolean,
): Promise<void> {
  const rows = sql`(SELECT rowsRead FROM run WHERE id = ${runId})`
  if (!isComplete) {
    await sql`UPDATE runNeed SET rows = greatest(rows, ${rows}), memoryMb = greatest(memoryMb, ${memoryMb}),
        seconds = greatest(seconds, ${seconds}), measuredAt = now()
      WHERE organisationId = ${organisationId} AND connectorId = ${connectorId} AND mode = ${mode}`.execute(db)
    return
  }
  await sql`INSERT INTO runNeed (organisationId, connectorId, mode, rows, memoryMb, seconds)
    VALUES (${organisationId}, ${connectorId}, ${mode}, ${rows}, ${memoryMb}, ${seconds})
    ON CONFLICT (connectorId, mode) DO UPDATE SET measuredAt = now(),
      rows = greatest(excluded.rows, round(runNeed.rows * ${decay}::float8)),
      memoryMb = greatest(excluded.memoryMb, runNeed.memoryMb * ${decay}::float8),
      seconds = greatest(excluded.seconds, runNeed.seconds * ${decay}::float8)`.execute(db)
}

/** Replaces the charge in advance by what the attempt used: its memory for as long as it took. */
export async function correctCharge(db: Db, claim: RunClaim, seconds: number): Promise<void> {
  const { organisationId, memoryMb, charge } = claim
  await sql`UPDATE runQueue SET virtualStart = virtualStart + ${memoryMb * seconds - charge}::float8
      / coalesce((SELECT weight FROM runShare WHERE organisationId = ${organisationId}), 1)
    WHERE organisationId = ${organisationId}`.execute(db)
}
