/** The tables of an organisation's warehouse that a person may read, and their rows. */
import * as z from 'zod'
import { AsOf, DataHistory, TableMoments } from './data-history.ts'
import { Flag } from './flag.ts'
import { dataFilterOperators, dataLimits } from './limits.ts'
import { connectorStates } from './overview.ts'
import { parquetType, route, workbookType } from './route.ts'
import { daysOfTimeZone, ofClient } from './route-parts.ts'
import { clientInPath } from './scope.ts'
import { Id } from './id.ts'
import { TableVerification } from './verification-state.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

/** `connector`: the tables that a connector moves. `versions` and `helperTables`: those that people load. `others`: no source owns them. */
export const dataSourceKinds = ['connector', 'versions', 'helperTables', 'others'] as const
export type DataSourceKind = (typeof dataSourceKinds)[number]

/**
 * `Rows`: null where they are not counted, as for views and for large tables of which the caller reads only some rows. `IsEstimate`: by
 * the statistics of the database. `Bytes`: on disk, with indexes; null where the caller reads only some rows. `FreshAtUtc`: the rows are
 * at least as new as the source was then. `Fault`: what was wrong with the table in the latest run. `Verification`: of the stream that the table belongs to.
 */
export const DataTableSummary = z.object({
  Schema: z.string(),
  Name: z.string(),
  Kind: z.enum(['table', 'view']),
  Description: z.string().nullable(),
  Rows: count.nullable(),
  IsEstimate: z.boolean(),
  Bytes: count.nullable(),
  FreshAtUtc: time.nullable(),
  Fault: z.string().nullable(),
  Verification: TableVerification.nullable(),
  /** The namespace of an Iceberg table in its catalog, whose `Schema` names the connector. Null: a table of the warehouse. */
  Lake: z.string().nullable(),
  /** Null if no row versions of the table are kept. */
  History: DataHistory.nullable(),
  Columns: z.array(z.object({ Name: z.string(), Description: z.string().nullable() })),
})
export type DataTableSummary = z.infer<typeof DataTableSummary>

/** `ConnectorId`, `Type` and `State` belong to a connector. */
export const DataSource = z.object({
  Kind: z.enum(dataSourceKinds),
  ConnectorId: z.uuid().nullable(),
  Name: z.string(),
  Type: z.string().nullable(),
  State: z.enum(connectorStates).nullable(),
  Tables: z.array(DataTableSummary),
})
export type DataSource = z.infer<typeof DataSource>

/** How a column is filtered, shown and exported. `other`: a type that is read as text, such as an array. */
export const dataColumnKinds = [
  'text',
  'integer',
  'decimal',
  'double',
  'boolean',
  'date',
  'time',
  'localTimestamp',
  'instant',
  'guid',
  'json',
  'bytes',
  'other',
] as const
export type DataColumnKind = (typeof dataColumnKinds)[number]

/** `IsIndexed`: rows in the order of the column come at once. */
export const DataColumn = z.object({
  Name: z.string(),
  Kind: z.enum(dataColumnKinds),
  Type: z.string(),
  IsNullable: z.boolean(),
  IsKey: z.boolean(),
  IsIndexed: z.boolean(),
  Description: z.string().nullable(),
})
export type DataColumn = z.infer<typeof DataColumn>

/** A relation to another table: rows there whose `OtherColumns` equal the `Columns` of a row here. `IsParent`: there is at most one. */
export const DataLink = z.object({
  Schema: z.string(),
  Table: z.string(),
  Columns: z.array(z.string()),
  OtherColumns: z.array(z.string()),
  IsParent: z.boolean(),
})
export type DataLink = z.infer<typeof DataLink>

/** `CanPage`: rows continue after a page. A view has no key, so only its first rows are shown. */
export const DataTable = DataTableSummary.omit({ Columns: true }).extend({
  Source: DataSource.omit({ Tables: true }),
  Columns: z.array(DataColumn),
  Links: z.array(DataLink),
  CanPage: z.boolean(),
})
export type DataTable = z.infer<typeof DataTable>

/**
 * Exact: a decimal and a 64-bit integer are text with all digits. Dates and times are ISO 8601 in UTC, binary data is base64url. The
 * cells are in the order of the table's columns.
 */
export const DataCell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type DataCell = z.infer<typeof DataCell>

/** `First` and `Last`: the positions of these rows, for `before` and `after`; null if rows have none. `Sql`: the query, to copy; null for Iceberg tables. */
export const DataRows = z.object({
  Rows: z.array(z.array(DataCell)),
  First: z.string().nullable(),
  Last: z.string().nullable(),
  HasMore: z.boolean(),
  Sql: z.string().nullable(),
})
export type DataRows = z.infer<typeof DataRows>

/**
 * `SamplePercent`: the figures are of a random sample of the rows; null: of all. `SampleRows`: or of the first rows of a view. `Rows`:
 * that were looked at. `Least` and `Greatest`: null for kinds without an order.
 */
export const DataProfile = z.object({
  SamplePercent: z.number().nullable(),
  SampleRows: count.nullable(),
  Rows: count,
  Empty: count,
  Distinct: count,
  Least: z.string().nullable(),
  Greatest: z.string().nullable(),
  Frequent: z.array(z.object({ Value: z.string(), Rows: count })),
})
export type DataProfile = z.infer<typeof DataProfile>

/** Why a column has no examples. `secret`: its name says that it holds one. `empty`: none of the rows has a value. */
export const exampleGaps = ['secret', 'binary', 'document', 'empty'] as const
export type ExampleGap = (typeof exampleGaps)[number]

