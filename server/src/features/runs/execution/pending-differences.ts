/** Rows that differed in a verification that could not decide whether the source had changed meanwhile. */
import type { PendingDifferences, RowDifference } from '@tributary/engine/ports/verification'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import { storableDifference } from './store-verification.ts'

export type PendingByStream = ReadonlyMap<string, PendingDifferences>

export async function readPendingDifferences(
  db: Db,
  { organisationId, connectorId }: Pick<RunClaim, 'organisationId' | 'connectorId'>,
): Promise<PendingByStream> {
  const rows = await db
    .selectFrom('rowDifference')
    .innerJoin('streamVerification as verified', (join) =>
      join
        .onRef('verified.connectorId', '=', 'rowDifference.connectorId')
        .onRef('verified.stream', '=', 'rowDifference.stream')
        .onRef('verified.runId', '=', 'rowDifference.runId'),
    )
    .select(['verified.stream', 'verified.checkedAt', 'tableName', 'kind', 'key', 'columns'])
    .where('rowDifference.organisationId', '=', organisationId)
    .where('rowDifference.connectorId', '=', connectorId)
    .where('verified.outcome', '=', 'pending')
    .execute()
  const found = new Map<string, PendingDifferences>()
  for (const [stream, differences] of Map.groupBy(rows, (row) => row.stream)) {
    const checkedAt = differences[0]?.checkedAt
    const known = new Set(
      differences.map(({ tableName, kind, key, columns }) => nameOf({ tableName, kind, key, columns })),
    )
    if (checkedAt !== undefined && checkedAt !== null)
      found.set(stream, {
        checkedAt: new Date(checkedAt),
        includes: (difference) => known.has(nameOf(asStored(difference))),
      })
  }
  return found
}

function asStored(difference: RowDifference) {
  const { key, columns, ...stored } = storableDifference(difference)
  return { ...stored, key: JSON.parse(key) as unknown, columns: JSON.parse(columns) as unknown }
}

/** Without the values of the target, which a run may have written since. jsonb sorts the names of its members. */
function nameOf({
  tableName,
  kind,
  key,
  columns,
}: {
  tableName: string
  kind: string
  key: unknown
  columns: unknown
}) {
  const values = (columns as readonly { name: string; source: string | null }[]).map(({ name, source }) => [
    name,
    source,
  ])
  const keys = Object.entries(key as object).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify([tableName, kind, keys, values])
}
