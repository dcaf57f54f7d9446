/** The dictionary: what the tables mean that a person may read, and the words of administrators about them. */
import { dictionary } from '@tributary/contract/dictionary'
import { describeOrganisation, describeTable, type DictionaryTable } from '../../access/dictionary/dictionary.ts'
import { setWords } from '../../access/dictionary/queries.ts'
import { listReadableTables } from '../../access/query/readable-tables.ts'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { badFields, notFound } from '../../kernel/http/api-fault.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import { searchTables } from './search.ts'

export function dictionaryRoutes(app: AppRoutes): void {
  const { audit } = app.services

  app.bindWithin(dictionary.list, async (db, { organisationId, actor, query }) =>
    searchTables(await listReadable(db, organisationId, actor), query.search ?? ''),
  )

  app.bindWithin(dictionary.export, (db, { organisationId, actor }) => listReadable(db, organisationId, actor))

  bindVisibleConnector(app, dictionary.read, (db, connector, { query }) => requireTable(db, connector, query.table))

  bindVisibleConnector(app, dictionary.describe, async (db, connector, { auditContext, query, body }) => {
    const table = await requireTable(db, connector, query.table)
    const { column, words } = body
    const isKnown = column === null || table.columns.some(({ name }) => name === column)
    if (!isKnown) throw badFields({ column: `is not a column of the table ${table.name}` })
    if (await setWords(db, connector, { table: table.name, column, words })) {
      const object = { type: 'connector', id: connector.connectorId }
      const detail = { table: table.name, ...(column !== null && { column }) }
      await audit.record(db, auditContext, { action: 'dictionary.described', object, detail })
    }
    return requireTable(db, connector, query.table)
  })
}

async function listReadable(db: Db, organisationId: string, actor: Actor): Promise<readonly DictionaryTable[]> {
  const { connectors } = await listReadableTables(db, organisationId, actor)
  return describeOrganisation(db, organisationId, connectors)
}

async function requireTable(db: Db, connector: ConnectorLocation, name: string): Promise<DictionaryTable> {
  const table = await describeTable(db, connector, name)
  if (table === undefined) throw notFound()
  return table
}
