/** Which table and columns of the target hold a stream, and the changes that make them fit it. */
import { fitType } from '../../sql-target/type-widening.ts'
import type { Column, LogicalType, Table } from '../../../ports/model.ts'
import type { MysqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import { quote } from '../quoting.ts'
import { columnType, logicalType, varcharMax } from '../types.ts'
import { fitName, marked } from '../../sql-target/names.ts'
import {
  actionsFor,
  type ChangeSyntax,
  changesOf,
  columnNames,
  foreseenOf,
  type FoundColumn,
  lacksValues,
  type Meeting,
  type PlacedTable,
  planColumns,
  type PlannedTable,
  type ValuedColumn,
} from '../../sql-target/table-layout.ts'
import type { Stream } from '../../../ports/source.ts'
import type { ForeseenChange, SchemaChange, Writer } from '../../../ports/target.ts'
import { facts } from './facts.ts'
import { forgetState, holdFence, holdingNames, unfit } from './records.ts'
import { forgetFreshness } from './reports.ts'

export type PlacedColumn = ValuedColumn
export type Placement = PlacedTable<PlacedColumn>

export function columnList(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

export interface Placing {
  readonly connection: MysqlConnection
  readonly writer: Writer
  /** Before every table's name; empty for none. MySQL knows no schemas within a database. */
  readonly prefix: string
  readonly collation: string
  readonly stream: Stream
}

/** Creates or changes the tables of a stream. The main table comes first. */
export async function placeStream(placing: Placing, changes: SchemaChange[]): Promise<readonly Placement[]> {
  const placements: Placement[] = []
  for (const table of [placing.stream.table, ...placing.stream.children]) {
    const planned = await placeTable(placing, table)
    changes.push(...changesOf(planned))
    placements.push(planned.placement)
  }
  return placements
}

/** Of two that wait for each other the database undoes one, which then finds the way free. */
async function placeTable(placing: Placing, table: Table): Promise<Planned> {
  const { connection } = placing
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await holdingNames(connection, async () => {
        const planned = await planTable(placing, table)
        await makeTable(placing, planned)
        return planned
      })
    } catch (error) {
      if (errorNumber(error) !== deadlock || attempt === attemptsMax) throw error
    }
  }
}

const deadlock = 1213
const attemptsMax = 3

export async function foreseeStream(placing: Placing): Promise<readonly ForeseenChange[]> {
  const changes: ForeseenChange[] = []
  for (const table of [placing.stream.table, ...placing.stream.children])
    changes.push(...foreseenOf(await planTable(placing, table)))
  return changes
}

/** MySQL's names end in no blank and hold no character beyond the first plane of Unicode. */
function allowed(name: string): string {
  return name.replace(/[\u{10000}-\u{10ffff}]/gu, '_').trimEnd()
}

/** MySQL takes names of columns for the same that differ only in capitals or accents. */
function sameName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 's')
}

function prefixed(prefix: string, table: string): string {
  return allowed(prefix === '' ? table : `${prefix}_${table}`)
}

/** What a table of this name is called here where nobody else has that name. */
export function wishedName(prefix: string, table: string): string {
  return fitName(prefixed(prefix, table), facts.identifierMax)
}

/** Finds the name that this table was given before, or one that nobody else has. */
async function findName(
  { connection, writer, stream, prefix }: Placing,
  table: Table,
): Promise<{ name: string; isClaimed: boolean }> {
  const [own] = await connection.rows(
    'SELECT name FROM tributary_table WHERE connector = ? AND stream = ? AND source_name = ?',
    [writer.connectorId, stream.name, table.name],
  )
  if (own !== undefined) return { name: String(own['name']), isClaimed: true }
  const plain = wishedName(prefix, table.name)
  const [holder] = await connection.rows('SELECT connector FROM tributary_table WHERE LOWER(name) = LOWER(?)', [plain])
  const isOurs = holder?.['connector'] === writer.connectorId
  if (holder !== undefined && !isOurs)
    throw unfit(
      `Another connector already fills the table ‘${plain}’. Choose another target schema for this connector: it is put before the names of its tables.`,
    )
  const name = isOurs ? marked(plain, facts.identifierMax, `${prefixed(prefix, table.name)}\t${stream.name}`) : plain
  const foreign = await connection.rows(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [name],
  )
  if (foreign.length > 0)
    throw unfit(
      `The database already has a table ‘${name}’ that Tributary did not make. Choose another target schema, or rename that table.`,
    )
  return { name, isClaimed: false }
}

interface ActualColumn extends FoundColumn {
  readonly isKey: boolean
}

type Planned = PlannedTable<Placement, ActualColumn>

async function planTable(placing: Placing, table: Table): Promise<Planned> {
  const { name, isClaimed } = await findName(placing, table)
  const nameOf = columnNames(table, facts.identifierMax, { allowed, same: sameName })
  const actual = await readColumns(placing.connection, name)
  const find = (column: string): ActualColumn | undefined =>
    actual.find((there) => there.name.toLowerCase() === column.toLowerCase())
  const spots = planColumns({ facts, table, name, wanted: fitRow(table), nameOf, find, meet })
  const columns = spots.map((spot, at) => ({
    name: spot.name,
    type: spot.type,
    values: table.columns[at]?.type ?? spot.column.type,
    isKey: table.key.includes(spot.column.name),
  }))
  const placement: Placement = {
    table,
    name,
    columns,
    key: table.key.map(nameOf),
    parentKey: (table.parentKey ?? []).map(nameOf),
  }
  return { placement, spots, actual, isClaimed }
}

