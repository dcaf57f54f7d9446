/** Key comparison: deletes the rows whose keys the source no longer has, and finds the keys that no row has. */
import type { RowBatch } from '../../ports/model.ts'
import type { Stream } from '../../ports/source.ts'
import type { ComparedPart } from '../../ports/row-scope.ts'
import type { KeyComparisonResult, MissingKeys, ShrinkGuard } from '../../ports/target.ts'
import { keyList, openKeyList } from './deleted-keys.ts'
import type { StagedTable, WriterSession } from './dialect.ts'
import type { StreamHistory } from './history/history-table.ts'
import { recordVersions } from './history/record-versions.ts'
import { listOtherKeys } from './kept-rows.ts'
import { KeyRejects } from './rejected-rows.ts'
import { writeComparison } from './run-reports.ts'
import { holdFence, readState, transaction, writeState } from './state-store.ts'
import type { StreamTables } from './table-layout.ts'

export interface KeyComparison extends WriterSession {
  readonly stream: Stream
  readonly tables: StreamTables
  /** Every key of the source, in batches; with `part` those of its rows. */
  readonly keys: AsyncIterable<RowBatch>
  readonly part?: ComparedPart | undefined
  readonly guard: ShrinkGuard
  readonly now: number
  /** Null where no history is kept. */
  readonly history: StreamHistory | null
}

export async function compareKeys(comparison: KeyComparison): Promise<KeyComparisonResult> {
  const { dialect, session, writer, stream, guard, part } = comparison
  const [main] = comparison.tables
  const keys = keyList(comparison, main, 'keys')
  await dialect.claimStream(session, writer, stream.name)
  const unplaced = await stageKeys(comparison, keys)
  const result = await transaction(dialect, session, async (): Promise<KeyComparisonResult> => {
    await dialect.lockStream(session, { connectorId: writer.connectorId, stream: stream.name })
    const compared = part === undefined ? null : await listOtherKeys(comparison, main, keys, part)
    const { rows, deleted } = await dialect.compareKeys(session, main, keys)
    const missing = await findMissingKeys(comparison, keys)
    const guarded = compared ?? rows
    if (deleted > guard.rows && deleted > guarded * guard.share)
      return { outcome: 'refused', wouldDelete: deleted, rows: guarded, missing }
    await deleteUnlisted(comparison, keys, { deleted, remaining: rows - deleted })
    return { outcome: 'done', deleted, ...(unplaced > 0 && { unstorableKeys: unplaced }), missing }
  })
  await dialect.clearStages(session, [keys.stage], 'finished')
  return result
}

/** Returns how many keys fit no column: their rows were rejected when they were loaded, so none of them is in the table. */
async function stageKeys(comparison: KeyComparison, keys: StagedTable): Promise<number> {
  const rejects = new KeyRejects()
  const loader = await openKeyList(comparison, keys, { encoding: 'text', rejects, isDiscardable: () => false })
  for await (const batch of comparison.keys) await loader.write(batch)
  await loader.flush()
  return rejects.count
}

async function findMissingKeys({ dialect, session, tables }: KeyComparison, keys: StagedTable): Promise<MissingKeys> {
  const from = dialect.missingKeysSql(tables[0], keys)
  const [row] = await session.rows(`SELECT COUNT(*) ${from}`)
  const count = Number(row?.[0] ?? 0)
  return { count, rows: count === 0 ? Buffer.alloc(0) : await dialect.readMissingKeys(session, keys, from) }
}

interface ComparedRows {
  readonly deleted: number
  readonly remaining: number
}

async function deleteUnlisted(
  comparison: KeyComparison,
  keys: StagedTable,
  { deleted, remaining }: ComparedRows,
): Promise<void> {
  const { dialect, session, writer } = comparison
  const [main, ...children] = comparison.tables
  for (const target of [...children, main])
    await dialect.deleteByKeys(session, { target, from: dialect.qualified(target.name), keys, which: 'unlisted' })
  if (deleted > 0 && comparison.history !== null)
    await recordVersions(
      comparison,
      {
        history: comparison.history,
        changed: comparison.tables.map(({ name }) => ({ into: dialect.qualified(name), stage: null })),
      },
      { kind: 'deleted' },
    )
  const stream = comparison.stream.name
  const state = await readState(dialect, session, { connectorId: writer.connectorId, stream })
  const comparedAt = new Date(comparison.now).toISOString()
  const sweptAt = comparison.part?.isLast === false ? state.sweptAt : comparedAt
  await writeState(dialect, session, { writer, stream, state: { ...state, rows: remaining, sweptAt } })
  await writeComparison(comparison, { stream, mainTable: main.name, deleted, comparedAt })
  await holdFence(dialect, session, writer)
}
