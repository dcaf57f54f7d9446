/** Reads one table in one consistent snapshot: whole, from where a killed read stopped, or only its changes. */
import { stampFrom } from '../../sql-source/change-stamp.ts'
import { decodeRow } from '../../../encoding/copy-text.ts'
import { Fault } from '../../../ports/faults.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { MysqlConnection } from '../connection.ts'
import { quote, quoteText } from '../quoting.ts'
import type { KeyedReadRequest } from '../../sql-source/discovered-tables.ts'
import type { KeysRequest, ReadRequest } from '../../../ports/source.ts'
import { allOf, earlyCondition, type EarlyWords, plainNumber } from '../../sql-source/early-conditions.ts'
import { keyConditions } from '../../sql-source/key-conditions.ts'
import { type SafeBound, safeBound } from './safe-bound.ts'
import { type CursorColumn, type MysqlPlannedColumn, selectList, type MysqlTablePlan } from './discover.ts'
import { RowEncoder } from './row-encoder.ts'
import { streamRows } from './row-stream.ts'

/**
 * `from`: every change before this time has been read. `after`: during a whole read, the last key that was read, as JSON; the next run reads
 * the changes made meanwhile, starting at `from`.
 */
export interface MysqlCheckpoint {
  readonly cursor: string
  readonly from: string
  /** Later than `from` if a transaction was open for long: changes before it may have been read. */
  readonly usual?: string
  readonly after?: string
}

export async function* readTable(
  plan: MysqlTablePlan,
  connection: MysqlConnection,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  const since = asOurs(request.since, plan)
  const bound = plan.cursor === null ? null : await safeBound(connection, plan.cursor)
  await openSnapshot(connection)
  const reading =
    plan.cursor === null || bound === null ? everything : cursorReading(plan, { cursor: plan.cursor, bound, since })
  const where = [reading.where, earlyCondition(request.conditions, earlyWords(plan))]
  yield* encodedRows(plan, connection, { ...reading, where: allOf(where) }, request.log)
  if (reading.end !== null) yield checkpointBatch(plan.stream, reading.end)
  await connection.run('COMMIT')
}

/** The checkpoint from which to read everything changed since a time; null where no column shows changes. */
export function checkpointAt({ cursor }: MysqlTablePlan, moment: Date): Checkpoint | null {
  const from = cursor === null ? null : stampFrom(moment, cursor.clock)
  return cursor === null || from === null ? null : { cursor: cursor.name, from }
}

/** The keys of all rows, in the order of the key columns. */
export async function* readKeys(
  plan: MysqlTablePlan,
  connection: MysqlConnection,
  { columns, conditions }: KeysRequest,
): AsyncGenerator<RowBatch> {
  await openSnapshot(connection)
  const selected = [...keyColumns(plan), ...columnsNamed(plan, columns)]
  const where = earlyCondition(conditions, earlyWords(plan))
  yield* encodedRows({ ...plan, columns: selected }, connection, { ...everything, where }, () => {})
  await connection.run('COMMIT')
}

export async function* readByKey(
  plan: MysqlTablePlan,
  connection: MysqlConnection,
  { keys, log }: KeyedReadRequest,
): AsyncGenerator<RowBatch> {
  const columns = keyColumns(plan)
  await openSnapshot(connection)
  const equals = (column: MysqlPlannedColumn, text: string): string =>
    `${comparable(column)} = ${valueOf(column, text)}`
  for (const condition of keyConditions(columns, keys, equals))
    yield* encodedRows(plan, connection, { ...everything, where: condition }, log)
  await connection.run('COMMIT')
}

function keyColumns(plan: MysqlTablePlan): readonly MysqlPlannedColumn[] {
  return columnsNamed(plan, plan.stream.table.key)
}

function columnsNamed({ columns }: MysqlTablePlan, names: readonly string[]): readonly MysqlPlannedColumn[] {
  return names.flatMap((name) => columns.filter((column) => column.name === name))
}

/** Only CHAR and VARCHAR, of which the server compares at least equal texts as equal. */
function earlyWords({ columns }: MysqlTablePlan): EarlyWords<MysqlPlannedColumn> {
  return {
    columns,
    describe: (column) => column,
    // A YEAR would take a number of two digits for a year of this century.
    value: ({ name, type }) => (type.kind === 'integer' && type.bytes === 2 ? `${quote(name)} + 0` : quote(name)),
    number: (_column, text) => plainNumber(text),
    day: (text) => quoteText(text),
    text: ({ type }, text) => (type.kind === 'text' && type.maxLength !== undefined ? quoteText(text) : null),
  }
}

/** A FLOAT equals only its value as a double. */
function comparable({ name, type, select }: MysqlPlannedColumn): string {
  return type.kind === 'double' ? select(quote(name)) : quote(name)
}

/** Canonical text as a value of the column. */
function valueOf({ wire, type }: MysqlPlannedColumn, text: string): string {
  if (wire === 'bytes') return `X${quoteText(text.slice(2))}`
  if (wire === 'boolean' || wire === 'bit') return text === 't' ? '1' : '0'
  if (wire === 'utcStamp') return quoteText(text.replace(/\+00$/u, ''))
  return type.kind === 'double' ? String(Number(text)) : quoteText(text)
}

