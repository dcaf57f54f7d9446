/** Deletes what the source no longer has, from a complete set of its keys, and tells which of them are missing here. */
import { encodeRows } from '../../../encoding/copy-text.ts'
import type { Batch } from '../../../ports/model.ts'
import { KeyRejects } from '../../sql-target/rejected-rows.ts'
import { quote } from '../quoting.ts'
import { canonicalOf, canonicalText } from '../types.ts'
import { type MissingKeys, missingKeysMax, type ShrinkGuard, type SweepResult } from '../../../ports/target.ts'
import { takingTurns } from '../../sql-target/mutex.ts'
import { Lane } from './bulk-load.ts'
import type { Loading } from './load.ts'
import { createStage, deleteByKeys, keyList, sameKey, type Staged } from './merge.ts'
import { qualified } from './tables.ts'
import { holdFence, lockStream, readState, writeState } from './records.ts'
import { writeSwept } from './reports.ts'

export interface Sweep extends Loading {
  readonly keys: AsyncIterable<Batch>
  readonly guard: ShrinkGuard
  readonly now: number
}

export async function sweepStream(sweep: Sweep): Promise<SweepResult> {
  const { connection, guard, placements, writer, stream } = sweep
  const [main] = placements
  const listed = keyList(main, 'tributary_keys')
  const unplaced = await stageKeys(sweep, listed)
  await connection.run('BEGIN TRANSACTION')
  await lockStream(connection, { connectorId: writer.connectorId, stream: stream.name })
  const [counted] = await connection.rows(
    `SELECT (SELECT COUNT(*) FROM ${qualified(main)}), (SELECT COUNT(*) FROM ${qualified(main)} AS kept JOIN ${listed.stage} AS listed ON ${sameKey(listed.placement, 'listed', 'kept')})`,
  )
  const rows = Number(counted?.[0] ?? 0)
  const gone = rows - Number(counted?.[1] ?? 0)
  const missing = await missingKeys(sweep, listed)
  const isRefused = gone > guard.rows && gone > rows * guard.share
  if (!isRefused) await deleteGone(sweep, listed, { gone, kept: rows - gone })
  await connection.run('COMMIT TRANSACTION')
  if (isRefused) return { outcome: 'refused', wouldDelete: gone, rows, missing }
  return { outcome: 'done', deleted: gone, ...(unplaced > 0 && { unplaced }), missing }
}

async function missingKeys(
  { connection, placements: [main] }: Sweep,
  { placement, columns, stage }: Staged,
): Promise<MissingKeys> {
  const absent = `FROM ${stage} AS listed WHERE NOT EXISTS (SELECT 1 FROM ${qualified(main)} AS kept WHERE ${sameKey(placement, 'listed', 'kept')})`
  const [counted] = await connection.rows(`SELECT COUNT(*) ${absent}`)
  const count = Number(counted?.[0] ?? 0)
  if (count === 0) return { count, rows: Buffer.alloc(0) }
  const values = columns.map(({ name, values: type, type: stored }) =>
    canonicalText(`listed.${quote(name)}`, type, stored),
  )
  const rows = await connection.rows(`SELECT TOP (${missingKeysMax}) ${values.join(', ')} ${absent}`)
  return { count, rows: encodeRows(rows.map((row) => row.map(canonicalOf))) }
}

/** Answers how many keys fit no column here: their rows were rejected when they came, so none of them is in the table. */
async function stageKeys({ connection, keys }: Sweep, listed: Staged): Promise<number> {
  await connection.run(createStage(listed))
  const rejects = new KeyRejects()
  const lane = new Lane({ connection, staged: listed, rejects, takeTurn: takingTurns() })
  for await (const batch of keys) await lane.write(batch.bytes)
  await lane.settle()
  return rejects.count
}

interface Counted {
  readonly gone: number
  readonly kept: number
}

async function deleteGone(sweep: Sweep, listed: Staged, { gone, kept }: Counted): Promise<void> {
  const { connection, records, writer, placements } = sweep
  const [main, ...children] = placements
  for (const placement of [...children, main])
    await connection.run(deleteByKeys({ placement, into: qualified(placement), listed, which: 'unlisted' }))
  const stream = sweep.stream.name
  const state = await readState(connection, records, { connectorId: writer.connectorId, stream })
  const sweptAt = new Date(sweep.now).toISOString()
  await writeState(connection, records, { writer, stream, state: { ...state, rows: kept, sweptAt } })
  await writeSwept(connection, records, { writer, stream, mainTable: main.name, deleted: gone, comparedAt: sweptAt })
  await holdFence(connection, records, writer)
}
