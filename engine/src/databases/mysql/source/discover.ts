/** Discovers the tables of a MySQL database, their keys, and the columns that show changes. */
import { hash } from 'node:crypto'
import { type ColumnSelection, leftOutOf } from '../../sql-source/column-selection.ts'
import { isChangeColumn, whyKeyless, whyView } from '../../sql-source/whole-reads.ts'
import type { MysqlConnection, MysqlRow } from '../connection.ts'
import { unreadableView } from '../faults.ts'
import { quote } from '../quoting.ts'
import { SourceTableNames } from '../../sql-target/names.ts'
import { describedBy, type Reference } from '../../../ports/model.ts'
import type { Stream } from '../../../ports/source.ts'
import { type MysqlColumnFacts, type MysqlMappedColumn, mapColumn } from './column-types.ts'

/** A stream and how to read it. */
export interface MysqlTablePlan {
  readonly stream: Stream
  /** The columns that are read. */
  readonly columns: readonly MysqlPlannedColumn[]
  /** May be a column that is left out: then it is compared on the server only. */
  readonly cursor: CursorColumn | null
  /** The key is the primary key, so reading in its order costs nothing. */
  readonly isClustered: boolean
}

export interface MysqlPlannedColumn extends MysqlMappedColumn {
  readonly name: string
  /** Its text is stored in UTF-8, of which ASCII is a part. */
  readonly isUtf8: boolean
}

/** A column that holds when a row was last written. */
export interface CursorColumn {
  readonly name: string
  /** `server`: MySQL writes it. `program`: recognised by its name, and written by the program that writes the row. */
  readonly keptBy: 'server' | 'program'
  /** `instant` columns are in UTC, `wallClock` columns in the time zone of the program that writes them. */
  readonly clock: 'instant' | 'wallClock'
}

interface KeyFacts {
  readonly columns: readonly string[]
  readonly isPrimary: boolean
}

const noKey: KeyFacts = { columns: [], isPrimary: false }

export async function discoverTables(
  connection: MysqlConnection,
  wanted: readonly string[],
  selection: ColumnSelection,
): Promise<readonly MysqlTablePlan[]> {
  const tables = await connection.rows(tablesSql)
  const columns = Map.groupBy(await connection.rows(columnsSql), (row) => row['t'])
  const indexes = Map.groupBy(await connection.rows(indexesSql), (row) => row['t'])
  const foreignKeys = Map.groupBy(await connection.rows(foreignKeysSql), (row) => row['t'])
  const json = await checkedJsonColumns(connection)
  selection.rememberUnknown(
    tables.map((table) => ({
      names: namesOf(table),
      columns: (columns.get(table['t']) ?? []).map((row) => ({ name: String(row['name']) })),
    })),
  )
  const tableNames = new SourceTableNames()
  const chosen = tables
    .filter(({ t }) => wanted.length === 0 || wanted.includes(String(t)))
    .map((table) => ({ table, name: tableNames.give(String(table['t']), String(table['t'])) }))
  const nameOf = new Map(chosen.map(({ table, name }) => [String(table['t']), name]))
  return chosen.map(({ table, name }) => {
    const parts = {
      columns: columns.get(table['t']) ?? [],
      indexes: indexes.get(table['t']) ?? [],
      json,
      selection,
      name,
      references: referencesOf(foreignKeys.get(table['t']) ?? [], nameOf),
    }
    return planTable(table, parts)
  })
}

/** The names that users may enter. In MySQL a database is a schema. */
function namesOf({ t: table, d: database }: MysqlRow): readonly string[] {
  return [String(table), `${database}.${table}`]
}

/** The comment of a view that cannot be read holds the reason: `View 'shop.due' references invalid table(s) …`. */
const tablesSql = `
  SELECT table_name AS t, table_schema AS d, table_type AS kind, table_rows AS estimate,
    table_type = 'VIEW' AND table_comment <> 'VIEW' AS broken,
    CASE WHEN table_type <> 'VIEW' THEN table_comment END AS remark, engine, table_collation AS collation, create_time AS made FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
  ORDER BY table_name`

const columnsSql = `
  SELECT table_name AS t, column_name AS name, data_type AS dataType, column_type AS columnType,
    character_maximum_length AS maxLength, numeric_precision AS \`precision\`, numeric_scale AS scale,
    COALESCE(datetime_precision, 0) AS digits, is_nullable AS nullable, extra, COALESCE(column_default, '') AS initial,
    ordinal_position AS place, collation_name AS collation, column_comment AS remark
  FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`

/** Unique indexes over whole NOT NULL columns, the primary key first. */
const indexesSql = `
  SELECT s.table_name AS t, s.index_name AS i, GROUP_CONCAT(s.column_name ORDER BY s.seq_in_index SEPARATOR '\\n') AS names
  FROM information_schema.statistics s
  LEFT JOIN information_schema.columns c
    ON c.table_schema = s.table_schema AND c.table_name = s.table_name AND c.column_name = s.column_name
  WHERE s.table_schema = DATABASE() AND s.non_unique = 0
  GROUP BY s.table_name, s.index_name
  HAVING SUM(s.sub_part IS NOT NULL OR s.column_name IS NULL OR c.is_nullable = 'YES') = 0
  ORDER BY s.table_name, s.index_name <> 'PRIMARY', s.index_name`

const foreignKeysSql = `
  SELECT table_name AS t, constraint_name AS name, column_name AS c, referenced_table_name AS toTable, referenced_column_name AS toColumn
  FROM information_schema.key_column_usage
  WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE() AND referenced_table_name IS NOT NULL
  ORDER BY table_name, constraint_name, ordinal_position`

