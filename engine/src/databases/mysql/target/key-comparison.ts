/** Deletes what the source no longer has, from a complete set of its keys, and tells which of them are missing here. */
import { encodeRows } from '../../../encoding/copy-text.ts'
import { quote } from '../quoting.ts'
import { canonicalText } from '../types.ts'
import type { Batch } from '../../../ports/model.ts'
import { KeyRejects } from '../../sql-target/rejected-rows.ts'
import { type MissingKeys, missingKeysMax, type ShrinkGuard, type SweepResult } from '../../../ports/target.ts'
import { Lane } from './bulk-load.ts'
import type { Loading } from './load.ts'
import { createKeys, deleteByKeys, temporary } from './merge.ts'
import { keyOnly } from '../../sql-target/table-layout.ts'
import { tableOptions } from './tables.ts'
import { holdFence, readState, writeState } from './records.ts'
import { writeSwept } from './reports.ts'
import { chooseSender } from './send.ts'

export interface Sweep extends Loading {
  readonly keys: AsyncIterable<Batch>
  readonly guard: ShrinkGuard
  readonly now: number
}

const keyList = temporary('keys')

export async function sweepStream(sweep: Sweep): Promise<SweepResult> {
  const { connection, guard } = sweep
  const [main] = sweep.placements
  const unplaced = await stageKeys(sweep)
  const [counted] = await connection.rows(
    `SELECT COUNT(*) AS n, COALESCE(SUM(listed.${quote(main.key[0] ?? '')} IS NULL), 0) AS gone FROM ${quote(main.name)} AS kept LEFT JOIN ${keyList} AS listed USING (${main.key.map(quote).join(', ')})`,
  )
  const rows = Number(counted?.['n'])
  const gone = Number(counted?.['gone'])
  const missing = await missingKeys(sweep)
  if (gone > guard.rows && gone > rows * guard.share) return { outcome: 'refused', wouldDelete: gone, rows, missing }
  await deleteGone(sweep, { gone, kept: rows - gone })
  return { outcome: 'done', deleted: gone, ...(unplaced > 0 && { unplaced }), missing }
}

async function missingKeys({ connection, placements: [main] }: Sweep): Promise<MissingKeys> {
  const absent = `FROM ${keyList} AS listed LEFT JOIN ${quote(main.name)} AS kept USING (${main.key.map(quote).join(', ')}) WHERE kept.${quote(main.key[0] ?? '')} IS NULL`
  const [counted] = await connection.rows(`SELECT COUNT(*) AS n ${absent}`)
  const count = Number(counted?.['n'])
  if (count === 0) return { count, rows: Buffer.alloc(0) }
  const values = keyOnly(main).columns.map(
    (column, at) => `${canonicalText(`listed.${quote(column.name)}`, column)} AS c${at}`,
  )
  const rows = await connection.rows(`SELECT ${values.join(', ')} ${absent} LIMIT ${missingKeysMax}`)
  return { count, rows: encodeRows(rows.map((row) => values.map((_, at) => row[`c${at}`] ?? null))) }
}

/** Answers how many keys fit no column here: their rows were rejected when they came, so none of them is in the table. */
async function stageKeys({ connection, placements: [main], keys, collation }: Sweep): Promise<number> {
  const options = tableOptions(collation)
  await connection.run(createKeys(main, keyList, options))
  const rejects = new KeyRejects()
  const placement = keyOnly(main)
  const lane = new Lane({
    connection,
    sender: await chooseSender(connection),
    placement,
    into: keyList,
    columns: placement.columns,
    rejects,
    tableOptions: options,
    inTurn: (work) => work(),
    afterSegment: async () => {},
  })
  for await (const batch of keys) await lane.write(batch.bytes)
  await lane.flush()
  return rejects.count
}

interface Counted {
  readonly gone: number
  readonly kept: number
}

async function deleteGone(
  { connection, writer, stream, placements, now }: Sweep,
  { gone, kept }: Counted,
): Promise<void> {
  const [main, ...children] = placements
  for (const placement of [...children, main]) {
    await connection.run(
      deleteByKeys(placement, { into: quote(placement.name), keys: keyList, columns: main.key, which: 'unlisted' }),
    )
  }
  const state = await readState(connection, { connectorId: writer.connectorId, stream: stream.name })
  const sweptAt = new Date(now).toISOString()
  await writeState(connection, { writer, stream: stream.name, state: { ...state, rows: kept, sweptAt }, swap: null })
  await writeSwept(connection, {
    writer,
    stream: stream.name,
    mainTable: main.name,
    deleted: gone,
    comparedAt: sweptAt,
  })
  await holdFence(connection, writer)
  await connection.run('COMMIT')
}
