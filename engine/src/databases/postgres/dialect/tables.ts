/** Tables of streams in PostgreSQL: their columns, how they are created and changed. */
import type pg from 'pg'
import type { Table } from '../../../ports/model.ts'
import { fitName } from '../../sql-target/names.ts'
import {
  alterActions,
  type AlterSyntax,
  columnNames,
  type TableAddress,
  type TargetTablePlan,
} from '../../sql-target/table-layout.ts'
import { fitType } from '../../sql-target/type-widening.ts'
import { facts } from '../target-facts.ts'
import { columnList, columnType, logicalType, quote } from '../types.ts'
import type { PostgresColumn, PostgresDialect } from './session.ts'

export function qualified({ schema, name }: TableAddress): string {
  return `${quote(schema)}.${quote(name)}`
}

/** PostgreSQL distinguishes capitals. An earlier version did not: where a table has a column by such a name, it stays in use. */
function existingColumnNames(table: Table, existing: readonly PostgresColumn[]): (column: string) => string {
  const nameOf = columnNames(table, facts.identifierMax, { same: (name) => name })
  const formerNameOf = columnNames(table, facts.identifierMax)
  const exists = (name: string): boolean => existing.some((column) => column.name === name)
  return (column) => (!exists(nameOf(column)) && exists(formerNameOf(column)) ? formerNameOf(column) : nameOf(column))
}

/** Name of a table's primary key. */
export function keyName(table: string): string {
  return fitName(`${table}_pkey`, facts.identifierMax)
}

/** Renames a table and its primary key, which is named after it. */
export async function renameTable(client: pg.Client, { schema, name }: TableAddress, newName: string): Promise<void> {
  const renamed = { schema, name: newName }
  await client.query(`ALTER TABLE ${qualified({ schema, name })} RENAME TO ${quote(newName)}`)
  if ((await readColumns(client, renamed)).some(({ isKey }) => isKey))
    await client.query(
      `ALTER TABLE ${qualified(renamed)} RENAME CONSTRAINT ${quote(keyName(name))} TO ${quote(keyName(newName))}`,
    )
}

/** Empty where there is no such table. */
export async function readColumns(client: pg.Client, at: TableAddress): Promise<readonly PostgresColumn[]> {
  const found = await client.query<Omit<PostgresColumn, 'isKey'>>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "notNull",
       (SELECT array_position(i.indkey::int2[], a.attnum) FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary) AS "keyAt"
     FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [qualified(at)],
  )
  return found.rows.map((column) => ({ ...column, isKey: column.keyAt !== null }))
}

export const alterSyntax: AlterSyntax<PostgresColumn> = {
  add: (name, type) => `ADD COLUMN ${quote(name)} ${type}`,
  widen: (from, type) => `ALTER COLUMN ${quote(from.name)} TYPE ${type}${usingOf(from, type)}`,
}

/** PostgreSQL converts booleans to numbers only by an explicit cast. */
function usingOf({ name, type }: PostgresColumn, to: string): string {
  return type === 'boolean' && to !== 'text' ? ` USING ${quote(name)}::integer` : ''
}

/** For columns that have become nullable, and for those that the source no longer fills: they stay, and are null from now on. */
function dropNotNulls({ target: { table }, existing, columns }: TargetTablePlan<PostgresColumn>): readonly string[] {
  const nameOf = existingColumnNames(table, existing)
  const used = new Set(columns.map(({ name }) => name))
  const nullable = new Set(columns.flatMap(({ column }) => (column.nullable ? [nameOf(column.name)] : [])))
  const unused = new Set(
    columns.flatMap(({ column, name }) => (nameOf(column.name) === name ? [] : [nameOf(column.name)])),
  )
  const isFree = ({ name, isKey }: PostgresColumn): boolean =>
    unused.has(name) || (!isKey && (nullable.has(name) || !used.has(name)))
  return existing
    .filter((column) => column.notNull && isFree(column))
    .map(({ name }) => `ALTER COLUMN ${quote(name)} DROP NOT NULL`)
}

export const tableSql = {
  foldName: (name) => name,
  columnNames: existingColumnNames,
  fitColumns: ({ columns }) => columns.map((column) => ({ column, values: column.type })),
  fit(existing, want) {
    const have = existing.type === columnType(want) ? want : logicalType(existing.type)
    if (have === null) return { kind: 'clash' }
    const fit = fitType(have, want)
    if (fit.kind === 'keep') return { kind: 'keep', type: existing.type }
    return fit.kind === 'widen' ? { ...fit, type: columnType(fit.to) } : fit
  },
  hasSameKey(existing, key) {
    const columns = existing.filter(({ isKey }) => isKey).toSorted((a, b) => (a.keyAt ?? 0) - (b.keyAt ?? 0))
    return columns.map(({ name }) => name).join('\t') === key.join('\t')
  },
  async createTable({ client }, target) {
    const columns = target.columns.map((column, at) => {
      const isRequired = column.isKey || target.table.columns[at]?.nullable === false
      return `${quote(column.name)} ${column.type}${isRequired ? ' NOT NULL' : ''}`
    })
    const key =
      target.key.length === 0
        ? []
        : [`CONSTRAINT ${quote(keyName(target.name))} PRIMARY KEY (${columnList(target.key)})`]
    await client.query(`CREATE TABLE ${qualified(target)} (${[...columns, ...key].join(', ')})`)
  },
  async alterTable({ client }, plan) {
    const actions = [...new Set([...alterActions(plan.columns, alterSyntax), ...dropNotNulls(plan)])]
    if (actions.length === 0) return
    await client.query(`SET LOCAL lock_timeout = '5s'`)
    await client.query(`ALTER TABLE ${qualified(plan.target)} ${actions.join(', ')}`)
  },
} satisfies Partial<PostgresDialect>
