import { organisations } from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import type { AppRoutes } from '../../app-services.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import { changeOrganisation, createOrganisation, setArchived } from './change-organisation.ts'
import { changeRunShare, readRunShare } from './run-share.ts'
import { findOrganisations, getOrganisation, listRoles, listStatuses } from './queries.ts'

export function organisationRoutes(app: AppRoutes): void {
  listRoutes(app)
  changeRoutes(app)
}

function listRoutes(app: AppRoutes): void {
  // Across: members of several organisations choose between them here, and provider roles see all.
  app.bind(organisations.list, async ({ store, actor, query, reply }) => {
    const ids = actor.providerRole === null ? Object.keys(actor.memberships) : null
    const found = await store.across((db) => findOrganisations(db, ids, query))
    setTotalCountHeader(reply, found.total)
    return found.organisations
  })
  // Across: roles and statuses belong to no organisation.
  app.bind(organisations.roles, ({ store }) => store.across(listRoles))
  app.bind(organisations.statuses, ({ store }) => store.across(listStatuses))
}

function changeRoutes(app: AppRoutes): void {
  const { audit } = app.services

  app.bind(users.createOrganisation, ({ auditContext, body }) => createOrganisation(app.services, auditContext, body))

  app.bindWithin(users.updateOrganisation, async (db, { organisationId, auditContext, body }) => {
    const changedFields = await changeOrganisation(db, organisationId, body)
    if (changedFields.length > 0)
      await audit.record(db, auditContext, { action: 'organisation.updated', detail: { fields: changedFields } })
    return getOrganisation(db, organisationId)
  })

  app.bindWithin(organisations.runShare, (db, { organisationId }) => readRunShare(db, organisationId))

  app.bindWithin(organisations.changeRunShare, async (db, { organisationId, auditContext, body }) => {
    await changeRunShare(db, organisationId, body)
    await audit.record(db, auditContext, { action: 'organisation.run_share_changed', detail: { ...body } })
    return readRunShare(db, organisationId)
  })

  app.bind(users.archiveOrganisation, ({ organisationId, auditContext, body: { archived } }) =>
    setArchived(app.services, auditContext, { organisationId, archived }),
  )
}
