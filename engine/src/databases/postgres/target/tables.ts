/** Which table and columns of the target hold a stream, and the changes that make them fit it. */
import type pg from 'pg'
import { fitType } from '../../sql-target/type-widening.ts'
import type { LogicalType, Table } from '../../../ports/model.ts'
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
} from '../../sql-target/table-layout.ts'
import { columnType, logicalType, quote } from '../types.ts'
import type { Stream } from '../../../ports/source.ts'
import type { ForeseenChange, SchemaChange, Writer } from '../../../ports/target.ts'
import { facts } from './facts.ts'
import { forgetState, lockNames, unfit, type Records } from './records.ts'
import { forgetFreshness } from './reports.ts'

export interface Placement extends PlacedTable {
  readonly schema: string
}

export function qualified(placement: { readonly schema: string; readonly name: string }): string {
  return `${quote(placement.schema)}.${quote(placement.name)}`
}

export function columnList(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

export function mainOf(placements: readonly Placement[]): Placement {
  const [main] = placements
  if (main === undefined) throw new Error('A stream has at least its main table.')
  return main
}

interface Placing {
  readonly client: pg.Client
  readonly records: Records
  readonly writer: Writer
  readonly stream: Stream
}

/** Creates or changes the tables of a stream, in a transaction of the caller's. The main table comes first. */
export async function placeStream(placing: Placing, changes: SchemaChange[]): Promise<readonly Placement[]> {
  await lockNames(placing.client, placing.records)
  const placements: Placement[] = []
  for (const table of tablesOf(placing.stream)) {
    const planned = await planTable(placing, table)
    await makeTable(placing, planned)
    changes.push(...changesOf(planned))
    placements.push(planned.placement)
  }
  return placements
}

export async function foreseeStream(placing: Placing): Promise<readonly ForeseenChange[]> {
  const changes: ForeseenChange[] = []
  for (const table of tablesOf(placing.stream)) changes.push(...foreseenOf(await planTable(placing, table)))
  return changes
}

function tablesOf({ table, children }: Stream): readonly Table[] {
  return [table, ...children]
}

/** Finds the name that this table was given before, or one that nobody else has. */
async function findName(
  { client, records, writer, stream }: Placing,
  table: Table,
): Promise<{ name: string; isClaimed: boolean }> {
  const own = await client.query<{ name: string }>(
    `SELECT name FROM ${records.tables} WHERE connector = $1 AND stream = $2 AND source_name = $3`,
    [writer.connectorId, stream.name, table.name],
  )
  if (own.rows[0] !== undefined) return { name: own.rows[0].name, isClaimed: true }
  const plain = fitName(table.name, facts.identifierMax)
  const holder = await client.query<{ connector: string }>(`SELECT connector FROM ${records.tables} WHERE name = $1`, [
    plain,
  ])
  const isOurs = holder.rows[0]?.connector === writer.connectorId
  const name = isOurs ? marked(plain, facts.identifierMax, `${stream.name}\t${table.name}`) : plain
  if (holder.rows[0] !== undefined && !isOurs)
    throw unfit(
      `Another connector already fills the table ‘${name}’ in the schema ‘${records.schema}’. Choose another target schema for this connector.`,
    )
  const foreign = await client.query('SELECT FROM pg_class WHERE relnamespace = $1::regnamespace AND relname = $2', [
    quote(records.schema),
    name,
  ])
  if (foreign.rowCount !== 0)
    throw unfit(
      `The schema ‘${records.schema}’ already has a table ‘${name}’ that Tributary did not make. Choose another target schema, or rename that table.`,
    )
  return { name, isClaimed: false }
}

/** PostgreSQL tells capitals from small letters. An earlier version did not, and where a table has a column by such a name, it goes on. */
function namesIn(actual: readonly ActualColumn[], table: Table): (column: string) => string {
  const nameOf = columnNames(table, facts.identifierMax, { same: (name) => name })
  const formerNameOf = columnNames(table, facts.identifierMax)
  const isThere = (name: string): boolean => actual.some((column) => column.name === name)
  return (column) => (!isThere(nameOf(column)) && isThere(formerNameOf(column)) ? formerNameOf(column) : nameOf(column))
}

interface ActualColumn extends FoundColumn {
  readonly notNull: boolean
  readonly keyAt: number | null
}

type Planned = PlannedTable<Placement, ActualColumn>

async function planTable(placing: Placing, table: Table): Promise<Planned> {
  const { name, isClaimed } = await findName(placing, table)
  const at = { schema: placing.records.schema, name }
  const actual = await readColumns(placing.client, at)
  const nameOf = namesIn(actual, table)
  const shell = { table, ...at, key: table.key.map(nameOf), parentKey: (table.parentKey ?? []).map(nameOf) }
  const find = (column: string): ActualColumn | undefined => actual.find((there) => there.name === column)
  const spots = planColumns({ facts, table, name, wanted: table.columns, nameOf, find, meet })
  const columns = spots.map((spot) => ({
    name: spot.name,
    type: spot.type,
    isKey: table.key.includes(spot.column.name),
  }))
  return { placement: { ...shell, columns }, spots, actual, isClaimed }
}

async function makeTable({ client, records, writer, stream }: Placing, planned: Planned): Promise<void> {
  const { placement, spots, actual } = planned
  const of = { connectorId: writer.connectorId, stream: stream.name }
  if (!planned.isClaimed)
    await client.query(`INSERT INTO ${records.tables} (name, connector, stream, source_name) VALUES ($1, $2, $3, $4)`, [
      placement.name,
      of.connectorId,
      of.stream,
      placement.table.name,
    ])
  if (actual.length === 0) {
    await createTable(client, placement)
    await forgetState(client, records, of)
    await forgetFreshness(client, records, placement.name)
    return
  }
  await alterTable(client, placement, [...actionsFor(spots, syntax), ...freed(planned)])
  const keyThere = actual.filter((column) => column.keyAt !== null).sort((a, b) => (a.keyAt ?? 0) - (b.keyAt ?? 0))
  const isSameKey = keyThere.map((column) => column.name).join('\t') === placement.key.join('\t')
  if (!isSameKey || lacksValues(planned)) await forgetState(client, records, of)
}

async function createTable(client: pg.Client, placement: Placement): Promise<void> {
  const columns = placement.columns.map((column, at) => {
    const required = column.isKey || placement.table.columns[at]?.nullable === false
    return `${quote(column.name)} ${column.type}${required ? ' NOT NULL' : ''}`
  })
  const key =
    placement.key.length === 0
      ? []
      : [`CONSTRAINT ${quote(keyName(placement.name))} PRIMARY KEY (${columnList(placement.key)})`]
  await client.query(`CREATE TABLE ${qualified(placement)} (${[...columns, ...key].join(', ')})`)
}

/** The name of a table's primary key. */
export function keyName(table: string): string {
  return fitName(`${table}_pkey`, facts.identifierMax)
}

/** Empty where there is no such table. */
export async function readColumns(
  client: pg.Client,
  at: { readonly schema: string; readonly name: string },
): Promise<readonly ActualColumn[]> {
  const found = await client.query<ActualColumn>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "notNull",
       (SELECT array_position(i.indkey::int2[], a.attnum) FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary) AS "keyAt"
     FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [qualified(at)],
  )
  return found.rows
}

