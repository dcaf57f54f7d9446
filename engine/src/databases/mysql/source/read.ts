/** Reads one table in one consistent snapshot: whole, from where a killed read stopped, or what changed since. */
import { stampFrom } from '../../sql-source/change-stamp.ts'
import { decodeRow, decodeSome } from '../../../encoding/copy-text.ts'
import { Fault } from '../../../ports/faults.ts'
import type { Batch, Checkpoint } from '../../../ports/model.ts'
import type { MysqlConnection } from '../connection.ts'
import { quote, quoteText } from '../quoting.ts'
import type { AskedByKey } from '../../sql-source/discovered-tables.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import { safeBound } from './bound.ts'
import { type CursorColumn, type PlannedColumn, selectList, type TablePlan } from './discover.ts'
import { RowEncoder } from './row-encoder.ts'
import { streamRows } from './row-stream.ts'

/**
 * `from`: every change before this moment has been read. `after`: set while a whole read is under way, the key it
 * has come to, as JSON; the changes made meanwhile are read by the next run, from `from` on.
 */
interface MysqlCheckpoint {
  readonly cursor: string
  readonly from: string
  readonly after?: string
}

export async function* readTable(
  plan: TablePlan,
  connection: MysqlConnection,
  request: ReadRequest,
): AsyncGenerator<Batch> {
  const since = asOurs(request.since, plan)
  const bound = plan.cursor === null ? null : await safeBound(connection, plan.cursor)
  await openSnapshot(connection)
  const reading =
    plan.cursor === null || bound === null ? everything : cursorReading(plan, { cursor: plan.cursor, bound, since })
  yield* encodedRows(plan, connection, reading, request.tell)
  if (reading.end !== null)
    yield { table: plan.stream.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: reading.end }
  await connection.run('COMMIT')
}

/** From where to read what has changed since a moment; null where no column tells. */
export function checkpointAt({ cursor }: TablePlan, moment: Date): Checkpoint | null {
  const from = cursor === null ? null : stampFrom(moment, cursor.clock)
  return cursor === null || from === null ? null : { cursor: cursor.name, from }
}

/** The keys of all rows, in the order of the key columns. */
export async function* readKeys(plan: TablePlan, connection: MysqlConnection): AsyncGenerator<Batch> {
  await openSnapshot(connection)
  yield* encodedRows({ ...plan, columns: keyColumns(plan) }, connection, everything, () => {})
  await connection.run('COMMIT')
}

export async function* readByKey(
  plan: TablePlan,
  connection: MysqlConnection,
  { keys, tell }: AskedByKey,
): AsyncGenerator<Batch> {
  const columns = keyColumns(plan)
  await openSnapshot(connection)
  for (const some of decodeSome(keys, keysAtOnce))
    yield* encodedRows(plan, connection, { ...everything, tail: haveKeys(columns, some) }, tell)
  await connection.run('COMMIT')
}

/** So many conditions are found by the index, not by reading the table. */
const keysAtOnce = 200

function keyColumns({ stream, columns }: TablePlan): readonly PlannedColumn[] {
  return stream.table.key.flatMap((name) => columns.filter((column) => column.name === name))
}

function haveKeys(columns: readonly PlannedColumn[], keys: readonly (readonly (string | null)[])[]): string {
  const equal = (key: readonly (string | null)[]): string =>
    columns.map((column, at) => `${comparable(column)} = ${valueOf(column, key[at] ?? '')}`).join(' AND ')
  return ` WHERE ${keys.map((key) => `(${equal(key)})`).join(' OR ')}`
}

/** A FLOAT equals only what it shows as a double. */
function comparable({ name, type, select }: PlannedColumn): string {
  return type.kind === 'double' ? select(quote(name)) : quote(name)
}

/** Canonical text as a value of the column. */
function valueOf({ wire, type }: PlannedColumn, text: string): string {
  if (wire === 'bytes') return `X${quoteText(text.slice(2))}`
  if (wire === 'boolean' || wire === 'bit') return text === 't' ? '1' : '0'
  if (wire === 'utcStamp') return quoteText(text.replace(/\+00$/u, ''))
  return type.kind === 'double' ? String(Number(text)) : quoteText(text)
}

async function openSnapshot(connection: MysqlConnection): Promise<void> {
  await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
  await connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
}

interface Reading {
  /** What follows the table's name in the SELECT. */
  readonly tail: string
  /** The checkpoint that the last row of a batch stands for, from that row's values; null where the order promises nothing. */
  readonly checkpointAt: ((row: readonly (string | null)[]) => Checkpoint) | null
  /** The checkpoint once all is read. */
  readonly end: Checkpoint | null
}

const everything: Reading = { tail: '', checkpointAt: null, end: null }

interface Course {
  readonly cursor: CursorColumn
  readonly bound: string
  readonly since: MysqlCheckpoint | null
}

