/** Stores the schema changes that a run detected in the source: applied ones and those that need a decision. */
import { removedAtSource, sentWithoutColumn, type TargetSchemaChange } from '@tributary/engine/ports/target'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'

export interface DetectedChanges {
  readonly stream: string
  readonly changes: readonly TargetSchemaChange[]
  readonly status: 'applied' | 'pending'
}

export async function storeSchemaChanges(db: Db, claim: RunClaim, found: readonly DetectedChanges[]): Promise<void> {
  for (const { stream, changes, status } of found) {
    if (status === 'pending') await storePendingChanges(db, claim, stream, changes)
    else for (const change of changes) await storeAppliedChange(db, claim, stream, change)
  }
}

/** A change that needed a decision keeps its row: it was accepted, and now it is applied. */
async function storeAppliedChange(db: Db, claim: RunClaim, stream: string, change: TargetSchemaChange): Promise<void> {
  const updated = await db
    .updateTable('schemaChange')
    .set({ status: 'APPLIED', runId: claim.runId })
    .where('organisationId', '=', claim.organisationId)
    .where('connectorId', '=', claim.connectorId)
    .where('tableName', '=', change.table)
    .where('columnName', 'is not distinct from', change.column)
    .where('after', '=', change.after)
    .where('status', '<>', 'APPLIED')
    .executeTakeFirst()
  if (updated.numUpdatedRows > 0n || (await isAlreadyRecorded(db, claim, change))) return
  const { organisationId, connectorId, runId } = claim
  await db
    .insertInto('schemaChange')
    .values({ organisationId, connectorId, runId, status: 'APPLIED', ...rowOf(stream, change) })
    .execute()
}

/** Each run detects a dropped table or column again, and members that no column has. */
async function isAlreadyRecorded(
  db: Db,
  { organisationId, connectorId }: RunClaim,
  change: TargetSchemaChange,
): Promise<boolean> {
  const latest = await db
    .selectFrom('schemaChange')
    .select('after')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('tableName', '=', change.table)
    .where('columnName', 'is not distinct from', change.column)
    .orderBy('foundAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return [removedAtSource, sentWithoutColumn].includes(change.after) && latest?.after === change.after
}

/** Stores the undecided changes of a stream. Deletes those that the source has since reverted. */
async function storePendingChanges(
  db: Db,
  claim: RunClaim,
  stream: string,
  changes: readonly TargetSchemaChange[],
): Promise<void> {
  const { organisationId, connectorId, runId } = claim
  const stored = await db
    .selectFrom('schemaChange')
    .select(['id', 'tableName', 'columnName', 'after'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('stream', '=', stream)
    .where('status', '=', 'PENDING')
    .execute()
  const reverted = stored.filter(
    (row) =>
      !changes.some(
        ({ table, column, after }) => table === row.tableName && column === row.columnName && after === row.after,
      ),
  )
  if (reverted.length > 0) {
    const ids = reverted.map(({ id }) => id)
    await db.deleteFrom('schemaChange').where('organisationId', '=', organisationId).where('id', 'in', ids).execute()
  }
  if (changes.length === 0) return
  await db
    .insertInto('schemaChange')
    .values(
      changes.map((change) => ({
        organisationId,
        connectorId,
        runId,
        status: 'PENDING' as const,
        ...rowOf(stream, change),
      })),
    )
    // An earlier run has stored it already.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes undecided changes of streams that completed: nothing is left to decide. */
export async function deleteResolvedChanges(
  db: Db,
  { organisationId, connectorId }: RunClaim,
  streams: readonly string[],
): Promise<void> {
  if (streams.length === 0) return
  await db
    .deleteFrom('schemaChange')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('stream', 'in', [...streams])
    .where('status', '=', 'PENDING')
    .execute()
}

function rowOf(stream: string, { table, column, before, after }: TargetSchemaChange) {
  return { stream, tableName: table, columnName: column, before, after }
}
