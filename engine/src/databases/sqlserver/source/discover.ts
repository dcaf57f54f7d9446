/** Discovers tables and views of a SQL Server database, their keys, and how their changes can be found. */
import { type ColumnSelection, leftOutOf } from '../../sql-source/column-selection.ts'
import { isChangeColumn, whyKeyless, whyView } from '../../sql-source/whole-reads.ts'
import { SourceTableNames } from '../../sql-target/names.ts'
import { describedBy, type Reference } from '../../../ports/model.ts'
import type { Stream } from '../../../ports/source.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'
import { literal, quote } from '../quoting.ts'
import { type SqlServerColumnFacts, type SqlServerMappedColumn, mapColumn } from './column-types.ts'

export interface SqlServerTablePlan {
  readonly stream: Stream
  /** The table expression after FROM. */
  readonly from: string
  /** The columns that are read. */
  readonly columns: readonly SqlServerPlannedColumn[]
  readonly key: readonly SqlServerPlannedColumn[]
  readonly method: ChangeMethod
  /** Whether reads can use SNAPSHOT isolation, in which readers and writers do not block each other. */
  readonly hasSnapshots: boolean
}

export interface SqlServerPlannedColumn extends SqlServerMappedColumn {
  readonly name: string
  readonly sqlType: string
}

/** In order of preference. A column that is left out is still compared, but on the server only. */
export type ChangeMethod =
  | { readonly kind: 'tracking' }
  | { readonly kind: 'rowversion'; readonly column: string }
  | { readonly kind: 'cursor'; readonly column: string; readonly sqlType: string }
  | { readonly kind: 'whole' }

/** @param wanted `dbo.Customer` or `Customer`; empty for all */
export async function discoverTables(
  connection: SqlConnection,
  wanted: readonly string[],
  selection: ColumnSelection,
): Promise<readonly SqlServerTablePlan[]> {
  const objects = await connection.rows(objectsSql)
  const columns = Map.groupBy(await connection.rows(columnsSql), (row) => row[0])
  const keys = Map.groupBy(await connection.rows(keysSql), (row) => row[0])
  const comments = Map.groupBy(await connection.rows(commentsSql), (row) => row[0])
  const foreignKeys = Map.groupBy(await connection.rows(foreignKeysSql), (row) => row[0])
  selection.rememberUnknown(
    objects.map((row) => ({ names: namesOf(row), columns: (columns.get(row[0]) ?? []).map(columnFacts) })),
  )
  const tableNames = new SourceTableNames()
  const chosen = objects
    .filter((row) => wanted.length === 0 || namesOf(row).some((name) => wanted.includes(name)))
    .map((row) => ({ row, name: ownName(String(row[1]), String(row[2]), tableNames) }))
  const nameOf = new Map(chosen.map(({ row, name }) => [row[0], name]))
  return chosen.map(({ row, name }) =>
    planTable(row, {
      columns: columns.get(row[0]) ?? [],
      keys: keys.get(row[0]) ?? [],
      comments: new Map(comments.get(row[0])?.map(([, column, text]) => [String(column ?? ''), String(text)])),
      references: referencesOf(foreignKeys.get(row[0]) ?? [], nameOf),
      name,
      selection,
    }),
  )
}

/** Foreign keys to chosen tables. @param nameOf names of the chosen tables in the target, by object id */
function referencesOf(rows: readonly SqlRow[], nameOf: ReadonlyMap<SqlRow[number], string>): readonly Reference[] {
  return [...Map.groupBy(rows, (row) => row[1]).values()].flatMap((parts) => {
    const table = nameOf.get(parts[0]?.[2] ?? null)
    if (table === undefined) return []
    return [{ columns: parts.map((row) => String(row[3])), table, to: parts.map((row) => String(row[4])) }]
  })
}

