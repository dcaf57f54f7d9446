/** Routes of the provider about the servers that hold warehouses, and about which organisation is on which. */
import { dataServers } from '@tributary/contract/data-servers'
import type { AppRoutes } from '../../app-services.ts'
import { checkServer } from '../../access/warehouse/servers/check-server.ts'
import { findServer, listServers, openServer } from '../../access/warehouse/servers/server-rows.ts'
import { requireFound } from '../../kernel/http/api-fault.ts'
import { describePlacement, toDataServer } from './replies.ts'
import { cancelMove, dropOldCopy, requestMove } from './request-move.ts'
import { createServer, removeServer, saveServer } from './save-server.ts'

export function dataServerRoutes(app: AppRoutes): void {
  const { services } = app

  // Across, here and below: servers belong to no organisation, and only superadmins may see them.
  app.bind(dataServers.list, async ({ store }) =>
    (await store.across(listServers)).map((row) => toDataServer(row, services)),
  )
  app.bind(dataServers.create, async ({ auditContext, body }) =>
    toDataServer(await createServer(services, auditContext, body), services),
  )
  app.bind(dataServers.save, async ({ auditContext, params, body }) =>
    toDataServer(await saveServer(services, auditContext, params.serverId, body), services),
  )
  app.bind(dataServers.remove, ({ auditContext, params }) => removeServer(services, auditContext, params.serverId))
  app.bind(dataServers.check, async ({ store, params }) => {
    const server = await store.across(async (db) =>
      openServer(db, services, requireFound(await findServer(db, params.serverId))),
    )
    return await checkServer(server)
  })

  app.bind(dataServers.placement, ({ store, organisationId }) =>
    store.across((db) => describePlacement(db, services, organisationId)),
  )
  app.bind(dataServers.savePlacement, ({ store, organisationId, auditContext, body: { regionWish } }) =>
    store.across(async (db) => {
      const { regionWish: before } = await describePlacement(db, services, organisationId)
      await db.updateTable('organisation').set({ dataRegion: regionWish }).where('id', '=', organisationId).execute()
      await services.audit.record(db, auditContext, {
        action: 'organisation.data_region_set',
        detail: { before, after: regionWish },
      })
      return await describePlacement(db, services, organisationId)
    }),
  )
  moveRoutes(app)
}

function moveRoutes({ bind, services }: AppRoutes): void {
  // Across: a placement names servers, which belong to no organisation.
  const describe = (organisationId: string) =>
    services.store.across((db) => describePlacement(db, services, organisationId))

  bind(dataServers.move, async ({ organisationId, auditContext, body }) => {
    await requestMove(services, auditContext, body)
    return await describe(organisationId)
  })
  bind(dataServers.cancelMove, async ({ organisationId, auditContext }) => {
    await cancelMove(services, auditContext)
    return await describe(organisationId)
  })
  bind(dataServers.dropOldCopy, async ({ organisationId, auditContext }) => {
    await dropOldCopy(services, auditContext)
    return await describe(organisationId)
  })
}
