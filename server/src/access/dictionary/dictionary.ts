/**
 * The dictionary of an organisation: the tables that its connectors move, as the latest run has seen them, with the
 * descriptions of their sources and the words of administrators. Callers decide which connectors a person may read.
 */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type ConnectorChoice, listStructures, listWords, type StoredWords, type StreamStructure } from './queries.ts'
import type { StoredTable } from './stored-structure.ts'

interface DictionaryRelation {
  readonly columns: readonly string[]
  /** A table of the same connector. */
  readonly table: string
  readonly to: readonly string[]
  readonly isParent: boolean
}

export interface DictionaryColumn {
  readonly name: string
  readonly type: string
  readonly isKey: boolean
  readonly isNullable: boolean
  readonly sourceField: string
  readonly description: string | null
  readonly administratorDescription: string | null
}

export interface DictionaryTable {
  readonly connectorId: string
  readonly connectorName: string
  /** Empty where the target has no schemas. */
  readonly schema: string
  readonly name: string
  /** The stream. */
  readonly sourceName: string
  readonly description: string | null
  readonly administratorDescription: string | null
  readonly columns: readonly DictionaryColumn[]
  readonly relations: readonly DictionaryRelation[]
}

/** Every table of these connectors, by connector and stream. */
export async function describeOrganisation(
  db: Db,
  organisationId: string,
  connectors: ConnectorChoice,
): Promise<readonly DictionaryTable[]> {
  const streams = await listStructures(db, organisationId, connectors)
  const words = wordsByName(await listWords(db, organisationId, connectors))
  const byConnector = Map.groupBy(streams, ({ connectorId }) => connectorId)
  return [...byConnector.values()].flatMap((own) => {
    const tables = new Map(own.flatMap(({ structure }) => structure.map((table) => [table.sourceName, table] as const)))
    return own.flatMap((stream) => stream.structure.map((table) => describe(stream, table, { tables, words })))
  })
}

/** One table by its name in the target; undefined if no run has seen it. */
export async function describeTable(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  table: string,
): Promise<DictionaryTable | undefined> {
  return (await describeOrganisation(db, organisationId, [connectorId])).find(({ name }) => name === table)
}

/** Words about a column, or about the table if the column is null; empty if there are none. */
export type WordsOf = (table: string, column: string | null) => string

/** What administrators say about the tables of a connector, for comments in its target. */
export async function readWords(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<WordsOf> {
  const words = wordsByName(await listWords(db, organisationId, [connectorId]))
  return (table, column) => words.get(keyOf(connectorId, table, column ?? '')) ?? ''
}

function wordsByName(words: readonly StoredWords[]): ReadonlyMap<string, string> {
  return new Map(words.map((each) => [keyOf(each.connectorId, each.tableName, each.columnName), each.words]))
}

function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names)
}

interface Surroundings {
  /** Of the connector, by their names in the source. */
  readonly tables: ReadonlyMap<string, StoredTable>
  readonly words: ReadonlyMap<string, string>
}

function describe(
  { connectorId, connectorName, sourceName }: StreamStructure,
  table: StoredTable,
  { tables, words }: Surroundings,
): DictionaryTable {
  const { schema, name, description } = table
  const wordsOf = (column: string): string | null => words.get(keyOf(connectorId, name, column)) ?? null
  return {
    connectorId,
    connectorName,
    schema,
    name,
    sourceName,
    description,
    administratorDescription: wordsOf(''),
    columns: table.columns.map((column) => ({
      name: column.name,
      type: column.type,
      isKey: column.isKey,
      isNullable: column.isNullable,
      sourceField: column.sourceField,
      description: column.description,
      administratorDescription: wordsOf(column.name),
    })),
    relations: relationsOf(table, tables),
  }
}

/** References to tables that are moved, by the names in the target. */
function relationsOf(table: StoredTable, tables: Surroundings['tables']): readonly DictionaryRelation[] {
  return table.references.flatMap(({ columns, table: target, to, isParent }) => {
    const other = tables.get(target)
    if (other === undefined) return []
    const from = columns.map((column) => nameIn(table, column))
    const there = to.map((column) => nameIn(other, column))
    return [...from, ...there].includes(undefined)
      ? []
      : [
          {
            columns: from.flatMap((each) => each ?? []),
            table: other.name,
            to: there.flatMap((each) => each ?? []),
            isParent,
          },
        ]
  })
}

function nameIn({ columns }: StoredTable, sourceName: string): string | undefined {
  return columns.find((column) => column.sourceName === sourceName)?.name
}
