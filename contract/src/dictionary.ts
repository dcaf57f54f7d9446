/** The dictionary: what the tables and columns that connectors move mean. */
import * as z from 'zod'
import { dictionaryWordsMax } from './limits.ts'
import { route } from './route.ts'
import { ofClient, ofConnector } from './route-parts.ts'

/** `Table` is in the same connector. `IsParent`: the row is a part of the one that it refers to, like a line of its invoice. */
export const DictionaryRelation = z.object({
  Columns: z.array(z.string()),
  Table: z.string(),
  To: z.array(z.string()),
  IsParent: z.boolean(),
})
export type DictionaryRelation = z.infer<typeof DictionaryRelation>

/**
 * `Name` and `Type` are those of the target. `SourceField`: the name, or the path within a document, at the source.
 * `Description`: Tributary’s or the source’s. `AdministratorDescription`: words of an administrator. Null: there are none.
 */
export const DictionaryColumn = z.object({
  Name: z.string(),
  Type: z.string(),
  IsKey: z.boolean(),
  IsNullable: z.boolean(),
  SourceField: z.string(),
  Description: z.string().nullable(),
  AdministratorDescription: z.string().nullable(),
})
export type DictionaryColumn = z.infer<typeof DictionaryColumn>

/** A table without its columns. `Schema` is empty if the target has no schemas. `SourceName` is the stream. */
export const DictionarySummary = z.object({
  ConnectorId: z.uuid(),
  ConnectorName: z.string(),
  Schema: z.string(),
  Name: z.string(),
  SourceName: z.string(),
  Description: z.string().nullable(),
  AdministratorDescription: z.string().nullable(),
  ColumnCount: z.number().int().min(0),
  /** Names of the columns that the search has found. */
  FoundColumns: z.array(z.string()),
  Relations: z.array(DictionaryRelation),
})
export type DictionarySummary = z.infer<typeof DictionarySummary>

export const DictionaryTable = DictionarySummary.omit({ ColumnCount: true, FoundColumns: true }).extend({
  Columns: z.array(DictionaryColumn),
})
export type DictionaryTable = z.infer<typeof DictionaryTable>

const clients = '/tributary/clients/:clientId'
const ofTable = { ...ofConnector, query: z.strictObject({ table: z.string().max(300) }) }

export const dictionary = {
  list: route({
    method: 'GET',
    path: `${clients}/dictionary`,
    summary: 'The tables that the caller may read, with what they mean and how they are related.',
    allow: 'seeDictionary',
    ...ofClient,
    query: z.strictObject({ search: z.string().max(200).optional() }),
    passive: true,
    reply: z.array(DictionarySummary),
  }),
  export: route({
    method: 'GET',
    path: `${clients}/dictionary/export`,
    summary: 'Every table that the caller may read, with all its columns.',
    allow: 'seeDictionary',
    ...ofClient,
    reply: z.array(DictionaryTable),
  }),
  read: route({
    method: 'GET',
    path: `${clients}/connectors/:connectorId/dictionary`,
    summary: 'One table with its columns, by its name in the target.',
    allow: 'seeDictionary',
    ...ofTable,
    passive: true,
    reply: DictionaryTable,
  }),
  describe: route({
    method: 'PUT',
    path: `${clients}/connectors/:connectorId/dictionary`,
    summary:
      'Sets an administrator’s words about a table, or about a column of it; empty words remove them. The next run writes them as a comment into the target.',
    allow: 'editDictionary',
    ...ofTable,
    body: z.strictObject({ column: z.string().max(300).nullable(), words: z.string().trim().max(dictionaryWordsMax) }),
    reply: DictionaryTable,
  }),
} as const
