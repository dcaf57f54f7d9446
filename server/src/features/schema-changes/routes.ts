/** The calls about changes of a source's tables. */
import { schemaChanges } from '@tributary/contract/schema-changes'
import type { AppRoutes } from '../../app-services.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { findChanges, listChanges, lockChanges, writeDecision } from './queries.ts'

export function schemaChangeRoutes(app: AppRoutes): void {
  const { audit } = app.services

  app.bind(schemaChanges.list, ({ store, organisationId, actor, params: { connectorId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      return listChanges(db, organisationId, connectorId)
    }),
  )

  app.bind(schemaChanges.decide, ({ store, organisationId, actor, auditContext, params: { connectorId }, body }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      const ids = [...new Set(body.changes)]
      const found = await lockChanges(db, organisationId, connectorId, ids)
      if (found.length < ids.length) throw new ApiFault('notFound')
      // Until a change is made one may think better of it; columns are only ever added.
      const made = found.find(({ status }) => status === 'APPLIED')
      if (made !== undefined) throw new ApiFault('alreadyDecided', { values: { status: made.status } })
      await writeDecision(db, organisationId, ids, { status: body.decision, decidedBy: actor.userId })
      const object = { type: 'connector', id: connectorId }
      const detail = { decision: body.decision, changes: ids.length }
      await audit.record(db, auditContext, {
        action: 'connector.schema_decided',
        outcome: 'success',
        object,
        detail,
      })
      return findChanges(db, organisationId, connectorId, ids)
    }),
  )
}
