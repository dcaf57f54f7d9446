/** Tables of streams in SQL Server: their columns, how they are created and changed. */
import type { Column, LogicalType, Table } from '../../../ports/model.ts'
import {
  alterActions,
  type AlterSyntax,
  columnNames,
  hasSameKeyColumns,
  type TableAddress,
} from '../../sql-target/table-layout.ts'
import { fitType } from '../../sql-target/type-widening.ts'
import type { SqlConnection } from '../connection.ts'
import { columnList, literal, quote, tableDefinition } from '../quoting.ts'
import { facts } from '../target-facts.ts'
import { columnType, logicalType } from '../types.ts'
import type { SqlServerColumn, SqlServerDialect, SqlServerSession } from './session.ts'

export function qualified({ schema, name }: TableAddress): string {
  return `${quote(schema)}.${quote(name)}`
}

async function dropPrimaryKey({ rows, run }: SqlServerSession, table: string): Promise<void> {
  const [constraint] = await rows(
    `SELECT k.name FROM sys.key_constraints k WHERE k.type = 'PK' AND k.parent_object_id = OBJECT_ID(${literal(table)})`,
  )
  if (constraint !== undefined) await run(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(String(constraint[0]))}`)
}

/** A clustered key holds 900 bytes. */
const keyBytes = 880
/** A character takes up to four. */
const characterBytes = 4

/** Texts and binaries of a key share its bytes: a column of (max) cannot be part of a key. */
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

/** Empty where there is no such table. */
export async function readColumns(connection: SqlConnection, at: TableAddress): Promise<readonly SqlServerColumn[]> {
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

const syntax: AlterSyntax<SqlServerColumn> = {
  add: (name, type) => `ADD ${quote(name)} ${type} NULL`,
  widen: (from, type) => `ALTER COLUMN ${quote(from.name)} ${type} ${from.isKey ? 'NOT NULL' : 'NULL'}`,
}

export const tableSql = {
  foldName: (name) => name.toLowerCase(),
  columnNames: (table) =>
    // The driver's bulk load cannot escape a closing bracket in a column's name.
    columnNames(table, facts.identifierMax, { allowed: (name) => name.replaceAll(']', ')') }),
  fitColumns: (table) =>
    table.columns.map((column) => {
      const type = keyType(column, table)
      return { column: { ...column, type }, values: type }
    }),
  fit(existing, want) {
    const have = logicalType(existing.stored, want)
    if (have === null) return { kind: 'clash' }
    const fit = fitType(have, want)
    if (fit.kind === 'clash') return fit
    return fit.kind === 'widen' ? { ...fit, type: columnType(fit.to) } : { kind: 'keep', type: columnType(have) }
  },
  hasSameKey: hasSameKeyColumns,
  async createTable({ run }, target) {
    await run(`CREATE TABLE ${qualified(target)} ${tableDefinition(target)}`)
  },
  async alterTable(session, { target, columns, existing }) {
    const table = qualified(target)
    const isKeyWidened = columns.some(({ change }) => change.kind === 'widen' && change.from.isKey)
    // A column cannot change while a constraint holds it (5074).
    if (isKeyWidened) await dropPrimaryKey(session, table)
    for (const action of alterActions(columns, syntax)) await session.run(`ALTER TABLE ${table} ${action}`)
    if (!isKeyWidened) return
    const formerKey = existing.filter(({ isKey }) => isKey).map(({ name }) => name)
    const key = hasSameKeyColumns(existing, target.key) ? target.key : formerKey
    await session.run(`ALTER TABLE ${table} ADD PRIMARY KEY (${columnList(key)})`)
  },
} satisfies Partial<SqlServerDialect>
