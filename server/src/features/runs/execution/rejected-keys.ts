/** Keys of rows that runs rejected: verification reports them as missing for that reason. */
import type { StreamOutcome } from '@tributary/engine/sync/sync-request'
import type { StoredTable } from '../../../access/dictionary/stored-structure.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'

/** By name of the table in the source. Each key is the texts of its columns as a JSON array. */
export type RejectedKeys = ReadonlyMap<string, ReadonlySet<string>>

interface RejectedRow {
  readonly table: string
  readonly row: { readonly [column: string]: string | null }
}

/** The latest ones; the target may have many more, whose cause is then not known. */
const rowsMax = 10_000

/** @param outcomes of the streams that the run has moved: the store has neither their rejected rows nor their structure yet */
export async function readRejectedKeys(
  db: Db,
  claim: RunClaim,
  outcomes: readonly StreamOutcome[] = [],
): Promise<RejectedKeys> {
  const keys = await readKeyColumns(db, claim)
  for (const { stream } of outcomes)
    for (const table of [stream.table, ...stream.children]) keys.set(table.name, table.key)
  const rejected = [...(await listRejected(db, claim)), ...outcomes.flatMap((outcome) => outcome.rejected)]
  const found = new Map<string, Set<string>>()
  for (const { table, row } of rejected) {
    const key = keys.get(table)
    if (key === undefined || key.length === 0) continue
    const known = found.get(table) ?? new Set()
    known.add(JSON.stringify(key.map((name) => row[name] ?? null)))
    found.set(table, known)
  }
  return found
}

async function readKeyColumns(
  db: Db,
  { organisationId, connectorId }: RunClaim,
): Promise<Map<string, readonly string[]>> {
  const streams = await db
    .selectFrom('connectorStream')
    .select('structure')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  const tables = streams.flatMap(({ structure }) => structure as readonly StoredTable[])
  return new Map(
    tables.map(({ sourceName, columns }) => [
      sourceName,
      columns.filter(({ isKey }) => isKey).map((column) => column.sourceName),
    ]),
  )
}

async function listRejected(db: Db, { organisationId, connectorId }: RunClaim): Promise<readonly RejectedRow[]> {
  const rows = await db
    .selectFrom('runRejected')
    .innerJoin('run', 'run.id', 'runRejected.runId')
    .select(['runRejected.tableName as table', 'runRejected.row'])
    .where('runRejected.organisationId', '=', organisationId)
    .where('run.connectorId', '=', connectorId)
    .orderBy('runRejected.id', 'desc')
    .limit(rowsMax)
    .execute()
  return rows.map(({ table, row }) => ({ table, row: row as RejectedRow['row'] }))
}
