import { organisations } from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import type { App } from '../../platform/bind.ts'
import { insertOrganisation } from '../../platform/organisations.ts'
import { archiveOrganisation, changeOrganisation, requireTimeZone, restoreOrganisation } from './change.ts'
import { getOrganisation, listOrganisations, listOwnOrganisations, listRoles, listStatuses } from './queries.ts'

export function organisationRoutes(app: App): void {
  readingRoutes(app)
  writingRoutes(app)
}

function readingRoutes(app: App): void {
  // Across: who is in several organisations chooses between them here, and the provider roles see all.
  app.bind(organisations.list, ({ store, actor }) =>
    store.across((db) => (actor.providerRole === null ? listOwnOrganisations(db, actor.userId) : listOrganisations(db))),
  )
  // Across: roles and statuses belong to no organisation.
  app.bind(organisations.roles, ({ store }) => store.across(listRoles))
  app.bind(organisations.statuses, ({ store }) => store.across(listStatuses))
}

function writingRoutes(app: App): void {
  const { audit } = app.parts

  app.bind(users.createOrganisation, ({ store, origin, body: { companyName, timeZone } }) => {
    if (timeZone !== undefined) requireTimeZone(timeZone)
    // Across: the organisation is not there yet.
    return store.across(async (db) => {
      const organisationId = await insertOrganisation(db, { companyName, ...(timeZone !== undefined && { timeZone }) })
      await audit.record(db, origin, { organisationId, action: 'organisation.created', outcome: 'success' })
      return getOrganisation(db, organisationId)
    })
  })

  app.bind(users.updateOrganisation, ({ store, organisationId, origin, body }) =>
    store.within(organisationId, async (db) => {
      const fields = await changeOrganisation(db, organisationId, body)
      if (fields.length > 0)
        await audit.record(db, origin, { organisationId, action: 'organisation.updated', outcome: 'success', detail: { fields } })
      return getOrganisation(db, organisationId)
    }),
  )

  app.bind(users.archiveOrganisation, ({ store, organisationId, origin, body: { archived } }) =>
    store.within(organisationId, async (db) => {
      const former = await getOrganisation(db, organisationId)
      if (former.archived === archived) return former
      await (archived ? archiveOrganisation : restoreOrganisation)(db, organisationId)
      const action = archived ? 'organisation.archived' : 'organisation.restored'
      await audit.record(db, origin, { organisationId, action, outcome: 'success' })
      return getOrganisation(db, organisationId)
    }),
  )
}
