/** Routes for schema changes of a source. */
import { schemaChanges } from '@tributary/contract/schema-changes'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { findChanges, listChanges, lockChanges, writeDecision } from './queries.ts'

export function schemaChangeRoutes(app: AppRoutes): void {
  const { audit } = app.services

  bindVisibleConnector(app, schemaChanges.list, listChanges)

  bindVisibleConnector(app, schemaChanges.decide, async (db, connector, { actor, auditContext, body }) => {
    const ids = [...new Set(body.changes)]
    const found = await lockChanges(db, connector, ids)
    if (found.length < ids.length) throw new ApiFault('notFound')
    // A decision can be reversed until the change is applied. Columns are never dropped.
    const applied = found.find(({ status }) => status === 'APPLIED')
    if (applied !== undefined) throw new ApiFault('alreadyDecided', { values: { status: applied.status } })
    await writeDecision(db, connector.organisationId, ids, { status: body.decision, decidedBy: actor.userId })
    const object = { type: 'connector', id: connector.connectorId }
    const detail = { decision: body.decision, changes: ids.length }
    await audit.record(db, auditContext, { action: 'connector.schema_decided', object, detail })
    return findChanges(db, connector, ids)
  })
}