/** Descriptions of tables (without a column) and columns. */
const commentsSql = `
SELECT p.major_id, n.name, CONVERT(nvarchar(4000), p.value)
FROM sys.extended_properties p LEFT JOIN sys.columns n ON n.object_id = p.major_id AND n.column_id = p.minor_id
WHERE p.class = 1 AND p.name = 'MS_Description' AND (p.minor_id = 0 OR n.name IS NOT NULL)`

const foreignKeysSql = `
SELECT k.parent_object_id, k.constraint_object_id, k.referenced_object_id,
  COL_NAME(k.parent_object_id, k.parent_column_id), COL_NAME(k.referenced_object_id, k.referenced_column_id)
FROM sys.foreign_key_columns k ORDER BY k.parent_object_id, k.constraint_object_id, k.constraint_column_id`

const objectsSql = `
SELECT o.object_id, s.name, o.name, (SELECT SUM(p.rows) FROM sys.partitions p WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)),
  CASE WHEN ct.object_id IS NULL OR HAS_PERMS_BY_NAME(QUOTENAME(s.name) + '.' + QUOTENAME(o.name), 'OBJECT', 'VIEW CHANGE TRACKING') <> 1 THEN 0 ELSE 1 END,
  (SELECT snapshot_isolation_state FROM sys.databases WHERE database_id = DB_ID()), RTRIM(o.type)
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
LEFT JOIN sys.change_tracking_tables ct ON ct.object_id = o.object_id
LEFT JOIN sys.tables t ON t.object_id = o.object_id
WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 AND COALESCE(t.temporal_type, 0) <> 1
  AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + '.' + QUOTENAME(o.name), 'OBJECT', 'SELECT') = 1
ORDER BY s.name, o.name`

/** Without Always Encrypted columns, which would arrive as ciphertext. */
const columnsSql = `
SELECT c.object_id, c.name, COALESCE(b.name, y.name), c.max_length, c.precision, c.scale, c.is_nullable
FROM sys.columns c JOIN sys.objects o ON o.object_id = c.object_id
JOIN sys.types y ON y.user_type_id = c.user_type_id
LEFT JOIN sys.types b ON b.user_type_id = c.system_type_id AND b.system_type_id = b.user_type_id
WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 AND c.encryption_type IS NULL AND c.is_hidden = 0
ORDER BY c.object_id, c.column_id`

/** Unique indexes without a filter, the primary key first. */
const keysSql = `
SELECT i.object_id, i.index_id, c.name, c.is_nullable, i.is_primary_key
FROM sys.indexes i JOIN sys.index_columns ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id AND ic.is_included_column = 0
JOIN sys.columns c ON c.object_id = ic.object_id AND c.column_id = ic.column_id
JOIN sys.objects o ON o.object_id = i.object_id
WHERE i.is_unique = 1 AND i.has_filter = 0 AND i.is_disabled = 0 AND o.is_ms_shipped = 0
ORDER BY i.object_id, i.is_primary_key DESC, i.index_id, ic.key_ordinal`

/** The names that users may enter. */
function namesOf([, schema, name]: SqlRow): readonly string[] {
  return [`${String(schema)}.${String(name)}`, String(name)]
}

interface SqlServerTableParts {
  readonly columns: readonly SqlRow[]
  readonly keys: readonly SqlRow[]
  /** By column; that of the table has an empty name. */
  readonly comments: ReadonlyMap<string, string>
  readonly references: readonly Reference[]
  /** Its name in the target. */
  readonly name: string
  readonly selection: ColumnSelection
}