function meet(there: ActualColumn, want: LogicalType): Meeting {
  const have = there.type === columnType(want) ? want : logicalType(there.type)
  if (have === null) return { kind: 'clash' }
  const fit = fitType(have, want)
  if (fit.kind === 'keep') return { kind: 'keep', type: there.type }
  return fit.kind === 'widen' ? { ...fit, type: columnType(fit.to) } : fit
}

const syntax: ChangeSyntax<ActualColumn> = {
  add: (name, type) => `ADD COLUMN ${quote(name)} ${type}`,
  widen: (from, type) => `ALTER COLUMN ${quote(from.name)} TYPE ${type}${usingOf(from, type)}`,
}

/** PostgreSQL makes numbers of yes and no only where it is told to. */
function usingOf({ name, type }: ActualColumn, to: string): string {
  return type === 'boolean' && to !== 'text' ? ` USING ${quote(name)}::integer` : ''
}

/** Columns that may be null now, and those that the source no longer fills: they stay and are null from now on. */
function freed({ placement: { table }, actual, spots }: Planned): readonly string[] {
  const nameOf = namesIn(actual, table)
  const used = new Set(spots.map((spot) => spot.name))
  const nullable = new Set(spots.flatMap(({ column }) => (column.nullable ? [nameOf(column.name)] : [])))
  const left = new Set(
    spots.flatMap((spot) => (nameOf(spot.column.name) === spot.name ? [] : [nameOf(spot.column.name)])),
  )
  const isFree = ({ name, keyAt }: ActualColumn): boolean =>
    left.has(name) || (keyAt === null && (nullable.has(name) || !used.has(name)))
  return actual
    .filter((column) => column.notNull && isFree(column))
    .map((column) => `ALTER COLUMN ${quote(column.name)} DROP NOT NULL`)
}

async function alterTable(client: pg.Client, placement: Placement, wanted: readonly string[]): Promise<void> {
  const actions = [...new Set(wanted)]
  if (actions.length === 0) return
  await client.query(`SET LOCAL lock_timeout = '5s'`)
  await client.query(`ALTER TABLE ${qualified(placement)} ${actions.join(', ')}`)
}
