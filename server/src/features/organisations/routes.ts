import { organisations } from '@tributary/contract/organisations'
import { tellTotal, type App } from '../../platform/bind.ts'
import { listOrganisations, listOwnOrganisations, listRoles, listStatuses, listUsers } from './queries.ts'

export function organisationRoutes(app: App): void {
  // Across: who is in several organisations chooses between them here, and the provider roles see all.
  app.bind(organisations.list, ({ store, actor }) =>
    store.across((db) => (actor.providerRole === null ? listOwnOrganisations(db, actor.userId) : listOrganisations(db))),
  )
  app.bind(organisations.users, async ({ store, organisationId, query, reply }) => {
    const { users, total } = await store.within(organisationId, (db) => listUsers(db, organisationId, query))
    if (total !== null) tellTotal(reply, total)
    return users
  })
  // Across: roles and statuses belong to no organisation.
  app.bind(organisations.roles, ({ store }) => store.across(listRoles))
  app.bind(organisations.statuses, ({ store }) => store.across(listStatuses))
}
