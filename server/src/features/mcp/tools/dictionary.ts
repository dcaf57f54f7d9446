import * as z from 'zod'
import { describeTables } from '../../../access/dictionary/describe-tables.ts'
import { withPersonConnection } from '../../../access/query/person-connection.ts'
import { readTableModels } from '../../../access/query/read-table-models.ts'
import type { TableModel } from '../../../access/query/table-model.ts'
import { originsOf } from '../table-origins.ts'
import { name, text, tool, type ToolCall } from '../tool.ts'

const tablesMax = 200
const detailedMax = 10
const columnsMax = 300

const DictionaryTable = z.object({
  schema: z.string(),
  table: z.string(),
  kind: z.enum(['table', 'view']),
  description: z.string().nullable(),
  connector: z.string().nullable().describe('Null: a planning table or a view.'),
  freshAtUtc: z.string().nullable(),
  key: z.array(z.string()),
  columnCount: z.number(),
  columns: z
    .array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean(), description: z.string().nullable() }))
    .describe('Empty in a list of more than 10 tables: search more narrowly to get them.'),
  relations: z.array(
    z.object({
      columns: z.array(z.string()),
      schema: z.string(),
      table: z.string(),
      referencedColumns: z.array(z.string()),
    }),
  ),
})

export const dictionaryTool = tool({
  name: 'dictionary',
  title: 'Dictionary of tables and columns',
  description:
    'Lists the tables and views that query can read, with what they and their columns mean, types, keys and relations. Search by words of names and descriptions before you write SQL.',
  scope: 'data.read',
  input: z.strictObject({
    search: z.string().max(200).optional().describe('Every word must occur in the table or in its columns.'),
  }),
  output: z.object({
    tables: z.array(DictionaryTable),
    more: z.number().describe('Tables beyond the first 200.'),
  }),
  async run(call, { search = '' }) {
    const { organisationId, actor } = call.auditContext
    const request = { organisationId, actor, signal: call.signal, reader: 'assistant' } as const
    const models = await withPersonConnection(call.services, request, (client) => readTableModels(client))
    const described = await describeTables(call.services, request, models)
    const words = fold(search).split(/\s+/u).filter(Boolean)
    const found = described.filter((table) => words.every((word) => textOf(table).includes(word)))
    const listed = found.slice(0, tablesMax)
    return { tables: await describe(call, listed), more: found.length - listed.length }
  },
})

async function describe(call: ToolCall, tables: readonly TableModel[]): Promise<z.input<typeof DictionaryTable>[]> {
  const origins = await originsOf(call, tables)
  return tables.map((table, at) => ({
    schema: name(table.schema),
    table: name(table.name),
    kind: table.kind,
    description: table.description === null ? null : text(table.description),
    connector: origins[at]?.connector ?? null,
    freshAtUtc: origins[at]?.freshAtUtc ?? null,
    key: table.key.map(name),
    columnCount: table.columns.length,
    columns: tables.length > detailedMax ? [] : table.columns.slice(0, columnsMax).map(describeColumn),
    relations: table.relations.map(({ columns, schema, table: other, referencedColumns }) => ({
      columns: columns.map(name),
      schema: name(schema),
      table: name(other),
      referencedColumns: referencedColumns.map(name),
    })),
  }))
}

function describeColumn(column: TableModel['columns'][number]) {
  const { sqlType, nullable, description } = column
  return {
    name: name(column.name),
    type: sqlType,
    nullable,
    description: description === null ? null : text(description),
  }
}

function textOf({ schema, name: table, description, columns }: TableModel): string {
  return fold(
    [schema, table, description, ...columns.flatMap((column) => [column.name, column.description])].join('\n'),
  )
}

/** Case and accents do not matter. */
function fold(value: string): string {
  return value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
