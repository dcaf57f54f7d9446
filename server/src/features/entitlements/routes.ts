/** What somebody may use of the planning structure, and why. */
import { assignments } from '@tributary/contract/assignments'
import type { AppRoutes } from '../../app-services.ts'
import { computeUse } from '../../planning/entitlement/entitlement.ts'
import { findEntitledPerson, readStructure } from '../../planning/entitlement/queries.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'

export function useRoutes(app: AppRoutes): void {
  app.bind(assignments.useOfUser, async ({ store, organisationId, params: { userId }, query }) => {
    const use = await findUse(store, organisationId, { userId, ...query })
    if (use === undefined) throw new ApiFault('notFound')
    return use
  })

  // The provider's people see every organisation, and in one that they are no members of they may use nothing.
  app.bind(
    assignments.ownUse,
    async ({ store, organisationId, actor: { userId }, query }) =>
      (await findUse(store, organisationId, { userId, ...query })) ?? nothing,
  )
}

const nothing = { pairs: [], morePairs: false, milestones: [], helperTables: [], entities: [] }

interface Asked {
  readonly userId: string
  readonly search?: string | undefined
}

function findUse(store: Store, organisationId: string, { userId, search }: Asked) {
  return store.within(organisationId, async (db) => {
    const person = await findEntitledPerson(db, organisationId, userId)
    return person && computeUse(await readStructure(db, organisationId, userId), person, search)
  })
}