function cursorReading(plan: TablePlan, { cursor, bound, since }: Course): Reading {
  if (since !== null && since.after === undefined) return changesReading(plan, { cursor, bound, since })
  const from = since?.from ?? bound
  const end = asCheckpoint({ cursor: cursor.name, from })
  const key = resumableKey(plan)
  if (key === null) return { tail: '', checkpointAt: null, end }
  const after = since?.after === undefined ? null : (JSON.parse(since.after) as string[])
  return {
    tail: `${after === null ? '' : ` WHERE ${isAfter(plan.stream.table.key, after)}`} ORDER BY ${plan.stream.table.key.map(quote).join(', ')}`,
    checkpointAt: (row) =>
      asCheckpoint({ cursor: cursor.name, from, after: JSON.stringify(key.map((index) => row[index])) }),
    end,
  }
}

/** In the order of the cursor, so that a read that is cut short goes on from the last change it gave. */
function changesReading(
  plan: TablePlan,
  { cursor, bound, since }: Course & { readonly since: MysqlCheckpoint },
): Reading {
  const name = quote(cursor.name)
  const index = plan.columns.findIndex((column) => column.name === cursor.name)
  const at = (value: string) => asCheckpoint({ cursor: cursor.name, from: value < bound ? value : bound })
  return {
    tail: ` WHERE ${name} >= ${quoteText(since.from)} ORDER BY ${name}`,
    // A cursor that is left out does not come with the rows, so such a read begins again where it was cut.
    checkpointAt: index === -1 ? null : (row) => at((row[index] ?? since.from).replace(/\+00$/u, '')),
    end: at(bound),
  }
}

/** Places of the key columns, where rows can be had in their order for nothing and their values be written as literals. */
function resumableKey(plan: TablePlan): readonly number[] | null {
  if (!plan.isClustered) return null
  const places = plan.stream.table.key.map((name) => plan.columns.findIndex((column) => column.name === name))
  return places.every((place) => comparesAsWritten(plan.columns[place])) ? places : null
}

/** An enum is ordered by its place in the list but compared as text, and a double is not equal to its own digits. */
function comparesAsWritten(column: PlannedColumn | undefined): boolean {
  if (column?.type.kind === 'text') return column.type.maxLength !== undefined
  return column?.wire === 'plain' && column.type.kind !== 'double'
}

/** `a > 1 OR (a = 1 AND b > 2)`: MySQL finds the place in the index by this, but not by comparing whole rows. */
function isAfter(key: readonly string[], values: readonly string[]): string {
  const alternatives = key.map((column, place) => {
    const equal = key.slice(0, place).map((former, index) => `${quote(former)} = ${quoteText(values[index] ?? '')}`)
    return [...equal, `${quote(column)} > ${quoteText(values[place] ?? '')}`].join(' AND ')
  })
  return alternatives.map((each) => `(${each})`).join(' OR ')
}

/** A target commits at checkpoints: more of them cost time, fewer cost a killed run what it must read again. */
const checkpointBytes = 32 * 1_048_576

async function* encodedRows(
  plan: TablePlan,
  connection: MysqlConnection,
  reading: Reading,
  tell: (line: string) => void,
): AsyncGenerator<Batch> {
  const encoder = new RowEncoder(plan.columns.map((column) => column.wire))
  const sql = `SELECT ${selectList(plan)} FROM ${quote(plan.stream.name)}${reading.tail}`
  let sinceCheckpoint = 0
  for await (const { bytes, rows } of streamRows(connection, sql, encoder)) {
    if (encoder.oddFlags > 0) throw new Fault(newNumbers.kind, newNumbers)
    const plain = { table: plan.stream.table.name, bytes, rows }
    sinceCheckpoint += bytes.length
    const isDue = reading.checkpointAt !== null && sinceCheckpoint >= checkpointBytes
    yield isDue ? { ...plain, checkpoint: reading.checkpointAt(lastRow(bytes)) } : plain
    if (isDue) sinceCheckpoint = 0
  }
  if (encoder.cleaned > 0)
    tell(`${plan.stream.name}: ${encoder.cleaned} texts held a character of code zero, which was left out.`)
  if (encoder.zeroDates > 0)
    tell(
      `${plan.stream.name}: ${encoder.zeroDates} dates have a year, month or day of zero, which no calendar knows. They are empty in the target.`,
    )
}

/** Written since the table was looked through. */
const newNumbers = {
  kind: 'passing',
  code: 'mysql.changed_meanwhile',
  notice: 'A column of yes and no has just got another value than 0 and 1. Trying again, with the column as numbers.',
} as const

function lastRow(bytes: Uint8Array): (string | null)[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = buffer.lastIndexOf(10, buffer.length - 2) + 1
  return decodeRow(buffer.toString('utf8', start, buffer.length - 1))
}

/** A checkpoint of another cursor column tells nothing of this one. */
function asOurs(since: Checkpoint | null, plan: TablePlan): MysqlCheckpoint | null {
  return since !== null && since['cursor'] === plan.cursor?.name ? (since as unknown as MysqlCheckpoint) : null
}

function asCheckpoint(checkpoint: MysqlCheckpoint): Checkpoint {
  return { ...checkpoint }
}