async function openSnapshot(connection: MysqlConnection): Promise<void> {
  await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
  await connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
}

interface ReadPlan {
  /** Null: all rows. */
  readonly where: string | null
  /** The last clause of the SELECT. */
  readonly order: string
  /** The checkpoint after a row, from its values; null where rows have no order. */
  readonly checkpointAt: ((row: readonly (string | null)[]) => Checkpoint) | null
  /** The checkpoint at the end. */
  readonly end: Checkpoint | null
}

const everything: ReadPlan = { where: null, order: '', checkpointAt: null, end: null }

interface CursorRead {
  readonly cursor: CursorColumn
  readonly bound: SafeBound
  readonly since: MysqlCheckpoint | null
}

function cursorReading(plan: MysqlTablePlan, { cursor, bound, since }: CursorRead): ReadPlan {
  if (since !== null && since.after === undefined) return changesReading(plan, { cursor, bound, since })
  const from = since?.from ?? bound.from
  const end = asCheckpoint({ cursor: cursor.name, from, ...(since === null && { usual: bound.usual }) })
  const key = resumableKey(plan)
  if (key === null) return { ...everything, end }
  const after = since?.after === undefined ? null : (JSON.parse(since.after) as string[])
  return {
    where: after === null ? null : isAfter(plan.stream.table.key, after),
    order: ` ORDER BY ${plan.stream.table.key.map(quote).join(', ')}`,
    checkpointAt: (row) =>
      asCheckpoint({ cursor: cursor.name, from, after: JSON.stringify(key.map((index) => row[index])) }),
    end,
  }
}

/** In the order of the cursor, so that a read that was cut continues after its last change. */
function changesReading(
  plan: MysqlTablePlan,
  { cursor, bound, since }: CursorRead & { readonly since: MysqlCheckpoint },
): ReadPlan {
  const name = quote(cursor.name)
  const index = plan.columns.findIndex((column) => column.name === cursor.name)
  const at = (value: string) => asCheckpoint({ cursor: cursor.name, from: value < bound.from ? value : bound.from })
  return {
    where: `${name} >= ${quoteText(since.from)}`,
    order: ` ORDER BY ${name}`,
    // The rows do not contain a cursor that is left out, so such a read cannot continue where it was cut.
    checkpointAt: index === -1 ? null : (row) => at((row[index] ?? since.from).replace(/\+00$/u, '')),
    end: asCheckpoint({ cursor: cursor.name, ...bound }),
  }
}

/** Indexes of the key columns, where reading in their order costs nothing and their values can be written as literals. */
function resumableKey(plan: MysqlTablePlan): readonly number[] | null {
  if (!plan.isClustered) return null
  const places = plan.stream.table.key.map((name) => plan.columns.findIndex((column) => column.name === name))
  return places.every((place) => comparesAsWritten(plan.columns[place])) ? places : null
}

/** An enum is ordered by its position but compared as text, and a double does not equal its own digits. */
function comparesAsWritten(column: MysqlPlannedColumn | undefined): boolean {
  if (column?.type.kind === 'text') return column.type.maxLength !== undefined
  return column?.wire === 'plain' && column.type.kind !== 'double'
}

/** `a > 1 OR (a = 1 AND b > 2)`: MySQL uses the index for this, but not for a comparison of rows. */
function isAfter(key: readonly string[], values: readonly string[]): string {
  const alternatives = key.map((column, place) => {
    const equal = key.slice(0, place).map((former, index) => `${quote(former)} = ${quoteText(values[index] ?? '')}`)
    return [...equal, `${quote(column)} > ${quoteText(values[place] ?? '')}`].join(' AND ')
  })
  return alternatives.map((each) => `(${each})`).join(' OR ')
}

/** A target commits at checkpoints: more of them cost time, fewer make a killed run read more again. */
const checkpointBytes = 32 * 1_048_576

async function* encodedRows(
  plan: MysqlTablePlan,
  connection: MysqlConnection,
  reading: ReadPlan,
  tell: (line: string) => void,
): AsyncGenerator<RowBatch> {
  const encoder = new RowEncoder(plan.columns.map((column) => column.wire))
  const where = reading.where === null ? '' : ` WHERE ${reading.where}`
  const sql = `SELECT ${selectList(plan)} FROM ${quote(plan.stream.name)}${where}${reading.order}`
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

/** A value was written after the table was scanned. */
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

/** A checkpoint of another cursor column is not valid for this one. */
export function asOurs(since: Checkpoint | null, plan: MysqlTablePlan): MysqlCheckpoint | null {
  return since !== null && since['cursor'] === plan.cursor?.name ? (since as unknown as MysqlCheckpoint) : null
}

function asCheckpoint(checkpoint: MysqlCheckpoint): Checkpoint {
  return { ...checkpoint }
}
