/** Deletes what the source no longer has, from a complete set of its keys, and tells which of them are missing here. */
import type pg from 'pg'
import type { Batch } from '../../../ports/model.ts'
import { copyOut } from '../copy-out.ts'
import { quote } from '../types.ts'
import type { Stream } from '../../../ports/source.ts'
import {
  type MissingKeys,
  missingKeysMax,
  type ShrinkGuard,
  type SweepResult,
  type Writer,
} from '../../../ports/target.ts'
import { Lane } from './bulk-load.ts'
import { matching } from './merge.ts'
import { keyOnly } from '../../sql-target/table-layout.ts'
import { columnList, mainOf, qualified, type Placement } from './tables.ts'
import { holdFence, readState, writeState, type Records } from './records.ts'
import { KeyRejects } from '../../sql-target/rejected-rows.ts'
import { writeSwept } from './reports.ts'

export interface Sweep {
  readonly client: pg.Client
  readonly records: Records
  readonly writer: Writer
  readonly stream: Stream
  readonly placements: readonly Placement[]
  readonly keys: AsyncIterable<Batch>
  readonly guard: ShrinkGuard
  readonly now: number
}

export async function sweepStream(sweep: Sweep): Promise<SweepResult> {
  const { client } = sweep
  const main = mainOf(sweep.placements)
  const unplaced = await stageKeys(sweep, main)
  await client.query('BEGIN')
  await client.query(`CREATE TEMP TABLE tributary_gone ON COMMIT DROP AS SELECT ${columnList(main.key)} FROM ${qualified(main)} AS kept
    WHERE NOT EXISTS (SELECT FROM tributary_keys AS came WHERE ${matching(main.key, 'came', main.key, 'kept')})`)
  const counted = await client.query<{ gone: string; rows: string }>(
    `SELECT (SELECT count(*) FROM tributary_gone)::text AS gone, (SELECT count(*) FROM ${qualified(main)})::text AS rows`,
  )
  const gone = Number(counted.rows[0]?.gone ?? 0)
  const rows = Number(counted.rows[0]?.rows ?? 0)
  const missing = await missingKeys(client, main)
  const isRefused = gone > sweep.guard.rows && gone > rows * sweep.guard.share
  if (!isRefused) await deleteGone(sweep, { gone, kept: rows - gone })
  await client.query('DROP TABLE tributary_keys')
  await client.query('COMMIT')
  if (isRefused) return { outcome: 'refused', wouldDelete: gone, rows, missing }
  return { outcome: 'done', deleted: gone, ...(unplaced > 0 && { unplaced }), missing }
}

async function missingKeys(client: pg.Client, main: Placement): Promise<MissingKeys> {
  const absent = `FROM tributary_keys AS came WHERE NOT EXISTS (SELECT FROM ${qualified(main)} AS kept WHERE ${matching(main.key, 'came', main.key, 'kept')})`
  const counted = await client.query<{ count: string }>(`SELECT count(*)::text AS count ${absent}`)
  const count = Number(counted.rows[0]?.count ?? 0)
  if (count === 0) return { count, rows: Buffer.alloc(0) }
  const pieces: Buffer[] = []
  const columns = main.key.map((name) => `came.${quote(name)}`).join(', ')
  for await (const piece of copyOut(client, `COPY (SELECT ${columns} ${absent} LIMIT ${missingKeysMax}) TO STDOUT`))
    pieces.push(piece)
  return { count, rows: Buffer.concat(pieces) }
}

/** Answers how many keys fit no column here: their rows were rejected when they came, so none of them is in the table. */
async function stageKeys({ client, keys }: Sweep, main: Placement): Promise<number> {
  const placement = keyOnly(main)
  await client.query(
    `CREATE TEMP TABLE tributary_keys (${placement.columns.map((column) => `${quote(column.name)} ${column.type} NOT NULL`).join(', ')})`,
  )
  const rejects = new KeyRejects()
  const lane = new Lane({ client, placement, into: 'tributary_keys', columns: main.key, encoding: 'text', rejects })
  for await (const batch of keys) await lane.write(batch)
  await lane.flush()
  await client.query('ANALYZE tributary_keys')
  return rejects.count
}

interface Counted {
  readonly gone: number
  readonly kept: number
}

async function deleteGone(
  { client, records, writer, stream, placements, now }: Sweep,
  { gone, kept }: Counted,
): Promise<void> {
  const main = mainOf(placements)
  for (const child of placements.slice(1)) {
    await client.query(
      `DELETE FROM ${qualified(child)} AS kept USING tributary_gone AS gone WHERE ${matching(main.key, 'gone', child.parentKey, 'kept')}`,
    )
  }
  await client.query(
    `DELETE FROM ${qualified(main)} AS kept USING tributary_gone AS gone WHERE ${matching(main.key, 'gone', main.key, 'kept')}`,
  )
  const state = await readState(client, records, { connectorId: writer.connectorId, stream: stream.name })
  const sweptAt = new Date(now).toISOString()
  await writeState(client, records, { writer, stream: stream.name, state: { ...state, rows: kept, sweptAt } })
  await writeSwept(client, records, {
    writer,
    stream: stream.name,
    mainTable: main.name,
    deleted: gone,
    comparedAt: sweptAt,
  })
  await holdFence(client, records, writer)
}