/** Some different values among the first rows that the caller may read, cut to a length that is easy to read. */
export const ColumnExamples = z.object({
  Name: z.string(),
  Examples: z.array(z.string()),
  Gap: z.enum(exampleGaps).nullable(),
})
export type ColumnExamples = z.infer<typeof ColumnExamples>

/** Text that holds JSON, for a query string. */
function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .max(dataLimits.queryMax)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'invalid_format', format: 'json' })
        return z.NEVER
      }
    })
    .pipe(schema)
}

/** All filters of a query must match. `between`: from the first value to the second; an empty one sets no limit. */
export const DataFilter = z.strictObject({
  column: z.string().min(1).max(dataLimits.nameMax),
  operator: z.enum(dataFilterOperators),
  values: z.array(z.string().max(dataLimits.valueMax)).max(dataLimits.valuesMax).optional(),
})
export type DataFilter = z.infer<typeof DataFilter>

const Position = jsonText(z.array(z.string().nullable()).min(1).max(dataLimits.positionMax))

const filtered = {
  asOf: AsOf.optional(),
  filters: jsonText(z.array(DataFilter).max(dataLimits.filtersMax)).optional(),
  ...daysOfTimeZone,
}
/** `sort`: a column; the key follows it. Default: the key. */
const sorted = { ...filtered, sort: z.string().min(1).max(dataLimits.nameMax).optional(), descending: Flag.optional() }

const path = '/tributary/clients/:clientId/data/tables'
const ofTable = {
  scope: clientInPath,
  params: z.object({
    clientId: Id,
    schema: z.string().max(dataLimits.nameMax),
    table: z.string().max(dataLimits.nameMax),
  }),
}
const tablePath = `${path}/:schema/:table`
const asOfFaults = ['noHistory', 'outsideHistory'] as const
const queryFaults = [
  'dataNotReadable',
  'warehouseUnreachable',
  'queryTooLong',
  'queryTooLarge',
  'queryCancelled',
] as const

const exported = {
  forAuditors: 'File of a table',
  allow: 'readData',
  ...ofTable,
  query: z.strictObject(sorted),
  faults: [...queryFaults, ...asOfFaults, 'rowsMoved', 'exportRunning', 'lakeUnreadable', 'tooMany'],
} as const

export const data = {
  tables: route({
    method: 'GET',
    path,
    summary: 'The tables that the caller may read, by source, with their rows, size, freshness and state.',
    forAuditors: 'Tables',
    allow: 'readData',
    ...ofClient,
    faults: queryFaults,
    reply: z.array(DataSource),
  }),
  table: route({
    method: 'GET',
    path: tablePath,
    summary: 'A table with its columns and its relations.',
    forAuditors: 'Table',
    allow: 'readData',
    ...ofTable,
    faults: [...queryFaults, 'lakeUnreadable', 'tooMany'],
    reply: DataTable,
  }),
  moments: route({
    method: 'GET',
    path: `${tablePath}/history`,
    summary: 'The history of a table, and the latest runs whose rows can be read as they were after them.',
    allow: 'readData',
    ...ofTable,
    faults: [...queryFaults, 'noHistory'],
    reply: TableMoments,
  }),
  rows: route({
    method: 'GET',
    path: `${tablePath}/rows`,
    summary:
      'Rows of a table, filtered and sorted, after or before a position; with `asOf` as they were at a moment. A query that takes longer than a minute is stopped.',
    forAuditors: 'Rows of a table',
    allow: 'readData',
    ...ofTable,
    query: z.strictObject({ ...sorted, after: Position.optional(), before: Position.optional() }),
    faults: [...queryFaults, ...asOfFaults, 'rowsMoved', 'lakeUnreadable', 'tooMany'],
    reply: DataRows,
  }),
  csv: route({
    method: 'GET',
    path: `${tablePath}/rows.csv`,
    summary:
      'All rows that the filters match, in the order of the call, as CSV. Text that a spreadsheet would take for a formula is escaped.',
    ...exported,
    produces: 'text/csv',
  }),
  xlsx: route({
    method: 'GET',
    path: `${tablePath}/rows.xlsx`,
    summary: 'The same as an Excel workbook. Rows beyond the 1,048,575 of a sheet continue in further sheets.',
    ...exported,
    produces: workbookType,
  }),
  parquet: route({
    method: 'GET',
    path: `${tablePath}/rows.parquet`,
    summary: 'The same as a Parquet file.',
    ...exported,
    produces: parquetType,
  }),
  profile: route({
    method: 'GET',
    path: `${tablePath}/profile`,
    summary: 'A column in figures: empty and distinct values, the smallest, the largest and the most frequent ones.',
    forAuditors: 'Profile of a column',
    allow: 'readData',
    ...ofTable,
    query: z.strictObject({ ...filtered, column: z.string().min(1).max(dataLimits.nameMax) }),
    faults: [...queryFaults, ...asOfFaults, 'lakeUnreadable', 'tooMany'],
    reply: DataProfile,
  }),
  examples: route({
    method: 'GET',
    path: `${tablePath}/examples`,
    summary:
      'Up to three different values of each column, from the first rows that the caller may read. With a connector, only if it moves the table.',
    forAuditors: 'Table',
    allow: 'readData',
    ...ofTable,
    query: z.strictObject({ connector: Id.optional() }),
    faults: [...queryFaults, 'targetTablesOnly'],
    reply: z.array(ColumnExamples),
  }),
} as const
