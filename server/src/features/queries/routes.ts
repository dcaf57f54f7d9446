/** Routes for running queries, their history, and saved queries. */
import { queries } from '@tributary/contract/queries'
import { describeTables } from '../../access/dictionary/describe-tables.ts'
import { readTableModels } from '../../access/query/read-table-models.ts'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import type { AppRoutes } from '../../app-services.ts'
import { warehouseId } from './database-ids.ts'
import { listQueryDatabases } from './databases.ts'
import { deleteHistory, getSavedQuery, listHistory, listSavedQueries } from './queries.ts'
import { listQueryTargets } from './query-targets.ts'
import { checkReadingLogin, listTargetTables, removeReadingLogin, saveReadingLogin } from './reading-login.ts'
import { runQuery } from './run-query.ts'
import { changeQuery, removeQuery, saveQuery } from './saved-queries.ts'

export function queryRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(queries.databases, (db, { organisationId, actor }) =>
    listQueryDatabases(db, organisationId, services.secrets, actor),
  )

  app.bind(
    queries.tables,
    async ({ organisationId, actor, auditContext, signal, query: { database = warehouseId } }) => {
      if (database !== warehouseId) {
        const tables = await listTargetTables(services, { auditContext, connectorId: database, signal })
        return tables.map((table) => ({ ...table, columns: [...table.columns] }))
      }
      const request = { organisationId, actor, signal }
      const models = await withPersonConnection(services, request, (client) =>
        readTableModels(client, { histories: true }),
      )
      return (await describeTables(services, request, models)).map(({ schema, name, description, columns }) => ({
        schema,
        name,
        description,
        columns: columns.map((column) => ({ name: column.name, description: column.description })),
      }))
    },
  )

  app.bind(queries.run, ({ auditContext, body, signal }) => runQuery(services, { auditContext, signal, ...body }))

  app.bindWithin(queries.history, (db, { organisationId, actor }) => listHistory(db, organisationId, actor.userId))
  app.bindWithin(queries.clearHistory, (db, { organisationId, actor }) =>
    deleteHistory(db, organisationId, actor.userId),
  )

  savedQueryRoutes(app)
  targetRoutes(app)
}

function savedQueryRoutes(app: AppRoutes): void {
  const { services } = app
  app.bindWithin(queries.list, (db, { organisationId, actor }) => listSavedQueries(db, organisationId, actor))
  app.bindWithin(queries.read, (db, { organisationId, actor, params }) =>
    getSavedQuery(db, organisationId, actor, params.queryId),
  )
  app.bindWithin(queries.save, (db, { auditContext, body }) => saveQuery(db, services, auditContext, body))
  app.bindWithin(queries.change, (db, { auditContext, params, body }) =>
    changeQuery(db, services, auditContext, { queryId: params.queryId, input: body }),
  )
  app.bindWithin(queries.remove, (db, { auditContext, params }) =>
    removeQuery(db, services, auditContext, params.queryId),
  )
}

function targetRoutes(app: AppRoutes): void {
  const { services } = app
  app.bindWithin(queries.targets, (db, { organisationId }) => listQueryTargets(db, organisationId, services.secrets))
  app.bind(queries.saveLogin, ({ auditContext, params, body, signal }) =>
    saveReadingLogin(services, { auditContext, connectorId: params.connectorId, signal }, body),
  )
  app.bind(queries.checkLogin, ({ auditContext, params, signal }) =>
    checkReadingLogin(services, { auditContext, connectorId: params.connectorId, signal }),
  )
  app.bindWithin(queries.removeLogin, (db, { auditContext, params }) =>
    removeReadingLogin(db, services, auditContext, params.connectorId),
  )
}