function planTable(
  row: SqlRow,
  { columns: rowsOfColumns, keys, comments, references, name: ownTableName, selection }: SqlServerTableParts,
): SqlServerTablePlan {
  const [, schema, name, rows, isTracked, snapshots, type] = row
  const every = rowsOfColumns
    .map(columnFacts)
    .map((facts) => ({ name: facts.name, sqlType: facts.type, isNullable: facts.isNullable, ...mapColumn(facts) }))
  const { names, isPrimary } = chooseKey(keys)
  const key = names.flatMap((each) => every.filter((column) => column.name === each))
  const isKeyed = names.length > 0 && key.length === names.length
  const columns = selection.select({ names: namesOf(row), columns: every, key: names })
  const method = isKeyed ? chooseMethod(every, Number(isTracked) === 1 && isPrimary) : ({ kind: 'whole' } as const)
  const whole = {
    reads: 'whole',
    wholeReason: whyWhole({ isView: type === 'V', hasKey: names.length > 0, isKeyed }),
  } as const
  const hasSnapshots = Number(snapshots) === 1
  return {
    stream: {
      name: `${String(schema)}.${String(name)}`,
      table: {
        name: ownTableName,
        columns: columns.map(({ name: column, type: kind, isNullable }) => ({
          name: column,
          type: kind,
          nullable: isNullable,
          ...describedBy(comments.get(column)),
        })),
        key: isKeyed ? names : [],
        ...describedBy(comments.get('')),
        references: references.filter((each) => each.columns.every((from) => columns.some((one) => one.name === from))),
      },
      children: [],
      ...(method.kind === 'whole' ? whole : { reads: 'since' }),
      ...(method.kind === 'cursor' && { changedAtColumn: method.column }),
      hasDistinctKeys: hasSnapshots,
      excludedColumns: leftOutOf(every, columns),
      ...(rows === null ? {} : { rowsEstimate: Number(rows) }),
    },
    from: `${quote(String(schema))}.${quote(String(name))}`,
    columns,
    key,
    method,
    hasSnapshots,
  }
}

function whyWhole({ isView, hasKey, isKeyed }: { isView: boolean; hasKey: boolean; isKeyed: boolean }): string {
  if (isView) return whyView
  if (isKeyed)
    return 'Nothing tells which rows have changed. Change tracking (with the right VIEW CHANGE TRACKING), a rowversion column, or a date column like ModifiedAt that is never empty would.'
  if (hasKey) return 'A column of its key is encrypted, so a changed row cannot be told from a new one.'
  return whyKeyless
}

function columnFacts([, name, type, maxLength, precision, scale, isNullable]: SqlRow): SqlServerColumnFacts {
  return {
    name: String(name),
    type: String(type),
    maxLength: Number(maxLength),
    precision: Number(precision),
    scale: Number(scale),
    isNullable: isNullable === true,
  }
}

/** `Invoice` from the schema dbo, `sales_Invoice` from the schema sales. */
function ownName(schema: string, name: string, tableNames: SourceTableNames): string {
  return tableNames.give(schema === 'dbo' ? name : `${schema}_${name}`, `${schema}.${name}`)
}

function chooseKey(rows: readonly SqlRow[]): { names: readonly string[]; isPrimary: boolean } {
  const indexes = [...Map.groupBy(rows, (row) => row[1]).values()]
  const best = indexes.find((index) => index.every(([, , , isNullable]) => isNullable !== true))
  return { names: best?.map((row) => String(row[2])) ?? [], isPrimary: best?.[0]?.[4] === true }
}

const stampTypes = ['datetime', 'datetime2', 'datetimeoffset']

function chooseMethod(
  columns: readonly (SqlServerPlannedColumn & { readonly isNullable: boolean })[],
  isTracked: boolean,
): ChangeMethod {
  if (isTracked) return { kind: 'tracking' }
  const version = columns.find((column) => column.sqlType === 'timestamp')
  if (version !== undefined) return { kind: 'rowversion', column: version.name }
  const changed = columns.find(
    (column) => !column.isNullable && stampTypes.includes(column.sqlType) && isChangeColumn(column.name),
  )
  return changed === undefined ? { kind: 'whole' } : { kind: 'cursor', column: changed.name, sqlType: changed.sqlType }
}

/** Name of the object, for OBJECT_ID. */
export function objectName(plan: SqlServerTablePlan): string {
  return literal(plan.from)
}