async function makeTable(placing: Placing, planned: Planned): Promise<void> {
  const { connection, writer, stream } = placing
  const { placement, spots, actual } = planned
  const { name, table } = placement
  if (!planned.isClaimed)
    await connection.run('INSERT INTO tributary_table (name, connector, stream, source_name) VALUES (?, ?, ?, ?)', [
      name,
      writer.connectorId,
      stream.name,
      table.name,
    ])
  const keyThere = actual.filter((column) => column.isKey).map((column) => column.name)
  const isSameKey = keyThere.toSorted().join('\t') === placement.key.toSorted().join('\t')
  if (actual.length === 0 || !isSameKey || lacksValues(planned))
    await forgetState(connection, { connectorId: writer.connectorId, stream: stream.name })
  if (actual.length === 0) await forgetFreshness(connection, name)
  await holdFence(connection, writer)
  // Before the tables change: a statement that changes them cannot be taken back, and one that is cut off is found by the next run.
  await connection.run('COMMIT')
  const actions = actionsFor(spots, syntax)
  if (actual.length === 0) await connection.run(createTable(name, placement, placing.collation))
  else if (actions.length > 0) await connection.run(`ALTER TABLE ${quote(name)} ${actions.join(', ')}`)
}

/** An index holds 3,072 bytes and a row 65,535, at four bytes a character; text beyond that is stored beside the row. */
const keyBytes = 2_800
const rowCharacters = 10_000
const characterBytes = 4

function fitRow(table: Table): readonly Column[] {
  const isKey = ({ name }: Column): boolean => table.key.includes(name)
  const share = Math.floor(
    keyBytes / Math.max(1, table.columns.filter((column) => isKey(column) && isLong(column.type)).length),
  )
  let left = rowCharacters
  const fit = (column: Column): LogicalType => {
    const { type } = column
    if (isKey(column)) return fitKey(type, share)
    if (type.kind !== 'text') return type
    if (type.maxLength === undefined || type.maxLength > Math.min(left, varcharMax)) return { kind: 'text' }
    left -= type.maxLength
    return type
  }
  return table.columns.map((column) => ({ ...column, type: fit(column) }))
}

/** MySQL indexes such a column only where its length is bounded. */
function isLong({ kind }: LogicalType): boolean {
  return kind === 'text' || kind === 'bytes' || kind === 'json'
}

/** @param share bytes of the index that each long column of the key may take. */
function fitKey(type: LogicalType, share: number): LogicalType {
  const characters = Math.floor(share / characterBytes)
  if (type.kind === 'bytes') return { kind: 'bytes', maxLength: Math.min(type.maxLength ?? share, share) }
  if (type.kind === 'json') return { kind: 'text', maxLength: characters }
  return type.kind === 'text' ? { kind: 'text', maxLength: Math.min(type.maxLength ?? 255, characters) } : type
}

/** Columns may be null but for the key: a source that drops a column, or lets it be null, then changes nothing here. */
export function createTable(name: string, placement: Placement, collation: string): string {
  const columns = placement.columns.map(
    (column) => `${quote(column.name)} ${column.type}${column.isKey ? ' NOT NULL' : ' NULL'}`,
  )
  const key = placement.key.length === 0 ? [] : [`PRIMARY KEY (${columnList(placement.key)})`]
  return `CREATE TABLE ${quote(name)} (${[...columns, ...key].join(', ')}) ${tableOptions(collation)}`
}

/** Text is compared to the byte: two keys that differ in capitals or blanks are two rows. */
export function tableOptions(collation: string): string {
  return `ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`
}

/** Empty where there is no such table. */
export async function readColumns(connection: MysqlConnection, table: string): Promise<readonly ActualColumn[]> {
  const rows = await connection.rows(
    `SELECT column_name AS name, column_type AS type, column_key AS k FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
    [table],
  )
  return rows.map((row) => ({ name: row['name'] ?? '', type: row['type'] ?? '', isKey: row['k'] === 'PRI' }))
}

function meet(there: ActualColumn, want: LogicalType): Meeting {
  const have = logicalType(there.type, want)
  if (have === null) return { kind: 'clash' }
  const fit = fitType(have, want)
  if (fit.kind === 'clash') return fit
  const kept = columnType(have)
  const type = fit.kind === 'widen' ? columnType(fit.to) : kept
  // MySQL has no type as fine as some that are wanted: there is nothing to widen.
  return type === kept ? { kind: 'keep', type } : { ...fit, kind: 'widen', type }
}

const syntax: ChangeSyntax<ActualColumn> = {
  add: (name, type) => `ADD COLUMN ${quote(name)} ${type} NULL`,
  widen: (from, type) => `MODIFY COLUMN ${quote(from.name)} ${type} ${from.isKey ? 'NOT NULL' : 'NULL'}`,
}
