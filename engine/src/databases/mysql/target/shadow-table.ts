/** A replacement: tables loaded beside those that readers see, which then take their place in one RENAME. */
import type { MysqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import { errorNumber } from '../faults.ts'
import type { Stream, Surroundings } from '../../../ports/source.ts'
import { Fenced, type Writer } from '../../../ports/target.ts'
import { columnList, type Placement, readColumns } from './tables.ts'
import { type Freshness, writeFreshness } from './reports.ts'
import {
  digest,
  holdFence,
  openSwaps,
  releaseStream,
  markSession,
  type Swap,
  type SwappedTable,
  writeState,
} from './records.ts'

export interface Beside {
  /** Quoted names of the tables beside, in the order of the placements. */
  readonly tables: readonly string[]
  /** Rows go straight in: every key comes once. */
  readonly isDirect: boolean
  readonly resumed: boolean
  readonly now: number
  readonly swapped: readonly SwappedTable[]
  /** Takes the place of the former tables, which go aside. */
  swap(): Promise<void>
  dropFormer(): Promise<void>
}

export interface Opening {
  readonly connection: MysqlConnection
  readonly writer: Writer
  readonly stream: Stream
  readonly placements: readonly Placement[]
  /** What an earlier attempt has loaded is kept. */
  readonly resume: boolean
  readonly around: Surroundings
}

export function nameBeside(writer: Writer, table: string): string {
  return `tributary_new_${digest(writer.connectorId)}_${digest(table)}`
}

function nameFormer(writer: Writer, table: string): string {
  return `tributary_old_${digest(writer.connectorId)}_${digest(table)}`
}

export async function openBeside({ connection, writer, stream, placements, resume, around }: Opening): Promise<Beside> {
  const swapped = placements.map(({ name }) => ({
    name,
    beside: nameBeside(writer, name),
    former: nameFormer(writer, name),
  }))
  if (!resume)
    for (const placement of placements) await makeTable(connection, placement, nameBeside(writer, placement.name))
  return {
    tables: swapped.map(({ beside }) => quote(beside)),
    isDirect: stream.distinct,
    resumed: resume,
    now: around.clock.now(),
    swapped,
    swap: () => swapTables(connection, swapped, around),
    dropFormer: () => dropFormer(connection, swapped),
  }
}

/** Like the table it will replace, with the indexes that people have made for their reports. */
async function makeTable(connection: MysqlConnection, placement: Placement, name: string): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${quote(name)}`)
  await connection.run(`CREATE TABLE ${quote(name)} LIKE ${quote(placement.name)}`)
  const formerKey = (await readColumns(connection, name)).filter((column) => column.isKey)
  if (
    formerKey
      .map((column) => column.name)
      .toSorted()
      .join('\t') === placement.key.toSorted().join('\t')
  )
    return
  const freed = formerKey
    .filter((column) => !placement.key.includes(column.name))
    .map((column) => `MODIFY COLUMN ${quote(column.name)} ${column.type} NULL`)
  const bound = placement.columns
    .filter((column) => column.isKey)
    .map((column) => `MODIFY COLUMN ${quote(column.name)} ${column.type} NOT NULL`)
  const drop = formerKey.length === 0 ? [] : ['DROP PRIMARY KEY']
  const add = placement.key.length === 0 ? [] : [`ADD PRIMARY KEY (${columnList(placement.key)})`]
  await connection.run(`ALTER TABLE ${quote(name)} ${[...drop, ...freed, ...bound, ...add].join(', ')}`)
}

const swapAttempts = 6
const lockWaitTimeout = 1205

/** Waits for readers in short turns, so that those who come later are not kept waiting behind it. */
async function swapTables(
  connection: MysqlConnection,
  tables: readonly SwappedTable[],
  around: Pick<Surroundings, 'clock' | 'signal'>,
): Promise<void> {
  for (const { former } of tables) await connection.run(`DROP TABLE IF EXISTS ${quote(former)}`)
  const renames: string[] = []
  for (const { name, beside, former } of tables) {
    // A user may have dropped the table meanwhile: then nothing has to make way.
    const isThere = (await readColumns(connection, name)).length > 0
    if (isThere) renames.push(`${quote(name)} TO ${quote(former)}`)
    renames.push(`${quote(beside)} TO ${quote(name)}`)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await connection.run(`RENAME TABLE ${renames.join(', ')}`)
      return
    } catch (error) {
      if (errorNumber(error) !== lockWaitTimeout || attempt === swapAttempts) throw error
      await around.clock.sleep(1_000, around.signal)
    }
  }
}

async function dropFormer(connection: MysqlConnection, tables: readonly SwappedTable[]): Promise<void> {
  for (const { former } of tables) await connection.run(`DROP TABLE IF EXISTS ${quote(former)}`)
}

/**
 * Finishes the swaps that a dead run had decided: its rows were committed, so they only have to be shown. Answers why, by stream, where
 * that cannot be done: it concerns that stream alone.
 */
export async function finishSwaps(
  connection: MysqlConnection,
  writer: Writer,
  around: Pick<Surroundings, 'clock' | 'signal'>,
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>()
  for (const [stream, swap] of await openSwaps(connection, writer.connectorId)) {
    try {
      await markSession(connection, writer, stream)
      await finishSwap(connection, { writer, stream, swap }, around)
    } catch (error) {
      if (error instanceof Fenced || around.signal.aborted) throw error
      failures.set(stream, error)
      // Fails where the connection is lost, which ends the run.
      await connection.run('ROLLBACK')
    }
    await releaseStream(connection, writer, stream)
  }
  return failures
}

interface OpenSwap {
  readonly writer: Writer
  readonly stream: string
  readonly swap: Swap
}

async function finishSwap(
  connection: MysqlConnection,
  { writer, stream, swap }: OpenSwap,
  around: Pick<Surroundings, 'clock' | 'signal'>,
): Promise<void> {
  const waiting = await readColumns(connection, swap.tables[0]?.beside ?? '')
  if (waiting.length > 0) await swapTables(connection, swap.tables, around)
  await writeState(connection, { writer, stream, state: swap.state, swap: null })
  const { freshAt, sweptAt: comparedAt } = swap.state
  if (freshAt != null) {
    const moved = await countRows(connection, swap.tables)
    await writeFreshness(connection, { writer, stream, moved, freshAt, comparedAt })
  }
  await holdFence(connection, writer)
  await connection.run('COMMIT')
  await dropFormer(connection, swap.tables)
}

/** A replacement has moved every row. */
async function countRows(connection: MysqlConnection, tables: readonly SwappedTable[]): Promise<Freshness['moved']> {
  const moved: Record<string, number> = {}
  for (const { name } of tables) {
    const [counted] = await connection.rows(`SELECT COUNT(*) AS n FROM ${quote(name)}`)
    moved[name] = Number(counted?.['n'])
  }
  return moved
}

/** Drops what half-done replacements of these tables have left. */
export async function dropBeside(
  connection: MysqlConnection,
  writer: Writer,
  placements: readonly Placement[],
): Promise<void> {
  for (const { name } of placements) await connection.run(`DROP TABLE IF EXISTS ${quote(nameBeside(writer, name))}`)
}
