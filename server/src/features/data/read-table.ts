/** Reads one table: its columns, its relations, and whose it is. */
import type { DataTable } from '@tributary/contract/data'
import type { Camel } from '@tributary/contract/wire'
import type { PoolClient } from 'pg'
import { readTableModels } from '../../access/query/read-table-models.ts'
import { keyOf, type TableModel, type TableName } from '../../access/query/table-model.ts'
import type { AppServices } from '../../app-services.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import { connectorOfSchema } from './lake/lake-tables.ts'
import { withLakeTable } from './lake/open-lake.ts'
import { type DataRequest, listTables } from './list-sources.ts'
import { canPage } from './table-rows.ts'
import { listIndexedColumns } from './warehouse-facts.ts'

/** Throws `notFound` for a table that does not exist or that the login of `client` may not read. */
export async function requireTable(client: PoolClient, wanted: TableName): Promise<TableModel> {
  const models = await readTableModels(client, { schemas: [wanted.schema] })
  const model = models.find(({ name }) => name === wanted.name)
  if (model === undefined) throw notFound()
  return model
}

/** Throws `notFound` as `requireTable` does. */
export async function readTable(
  services: AppServices,
  request: DataRequest,
  wanted: TableName,
): Promise<Camel<DataTable>> {
  const isLake = connectorOfSchema(wanted.schema) !== null
  let indexed: readonly string[] = []
  const tables = await listTables(services, request, {
    wanted,
    async work(client) {
      if (!isLake) indexed = await listIndexedColumns(client, wanted)
    },
  })
  const found = tables.find(({ model }) => keyOf(model) === keyOf(wanted))
  if (found === undefined) throw notFound()
  const { model, source, summary } = found
  if (isLake) indexed = model.key.slice(0, 1)
  return {
    ...summary,
    ...(isLake && (await measure(services, request, wanted))),
    source,
    columns: model.columns.map(({ name, kind, sqlType, nullable, description }) => ({
      name,
      kind,
      type: sqlType,
      isNullable: nullable,
      isKey: model.key.includes(name),
      isIndexed: indexed.includes(name),
      description,
    })),
    links: listLinks(
      model,
      tables.map((one) => one.model),
    ),
    canPage: isLake ? model.key.length > 0 : canPage(model),
  }
}

/** Throws the faults of `withLakeTable`. */
function measure(services: AppServices, request: DataRequest, wanted: TableName) {
  return withLakeTable(services, request, wanted, async ({ reader: { rows, bytes } }) => ({ rows, bytes }))
}

/** The tables that this one refers to, then those that refer to it. */
function listLinks(table: TableModel, all: readonly TableModel[]): Camel<DataTable>['links'] {
  const isReadable = (name: TableName) => all.some((one) => keyOf(one) === keyOf(name))
  const parents = table.relations.flatMap(({ schema, table: name, columns, referencedColumns }) =>
    isReadable({ schema, name })
      ? [{ schema, table: name, columns, otherColumns: referencedColumns, isParent: true }]
      : [],
  )
  const children = all.flatMap((other) =>
    other.relations
      .filter(({ schema, table: name }) => keyOf({ schema, name }) === keyOf(table))
      .map(({ columns, referencedColumns }) => ({
        schema: other.schema,
        table: other.name,
        columns: referencedColumns,
        otherColumns: columns,
        isParent: false,
      })),
  )
  return [...parents, ...children]
}