/** Foreign keys to chosen tables. @param nameOf names of the chosen tables in the target */
function referencesOf(rows: readonly MysqlRow[], nameOf: ReadonlyMap<string, string>): readonly Reference[] {
  return [...Map.groupBy(rows, (row) => row['name']).values()].flatMap((parts) => {
    const table = nameOf.get(String(parts[0]?.['toTable']))
    if (table === undefined) return []
    return [{ columns: parts.map((row) => String(row['c'])), table, to: parts.map((row) => String(row['toColumn'])) }]
  })
}

async function checkedJsonColumns(connection: MysqlConnection): Promise<ReadonlySet<string>> {
  if (!connection.isMariadb) return new Set()
  const rows = await connection.rows(`
    SELECT table_name AS t, constraint_name AS name FROM information_schema.check_constraints
    WHERE constraint_schema = DATABASE() AND check_clause LIKE 'json_valid(%'`)
  return new Set(rows.map((row) => `${row['t']}\n${row['name']}`))
}

interface MysqlTableParts {
  readonly columns: readonly MysqlRow[]
  readonly indexes: readonly MysqlRow[]
  readonly json: ReadonlySet<string>
  readonly selection: ColumnSelection
  /** Its name in the target. */
  readonly name: string
  readonly references: readonly Reference[]
}

function planTable(
  table: MysqlRow,
  { columns: rows, indexes, json, selection, name: ownName, references }: MysqlTableParts,
): MysqlTablePlan {
  const name = String(table['t'])
  const key = keyOf(indexes)
  const every = rows.map((row) => {
    const facts = columnFacts(row, {
      isKey: key.columns.includes(String(row['name'])),
      isCheckedJson: json.has(`${name}\n${row['name']}`),
    })
    const isUtf8 = /^(?:utf8|ascii)/u.test(String(row['collation']))
    return { name: facts.name, remark: row['remark'], isUtf8, ...mapColumn(facts) }
  })
  const columns = selection.select({ names: namesOf(table), columns: every, key: key.columns })
  const cursor = key.columns.length === 0 ? null : chooseCursor(rows)
  const estimate = table['estimate']
  return {
    columns,
    cursor,
    isClustered: key.isPrimary,
    stream: {
      name,
      table: {
        name: ownName,
        columns: columns.map(({ name: column, type, nullable, remark }) => ({
          name: column,
          type,
          nullable,
          ...describedBy(remark),
        })),
        key: key.columns,
        ...describedBy(table['remark']),
        references: references.filter((each) => each.columns.every((from) => columns.some((one) => one.name === from))),
      },
      children: [],
      ...(cursor === null
        ? { reads: 'whole', wholeReason: whyWhole(table['kind'] === 'VIEW', key) }
        : { reads: 'since', changedAtColumn: cursor.name }),
      hasDistinctKeys: true,
      excludedColumns: leftOutOf(every, columns),
      definition: definitionOf(table, rows),
      ...(estimate === null || estimate === undefined ? {} : { rowsEstimate: Number(estimate) }),
      ...(table['broken'] === '1' ? { fault: unreadableView() } : {}),
    },
  }
}

/**
 * Swapping or replacing columns writes no row, hence no timestamp. A rebuilt table may hold other rows with old timestamps, but it has a new
 * creation time.
 */
function definitionOf(table: MysqlRow, columns: readonly MysqlRow[]): string {
  const shape = columns.map((column) => [column['name'], column['columnType'], column['place'], column['collation']])
  return hash('sha256', JSON.stringify([table['engine'], table['collation'], table['made'], shape]), 'hex').slice(0, 32)
}

function whyWhole(isView: boolean, { columns }: KeyFacts): string {
  if (isView) return whyView
  if (columns.length === 0) return whyKeyless
  return 'No column tells when a row was changed. One that is TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP would.'
}

function keyOf(indexes: readonly MysqlRow[]): KeyFacts {
  const best = indexes[0]
  return best === undefined ? noKey : { columns: String(best['names']).split('\n'), isPrimary: best['i'] === 'PRIMARY' }
}

function columnFacts(row: MysqlRow, known: Pick<MysqlColumnFacts, 'isKey' | 'isCheckedJson'>): MysqlColumnFacts {
  const number = (name: string) => (row[name] === null ? null : Number(row[name]))
  return {
    name: String(row['name']),
    dataType: String(row['dataType']).toLowerCase(),
    columnType: String(row['columnType']).toLowerCase(),
    maxLength: number('maxLength'),
    precision: number('precision'),
    scale: number('scale'),
    digits: Number(row['digits']),
    isNullable: row['nullable'] === 'YES',
    ...known,
  }
}

function chooseCursor(rows: readonly MysqlRow[]): CursorColumn | null {
  const stamps = rows.filter(
    (row) => row['nullable'] === 'NO' && /^(?:timestamp|datetime)$/u.test(String(row['dataType'])),
  )
  const kept = stamps.find(
    (row) =>
      /on update current_timestamp/iu.test(String(row['extra'])) && /current_timestamp/iu.test(String(row['initial'])),
  )
  const chosen = kept ?? stamps.find((row) => isChangeColumn(String(row['name'])))
  if (chosen === undefined) return null
  return {
    name: String(chosen['name']),
    keptBy: chosen === kept ? 'server' : 'program',
    clock: chosen['dataType'] === 'timestamp' ? 'instant' : 'wallClock',
  }
}

export function selectList(plan: MysqlTablePlan): string {
  return plan.columns.map((column) => column.select(quote(column.name))).join(', ')
}
