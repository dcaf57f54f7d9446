/** Tables of streams in MySQL: their names and columns, how they are created and changed. */
import type { Column, LogicalType, Table } from '../../../ports/model.ts'
import type { WantedColumn } from '../../sql-target/dialect.ts'
import { fitName } from '../../sql-target/names.ts'
import { alterActions, type AlterSyntax, columnNames, hasSameKeyColumns } from '../../sql-target/table-layout.ts'
import { fitType } from '../../sql-target/type-widening.ts'
import type { MysqlConnection } from '../connection.ts'
import { quote, quoteText, tableDefinition } from '../quoting.ts'
import { facts } from '../target-facts.ts'
import { columnType, logicalType, varcharMax } from '../types.ts'
import type { MysqlColumn, MysqlDialect, MysqlSession } from './session.ts'

/** MySQL's names end in no blank and hold no character beyond the first plane of Unicode. */
function allowedName(name: string): string {
  return name.replace(/[\u{10000}-\u{10ffff}]/gu, '_').trimEnd()
}

/** To MySQL, names of columns that differ only in capitals or accents are the same. */
function sameName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 's')
}

export async function relationExists({ rows }: MysqlSession, name: string): Promise<boolean> {
  const found = await rows(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [name],
  )
  return found.length > 0
}

/** An index holds 3,072 bytes and a row 65,535, at four bytes a character; longer text is stored outside the row. */
const keyBytes = 2_800
const rowCharacters = 10_000
const characterBytes = 4

function fitColumns(table: Table): readonly WantedColumn[] {
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
  return table.columns.map((column) => ({ column: { ...column, type: fit(column) }, values: column.type }))
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

/** Empty where there is no such table. */
export async function readColumns(connection: MysqlConnection, table: string): Promise<readonly MysqlColumn[]> {
  const rows = await connection.rows(
    `SELECT column_name AS name, column_type AS type, column_key AS k, column_comment AS remark FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
    [table],
  )
  return rows.map((row) => ({
    name: row['name'] ?? '',
    type: row['type'] ?? '',
    isKey: row['k'] === 'PRI',
    remark: row['remark'] ?? '',
  }))
}

/** What MODIFY COLUMN must repeat, because it drops a comment that it does not name. */
export function remarkClause({ remark }: MysqlColumn): string {
  return remark === '' ? '' : ` COMMENT ${quoteText(remark)}`
}

export const alterSyntax: AlterSyntax<MysqlColumn> = {
  add: (name, type) => `ADD COLUMN ${quote(name)} ${type} NULL`,
  widen: (from, type) =>
    `MODIFY COLUMN ${quote(from.name)} ${type} ${from.isKey ? 'NOT NULL' : 'NULL'}${remarkClause(from)}`,
}

/** @param prefix MySQL has no schemas within a database, so the target schema becomes a prefix. */
export function tableSql(prefix: string) {
  const prefixed = (name: string): string => allowedName(prefix === '' ? name : `${prefix}_${name}`)
  return {
    schema: '',
    qualified: quote,
    tableName: (sourceName) => fitName(prefixed(sourceName), facts.identifierMax),
    nameMark: (stream, sourceName) => `${prefixed(sourceName)}\t${stream}`,
    nameHolderSql: 'SELECT connector FROM tributary_table WHERE LOWER(name) = LOWER(?)',
    nameTakenNotice: (name) =>
      `Another connector already fills the table ‘${name}’. Choose another target schema for this connector: it is put before the names of its tables.`,
    foreignTableNotice: (name) =>
      `The database already has a table ‘${name}’ that Tributary did not make. Choose another target schema, or rename that table.`,
    relationExists,
    foldName: (name) => name.toLowerCase(),
    columnNames: (table) => columnNames(table, facts.identifierMax, { allowed: allowedName, same: sameName }),
    fitColumns,
    readColumns: ({ connection }, name) => readColumns(connection, name),
    fit(existing, want) {
      const have = logicalType(existing.type, want)
      if (have === null) return { kind: 'clash' }
      const fit = fitType(have, want)
      if (fit.kind === 'clash') return fit
      const kept = columnType(have)
      const type = fit.kind === 'widen' ? columnType(fit.to) : kept
      // MySQL has no type as fine as some that are wanted: there is nothing to widen.
      return type === kept ? { kind: 'keep', type } : { ...fit, kind: 'widen', type }
    },
    hasSameKey: hasSameKeyColumns,
    changeTables: (_session, _writer, work) => work(),
    async createTable({ run, tableOptions }, target) {
      await run(`CREATE TABLE ${quote(target.name)} ${tableDefinition(target)} ${await tableOptions()}`)
    },
    async alterTable({ run }, { target, columns }) {
      const actions = alterActions(columns, alterSyntax)
      if (actions.length > 0) await run(`ALTER TABLE ${quote(target.name)} ${actions.join(', ')}`)
    },
    tableExistsSql:
      'EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND BINARY table_name = BINARY name)',
    async isNameTaken({ rows }, name, { connectorId, stream }) {
      const others = await rows(
        `SELECT 1 FROM tributary_table WHERE LOWER(name) = LOWER(?) AND NOT (connector = ? AND stream = ?)
     UNION ALL SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND LOWER(table_name) = LOWER(?)`,
        [name, connectorId, stream, name],
      )
      return others.length > 0
    },
  } satisfies Partial<MysqlDialect>
}
