/** Which table and columns of the target hold a stream, and the changes that make them fit it. */
import { fitType } from '../../sql-target/type-widening.ts'
import type { Column, LogicalType, Table } from '../../../ports/model.ts'
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
import type { SqlConnection } from '../connection.ts'
import { literal, quote } from '../quoting.ts'
import { type ActualType, columnType, logicalType } from '../types.ts'
import type { ForeseenChange, SchemaChange, Writer } from '../../../ports/target.ts'
import { facts } from './facts.ts'
import { forgetState, type Records, unfit } from './records.ts'
import { forgetFreshness } from './reports.ts'

export interface Placement extends PlacedTable<ValuedColumn> {
  readonly schema: string
}

export function qualified({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${quote(schema)}.${quote(name)}`
}

export function columnList(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

export interface Placing {
  readonly connection: SqlConnection
  readonly records: Records
  readonly writer: Writer
  readonly stream: Stream
}

/** Creates or changes the tables of a stream, in a transaction of the caller's. The main table comes first. */
export async function placeStream(placing: Placing, changes: SchemaChange[]): Promise<readonly Placement[]> {
  const placements: Placement[] = []
  for (const table of [placing.stream.table, ...placing.stream.children]) {
    const planned = await planTable(placing, table)
    await makeTable(placing, planned)
    changes.push(...changesOf(planned))
    placements.push(planned.placement)
  }
  return placements
}

export async function foreseeStream(placing: Placing): Promise<readonly ForeseenChange[]> {
  const changes: ForeseenChange[] = []
  for (const table of [placing.stream.table, ...placing.stream.children])
    changes.push(...foreseenOf(await planTable(placing, table)))
  return changes
}

/** The driver's bulk load cannot escape a closing bracket in a column's name. */
function allowed(name: string): string {
  return name.replaceAll(']', ')')
}

/** Finds the name that this table was given before, or one that nobody else has. */
async function findName(
  { connection, records, writer, stream }: Placing,
  table: Table,
): Promise<{ name: string; isClaimed: boolean }> {
  const who = `connector = ${literal(writer.connectorId)} AND stream = ${literal(stream.name)}`
  const [own] = await connection.rows(
    `SELECT name FROM ${records.tables} WHERE ${who} AND source_name = ${literal(table.name)}`,
  )
  if (own !== undefined) return { name: String(own[0]), isClaimed: true }
  const plain = fitName(table.name, facts.identifierMax)
  const [holder] = await connection.rows(
    `SELECT connector FROM ${records.tables} WITH (UPDLOCK, HOLDLOCK) WHERE LOWER(name) = LOWER(${literal(plain)})`,
  )
  const isOurs = holder?.[0] === writer.connectorId
  if (holder !== undefined && !isOurs)
    throw unfit(
      `Another connector already fills the table ‘${plain}’ in the schema ‘${records.schema}’. Choose another target schema for this connector.`,
    )
  const name = isOurs ? marked(plain, facts.identifierMax, `${stream.name}\t${table.name}`) : plain
  const [foreign] = await connection.rows(`SELECT OBJECT_ID(${literal(qualified({ schema: records.schema, name }))})`)
  if (foreign !== undefined && foreign[0] !== null)
    throw unfit(
      `The schema ‘${records.schema}’ already has a table ‘${name}’ that Tributary did not make. Choose another target schema, or rename that table.`,
    )
  return { name, isClaimed: false }
}

interface ActualColumn extends FoundColumn {
  readonly stored: ActualType
  readonly isKey: boolean
}

type Planned = PlannedTable<Placement, ActualColumn>

async function planTable(placing: Placing, table: Table): Promise<Planned> {
  const { name, isClaimed } = await findName(placing, table)
  const nameOf = columnNames(table, facts.identifierMax, { allowed })
  const shell = {
    table,
    schema: placing.records.schema,
    name,
    key: table.key.map(nameOf),
    parentKey: (table.parentKey ?? []).map(nameOf),
  }
  const wanted = table.columns.map((column) => ({ ...column, type: keyType(column, table) }))
  const actual = await readColumns(placing.connection, shell)
  const find = (column: string): ActualColumn | undefined =>
    actual.find((there) => there.name.toLowerCase() === column.toLowerCase())
  const spots = planColumns({ facts, table, name, wanted, nameOf, find, meet })
  const columns = spots.map((spot) => ({
    name: spot.name,
    type: spot.type,
    values: spot.column.type,
    isKey: table.key.includes(spot.column.name),
  }))
  return { placement: { ...shell, columns }, spots, actual, isClaimed }
}

async function makeTable({ connection, records, writer, stream }: Placing, planned: Planned): Promise<void> {
  const { placement, spots, actual } = planned
  const of = { connectorId: writer.connectorId, stream: stream.name }
  if (!planned.isClaimed)
    await connection.run(
      `INSERT INTO ${records.tables} (name, connector, stream, source_name) VALUES (${[placement.name, of.connectorId, of.stream, placement.table.name].map(literal).join(', ')})`,
    )
  if (actual.length === 0) {
    await connection.run(createTable(qualified(placement), placement))
    await forgetState(connection, records, of)
    await forgetFreshness(connection, records, placement.name)
    return
  }
  const keyThere = actual.filter((column) => column.isKey).map((column) => column.name)
  const isSameKey = keyThere.toSorted().join('\t') === placement.key.toSorted().join('\t')
  const isKeyWidened = spots.some(({ step }) => step.kind === 'widen' && step.from.isKey)
  // A column cannot change while a constraint holds it (5074).
  if (isKeyWidened) await dropPrimaryKey(connection, placement)
  for (const action of actionsFor(spots, syntax)) await connection.run(`ALTER TABLE ${qualified(placement)} ${action}`)
  if (isKeyWidened)
    await connection.run(
      `ALTER TABLE ${qualified(placement)} ADD PRIMARY KEY (${columnList(isSameKey ? placement.key : keyThere)})`,
    )
  if (!isSameKey || lacksValues(planned)) await forgetState(connection, records, of)
}

async function dropPrimaryKey(connection: SqlConnection, placement: Placement): Promise<void> {
  const [constraint] = await connection.rows(
    `SELECT k.name FROM sys.key_constraints k WHERE k.type = 'PK' AND k.parent_object_id = OBJECT_ID(${literal(qualified(placement))})`,
  )
  if (constraint !== undefined)
    await connection.run(`ALTER TABLE ${qualified(placement)} DROP CONSTRAINT ${quote(String(constraint[0]))}`)
}

/** A clustered key holds 900 bytes. */
const keyBytes = 880
/** A character takes up to four. */
const characterBytes = 4

/** Texts and binaries of a key share what a key can hold: a column of (max) can be no part of one. */
function keyType({ name, type }: Column, table: Table): LogicalType {
  if (!isLong(type) || !table.key.includes(name)) return type
  const share = Math.floor(
    keyBytes / table.columns.filter((column) => table.key.includes(column.name) && isLong(column.type)).length,
  )
  const fits = type.kind === 'text' ? Math.floor(share / characterBytes) : share
  return { ...type, maxLength: Math.min(type.maxLength ?? fits, fits) }
}

function isLong(type: LogicalType): type is Extract<LogicalType, { kind: 'text' | 'bytes' }> {
  return type.kind === 'text' || type.kind === 'bytes'
}

/** Columns may be null but for the key: a source that drops a column, or lets it be null, then changes nothing here. */
export function createTable(name: string, { columns, key }: Pick<Placement, 'columns' | 'key'>): string {
  const described = columns.map(
    (column) => `${quote(column.name)} ${column.type}${column.isKey ? ' NOT NULL' : ' NULL'}`,
  )
  const primary = key.length === 0 ? [] : [`PRIMARY KEY (${columnList(key)})`]
  return `CREATE TABLE ${name} (${[...described, ...primary].join(', ')})`
}

/** Empty where there is no such table. */
async function readColumns(
  connection: SqlConnection,
  at: { readonly schema: string; readonly name: string },
): Promise<readonly ActualColumn[]> {
  const rows = await connection.rows(
    `SELECT c.name, y.name, c.max_length, c.precision, c.scale, CASE WHEN ic.column_id IS NULL THEN 0 ELSE 1 END
    FROM sys.columns c JOIN sys.types y ON y.user_type_id = c.user_type_id
    LEFT JOIN sys.indexes i ON i.object_id = c.object_id AND i.is_primary_key = 1
    LEFT JOIN sys.index_columns ic ON ic.object_id = c.object_id AND ic.index_id = i.index_id AND ic.column_id = c.column_id
    WHERE c.object_id = OBJECT_ID(${literal(qualified(at))}) ORDER BY c.column_id`,
  )
  return rows.map(([column, type, maxLength, precision, scale, isKey]) => ({
    name: String(column),
    type: String(type),
    stored: { name: String(type), maxLength: Number(maxLength), precision: Number(precision), scale: Number(scale) },
    isKey: isKey === 1,
  }))
}

function meet(there: ActualColumn, want: LogicalType): Meeting {
  const have = logicalType(there.stored, want)
  if (have === null) return { kind: 'clash' }
  const fit = fitType(have, want)
  if (fit.kind === 'clash') return fit
  return fit.kind === 'widen' ? { ...fit, type: columnType(fit.to) } : { kind: 'keep', type: columnType(have) }
}

const syntax: ChangeSyntax<ActualColumn> = {
  add: (name, type) => `ADD ${quote(name)} ${type} NULL`,
  widen: (from, type) => `ALTER COLUMN ${quote(from.name)} ${type} ${from.isKey ? 'NOT NULL' : 'NULL'}`,
}
