/** Queries of the dictionary. */
import { sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { StoredTable } from './stored-structure.ts'

/** Ids of connectors, or all of the organisation. */
export type ConnectorChoice = 'all' | readonly string[]

export interface StreamStructure {
  readonly connectorId: string
  readonly connectorName: string
  readonly sourceName: string
  readonly structure: readonly StoredTable[]
}

/** The streams of connectors that are not deleted. */
export function listStructures(
  db: Db,
  organisationId: string,
  connectors: ConnectorChoice,
): Promise<StreamStructure[]> {
  return db
    .selectFrom('connectorStream')
    .innerJoin('connector', 'connector.id', 'connectorStream.connectorId')
    .select(['connector.id as connectorId', 'connector.name as connectorName', 'connectorStream.name as sourceName'])
    .select(({ ref }) => ref('connectorStream.structure').$castTo<readonly StoredTable[]>().as('structure'))
    .where('connectorStream.organisationId', '=', organisationId)
    .where('connector.status', '<>', 'DELETED')
    .$if(connectors !== 'all', (query) =>
      query.where('connector.id', '=', sql<string>`ANY (${connectors === 'all' ? [] : [...connectors]})`),
    )
    .orderBy('connector.name')
    .orderBy('connector.id')
    .orderBy('connectorStream.name')
    .execute()
}

/** Names of versions and helper tables, as people have given them, by id. */
export async function listPlannedNames(db: Db, organisationId: string): Promise<ReadonlyMap<string, string>> {
  const versions = await db
    .selectFrom('version')
    .select(['id', 'name'])
    .where('organisationId', '=', organisationId)
    .execute()
  const helperTables = await db
    .selectFrom('helperTable')
    .select(['id', 'name'])
    .where('organisationId', '=', organisationId)
    .execute()
  return new Map([...versions, ...helperTables].map(({ id, name }) => [id, name]))
}

export interface StoredWords {
  readonly connectorId: string
  readonly tableName: string
  /** Empty: about the table. */
  readonly columnName: string
  readonly words: string
}

export function listWords(db: Db, organisationId: string, connectors: ConnectorChoice): Promise<StoredWords[]> {
  return db
    .selectFrom('dictionaryWords')
    .select(['connectorId', 'tableName', 'columnName', 'words'])
    .where('organisationId', '=', organisationId)
    .$if(connectors !== 'all', (query) =>
      query.where('connectorId', '=', sql<string>`ANY (${connectors === 'all' ? [] : [...connectors]})`),
    )
    .execute()
}

interface NewWords {
  readonly table: string
  readonly column: string | null
  readonly words: string
}

/** Empty words remove the row. Returns whether anything has changed. */
export async function setWords(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  { table, column, words }: NewWords,
): Promise<boolean> {
  const columnName = column ?? ''
  if (words === '') {
    const deleted = await db
      .deleteFrom('dictionaryWords')
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .where('tableName', '=', table)
      .where('columnName', '=', columnName)
      .executeTakeFirst()
    return deleted.numDeletedRows > 0n
  }
  const written = await db
    .insertInto('dictionaryWords')
    .values({ organisationId, connectorId, tableName: table, columnName, words })
    .onConflict((conflict) =>
      conflict
        .columns(['connectorId', 'tableName', 'columnName'])
        .doUpdateSet({ words, changedAt: sql`now()` })
        .where('dictionaryWords.words', '<>', words),
    )
    .executeTakeFirst()
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n
}
