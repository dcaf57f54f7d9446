/** Runs that verify instead of moving rows. They say nothing about how fresh the rows are, and give way to runs that move some. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

type SyncMode = 'incremental' | 'full'
export type VerificationMode = 'verify' | 'repair'
/** `erase` clears a person in history; `maintain` joins files of the target and removes old ones. */
export type RunMode = SyncMode | VerificationMode | 'erase' | 'maintain'

export function isVerification(mode: RunMode): mode is VerificationMode {
  return mode === 'verify' || mode === 'repair'
}

export function movesRows(mode: RunMode): mode is SyncMode {
  return mode === 'incremental' || mode === 'full'
}

/** For queries of the table `run`: the run moves rows. */
export const isSyncRun = sql<boolean>`run.mode IN ('incremental', 'full')`

/**
 * Ends unfinished verifications and maintenance of connectors that the caller has locked, so that they do not delay a run that moves rows. The
 * next claim raises the fencing token, so the target refuses what their workers may still write. Across organisations.
 */
export async function endVerificationsEverywhere(db: Db, connectorIds: readonly string[]): Promise<void> {
  await db
    .updateTable('run')
    .set({
      status: 'CANCELLED',
      completedAt: sql`now()`,
      notice: sql<string>`CASE WHEN mode = 'maintain' THEN ${maintenanceGaveWay} ELSE ${verificationGaveWay} END`,
    })
    .where('connectorId', '=', sql<string>`ANY (${connectorIds}::uuid[])`)
    .where('mode', 'in', ['verify', 'repair', 'maintain'])
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .execute()
}

const verificationGaveWay =
  'A run of the connector was due, and the verification gave way to it. Tables that it has finished stay verified.'
const maintenanceGaveWay =
  'A run of the connector was due, and the maintenance gave way to it. It begins again within a day.'
