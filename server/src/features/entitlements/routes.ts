/** Routes for what a user may use of the planning structure, with the reasons. */
import { assignments } from '@tributary/contract/assignments'
import type { AppRoutes } from '../../app-services.ts'
import { computeUse } from '../../planning/entitlement/entitlement.ts'
import { findEntitledPerson, readStructure } from '../../planning/entitlement/queries.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'

export function entitlementRoutes(app: AppRoutes): void {
  app.bind(assignments.useOfUser, async ({ store, organisationId, params: { userId }, query }) => {
    const use = await findEntitlements(store, organisationId, { userId, ...query })
    if (use === undefined) throw new ApiFault('notFound')
    return use
  })

  // The provider's people see every organisation, but may use nothing in those they are not members of.
  app.bind(
    assignments.ownUse,
    async ({ store, organisationId, actor: { userId }, query }) =>
      (await findEntitlements(store, organisationId, { userId, ...query })) ?? noEntitlements,
  )
}

const noEntitlements = { pairs: [], morePairs: false, milestones: [], helperTables: [], entities: [] }

interface EntitlementQuery {
  readonly userId: string
  readonly search?: string | undefined
}

function findEntitlements(store: Store, organisationId: string, { userId, search }: EntitlementQuery) {
  return store.within(organisationId, async (db) => {
    const person = await findEntitledPerson(db, organisationId, userId)
    return person && computeUse(await readStructure(db, organisationId, userId), person, search)
  })
}
