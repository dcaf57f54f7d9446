/** Keeps what a run has found changed in the source's tables: what it has made, and what waits for a decision. */
import { removedAtSource, type TargetSchemaChange } from '@tributary/engine/ports/target'
import type { Db } from '../../../kernel/store/store.ts'
import type { Claim } from './claim-run.ts'

export interface FoundChanges {
  readonly stream: string
  readonly changes: readonly TargetSchemaChange[]
  readonly status: 'applied' | 'pending'
}

export async function keepChanges(db: Db, claim: Claim, found: readonly FoundChanges[]): Promise<void> {
  for (const { stream, changes, status } of found) {
    if (status === 'pending') await keepPending(db, claim, stream, changes)
    else for (const change of changes) await keepApplied(db, claim, stream, change)
  }
}

/** A change that somebody was asked about stays one entry: it was accepted, and now it is made. */
async function keepApplied(db: Db, claim: Claim, stream: string, change: TargetSchemaChange): Promise<void> {
  const asked = await db
    .updateTable('schemaChange')
    .set({ status: 'APPLIED', runId: claim.runId })
    .where('organisationId', '=', claim.organisationId)
    .where('connectorId', '=', claim.connectorId)
    .where('tableName', '=', change.table)
    .where('columnName', 'is not distinct from', change.column)
    .where('after', '=', change.after)
    .where('status', '<>', 'APPLIED')
    .executeTakeFirst()
  if (asked.numUpdatedRows > 0n || (await isKnown(db, claim, change))) return
  const { organisationId, connectorId, runId } = claim
  await db
    .insertInto('schemaChange')
    .values({ organisationId, connectorId, runId, status: 'APPLIED', ...rowOf(stream, change) })
    .execute()
}

/** What is gone is found again by each run. */
async function isKnown(db: Db, { organisationId, connectorId }: Claim, change: TargetSchemaChange): Promise<boolean> {
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
  return change.after === removedAtSource && latest?.after === removedAtSource
}

/** All that waits for this stream. What nobody has decided and the source has taken back is asked about no more. */
async function keepPending(
  db: Db,
  claim: Claim,
  stream: string,
  changes: readonly TargetSchemaChange[],
): Promise<void> {
  const { organisationId, connectorId, runId } = claim
  const asked = await db
    .selectFrom('schemaChange')
    .select(['id', 'tableName', 'columnName', 'after'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('stream', '=', stream)
    .where('status', '=', 'PENDING')
    .execute()
  const gone = asked.filter(
    (row) =>
      !changes.some(
        ({ table, column, after }) => table === row.tableName && column === row.columnName && after === row.after,
      ),
  )
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id)
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
    // It was asked about before.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Streams that were brought to their end have nothing left that waits. */
export async function dropAnswered(
  db: Db,
  { organisationId, connectorId }: Claim,
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
