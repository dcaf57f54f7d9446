/** Reads from the catalogue of the warehouse and from the dictionary what reports are generated from. */
import type { Client } from 'pg'
import { describeTables } from '../../access/dictionary/describe-tables.ts'
import { createFeedModel, type EntitySet } from '../../access/feed/feed-model.ts'
import { type PersonConnectionRequest, withPersonConnection } from '../../access/query/person-connection.ts'
import { readTableModels } from '../../access/query/read-table-models.ts'
import type { ColumnModel, TableModel } from '../../access/query/table-model.ts'
import { findQuestion } from '../../access/questions/find-question.ts'
import type { AppServices } from '../../app-services.ts'
import { warehouseSchema } from '../../planning/tables/organisation-database.ts'
import { rightTables, rowRightView } from '../../planning/tables/planned-tables.ts'
import { amountsOf, repeatedBy } from './question-views.ts'
import type { ReportColumn, ReportColumnKind, ReportTable } from './report-model.ts'

/** The tables that the person may read, by schema and name. Those that hold rights come last. */
export async function readReportTables(
  services: AppServices,
  request: PersonConnectionRequest,
): Promise<readonly ReportTable[]> {
  const { models, rights } = await withPersonConnection(services, request, async (client) => ({
    models: await readTableModels(client),
    rights: await readRightTables(client),
  }))
  const tables = (await describeTables(services, request, models)).map(toReportTable)
  return [...tables.filter(({ columns }) => columns.length > 0), ...rights]
}

/** What the OData feed calls the tables that the person may read. */
export function readFeedSets(services: AppServices, request: PersonConnectionRequest): Promise<readonly EntitySet[]> {
  return withPersonConnection(services, request, async (client) => createFeedModel(await readTableModels(client)))
}

function toReportTable(table: TableModel): ReportTable {
  const question = findQuestion(table)
  const columns = table.columns.flatMap((column): readonly ReportColumn[] => {
    const kind = kindOf(column)
    return kind === null ? [] : [{ name: column.name, kind, description: column.description }]
  })
  return {
    schema: table.schema,
    name: table.name,
    purpose: question === undefined ? purposeOf(table) : 'question',
    description: table.description,
    columns,
    omitted: table.columns
      .filter((column) => kindOf(column) === null)
      .map((column) => ({ name: column.name, type: column.sqlType })),
    key: table.key,
    relations: table.relations.map((relation) => ({
      columns: relation.columns,
      toSchema: relation.schema,
      toTable: relation.table,
      toColumns: relation.referencedColumns,
    })),
    amounts: question === undefined ? [] : amountsOf(columns),
    repeatedBy: question === undefined ? null : repeatedBy(columns),
  }
}

/** Plan tables have columns that say who loaded a row; only those of versions have a milestone. */
function purposeOf({ schema, columns }: TableModel): ReportTable['purpose'] {
  const has = (name: string) => columns.some((column) => column.name === name)
  if (schema !== warehouseSchema || !has('SliceId') || !has('LoadId')) return 'table'
  return has('Milestone') && has('Subarea') ? 'version' : 'helperTable'
}

function kindOf({ kind, sqlType }: ColumnModel): ReportColumnKind | null {
  if (kind === 'decimal') return isFixedDecimal(sqlType) ? 'money' : 'number'
  return kinds[kind] ?? null
}

const kinds: Readonly<Partial<Record<ColumnModel['kind'], ReportColumnKind>>> = {
  text: 'text',
  guid: 'text',
  json: 'text',
  integer: 'whole',
  double: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  localTimestamp: 'dateTime',
  instant: 'instant',
}

/** Power BI's fixed decimal has 19 digits, 4 of them after the point. */
function isFixedDecimal(sqlType: string): boolean {
  const [, precision, scale = '0'] = /^numeric\((\d+)(?:,(\d+))?\)$/u.exec(sqlType) ?? []
  return precision !== undefined && Number(scale) <= 4 && Number(precision) - Number(scale) <= 15
}

const rightsOf = [rowRightView, rightTables.helperTables.table.name]

/** The tables of rights, which the list of tables leaves out as Tributary's own. */
async function readRightTables(client: Client): Promise<readonly ReportTable[]> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE n.nspname = $1 AND c.relname = ANY ($2) AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
     ORDER BY c.relname, a.attnum`,
    [warehouseSchema, rightsOf],
  )
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return [...byTable].map(([name, columns]) => ({
    schema: warehouseSchema,
    name,
    purpose: 'rights',
    description: 'Which rows of plans each person may see. Written by Tributary.',
    columns: columns.map(({ column, type }) => ({
      name: column,
      kind: type === 'boolean' ? 'boolean' : 'text',
      description: null,
    })),
    omitted: [],
    key: [],
    relations: [],
    amounts: [],
    repeatedBy: null,
  }))
}
