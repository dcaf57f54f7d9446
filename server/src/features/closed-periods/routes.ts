/** Routes for closed periods. They contain figures of the books, so organisations that a connector is shared with cannot read them. */
import { closedPeriods } from '@tributary/contract/closed-periods'
import type * as z from 'zod'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import { requireSqlTarget } from '../../connections/connectors/tables-only.ts'
import { type Actor, roomIn } from '../../kernel/http/actor.ts'
import { ApiFault, badField, notFound } from '../../kernel/http/api-fault.ts'
import { acknowledgeChanges, type CoveredMonths, countChanges, getConnectorType, listChanges } from './queries.ts'
import { readState } from './read-state.ts'
import { saveSettings } from './save-settings.ts'

export function closedPeriodRoutes(app: AppRoutes): void {
  const { audit } = app.services

  bindVisibleConnector(app, closedPeriods.read, readState)

  bindVisibleConnector(app, closedPeriods.save, async (db, connector, { actor, auditContext, body }) => {
    if ((await lockConnector(db, connector)) === undefined) throw notFound()
    const { type } = await getConnectorType(db, connector)
    requireLedger(type, body)
    if (body.isOn) await requireSqlTarget(db, connector, 'closed periods')
    await saveSettings(db, connector, body, actor.userId)
    const object = { type: 'connector', id: connector.connectorId }
    const detail = { isOn: body.isOn, date: body.administratorDate, table: body.table?.stream ?? null }
    await audit.record(db, auditContext, { action: 'connector.closed_periods_set', object, detail })
    return readState(db, connector)
  })

  bindVisibleConnector(app, closedPeriods.changes, (db, connector, { actor, query }) =>
    listChanges(db, connector, { ...query, ...coveredMonths(actor, connector.organisationId) }),
  )

  bindVisibleConnector(app, closedPeriods.acknowledge, async (db, connector, { actor, auditContext, body }) => {
    const ids = [...new Set(body.changes)]
    const { count } = await countChanges(db, connector, ids)
    if (count < ids.length) throw new ApiFault('notFound')
    const acknowledged = await acknowledgeChanges(db, connector, ids, { reason: body.reason, userId: actor.userId })
    if (acknowledged > 0) {
      const object = { type: 'connector', id: connector.connectorId }
      const detail = { changes: acknowledged, reason: body.reason }
      await audit.record(db, auditContext, { action: 'connector.closed_period_acknowledged', object, detail })
    }
    return { acknowledged }
  })
}

/** Of an auditor room. */
function coveredMonths(actor: Actor, organisationId: string): CoveredMonths {
  const room = roomIn(actor, organisationId)
  return { from: room?.periodFrom ?? null, to: room?.periodTo ?? null }
}

/** A source with a ledger needs no table; of another one an administrator names the table. */
function requireLedger(type: string, { isOn, table }: z.output<typeof closedPeriods.save.body>): void {
  const source = findSource(type)
  if (source === undefined) throw badField('isOn', 'can be switched on only for a connector that moves tables')
  const hasLedger = source.closedPeriods !== undefined
  if (hasLedger && table !== null) throw badField('table', 'must be null: the source has a ledger of its own')
  if (!hasLedger && isOn && table === null)
    throw badField('table', 'must name a table with its date column, because the source has no ledger of its own')
}
