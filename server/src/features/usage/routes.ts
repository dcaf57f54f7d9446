/** The calls of connectors to their sources. */
import { usage } from '@tributary/contract/usage'
import type { AppRoutes } from '../../app-services.ts'
import { assignmentFilter, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import { readFigures, readTodayEverywhere } from './read-usage.ts'

export function usageRoutes(app: AppRoutes): void {
  const { settings } = app.services

  app.bind(usage.read, async ({ store, organisationId, actor, params: { connectorId }, query: { days } }) => {
    const connector = { organisationId, connectorId }
    const { type, ...figures } = await store.within(organisationId, async (db) => {
      const found = await selectVisibleConnectors(db, organisationId, { assignedTo: assignmentFilter(actor) })
        .select('connector.type')
        .where('connector.id', '=', connectorId)
        .executeTakeFirstOrThrow(notFound)
      return { ...found, ...(await readFigures(db, connector, { ...found, days })) }
    })
    const showsConnectors = actor.providerRole !== null
    // Across: the credentials may be shared with connectors of other organisations.
    const today = await store.across((db) => readTodayEverywhere(db, connectorId, { type, showsConnectors }))
    const { KeepWithinAllowance, ThinOutNearAllowance, RefuseManualNearAllowance } = await settings.read()
    const rules = { wait: KeepWithinAllowance, thinOut: ThinOutNearAllowance, refuseManual: RefuseManualNearAllowance }
    return { ...figures, today, rules }
  })
}
