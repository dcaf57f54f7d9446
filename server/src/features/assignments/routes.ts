/** Routes for links: areas to subareas, and users to groups, helper tables and entities. */
import { assignments, type LinkReplacement } from '@tributary/contract/assignments'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { AppRoutes } from '../../app-services.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'
import {
  addAllFlag,
  addLink,
  type SingleLink,
  removeAllLinks,
  removeAllFlag,
  removeLink,
  replaceLinks,
  type ViewedRecord,
} from './links.ts'
import { listAssignees } from './queries.ts'
import {
  areasOfSubarea,
  entitiesOfUser,
  groupsOfUser,
  helperTablesOfUser,
  subareasOfArea,
  usersOfEntity,
  usersOfHelperTable,
} from './link-views.ts'

export function assignmentRoutes(app: AppRoutes): void {
  const calls = createLinkHandlers(app)
  areaRoutes(app)
  userRoutes(app, calls)
  replacementRoutes(app, calls)
  app.bindWithin(assignments.assignees, (db, { organisationId }) => listAssignees(db, organisationId))
}

/** The part of a bound call that changing links needs. */
interface LinkCall {
  readonly store: Store
  readonly organisationId: string
  readonly auditContext: OrganisationContext
}
type LinkHandlers = ReturnType<typeof createLinkHandlers>

/** The handlers that all kinds of links share. Each runs in one transaction. */
function createLinkHandlers({ services }: AppRoutes) {
  return {
    add: async (
      { store, organisationId, auditContext }: LinkCall,
      link: SingleLink,
    ): Promise<Record<string, never>> => {
      await store.within(organisationId, (db) => addLink(db, services, auditContext, link))
      return {}
    },
    /** Removes the named link, or all of them. */
    remove: (
      { store, organisationId, auditContext }: LinkCall,
      { otherId, ...record }: ViewedRecord & { readonly otherId: string | undefined },
    ): Promise<void> =>
      store.within(organisationId, (db) =>
        otherId === undefined
          ? removeAllLinks(db, services, auditContext, record)
          : removeLink(db, services, auditContext, { ...record, otherId }),
      ),
    replace: ({ store, organisationId, auditContext }: LinkCall, record: ViewedRecord, replacement: LinkReplacement) =>
      store.within(organisationId, (db) => replaceLinks(db, services, auditContext, { ...record, replacement })),
  }
}

function areaRoutes(app: AppRoutes): void {
  const { services } = app
  const view = subareasOfArea
  app.bind(assignments.linkArea, async ({ store, organisationId, auditContext, body }) => {
    const { areaId: id, subareaId, allCurrentAndFuture = false } = body
    await store.within(organisationId, (db) =>
      allCurrentAndFuture
        ? addAllFlag(db, services, auditContext, { view, id })
        : addLink(db, services, auditContext, { view, id, otherId: requireSubarea(subareaId) }),
    )
    return {}
  })
  app.bind(assignments.unlinkArea, async ({ store, organisationId, auditContext, body }) => {
    const { areaId: id, subareaId, allCurrentAndFuture = false } = body
    await store.within(organisationId, (db) =>
      allCurrentAndFuture
        ? removeAllFlag(db, services, auditContext, { view, id })
        : removeLink(db, services, auditContext, { view, id, otherId: requireSubarea(subareaId) }),
    )
    return {}
  })
  app.bind(assignments.unlinkWholeArea, async ({ store, organisationId, auditContext, body }) => {
    await store.within(organisationId, (db) => removeAllLinks(db, services, auditContext, { view, id: body.areaId }))
    return {}
  })
}

function requireSubarea(subareaId: string | undefined): string {
  if (subareaId === undefined) throw badField('subareaId', 'is missing; send one, or send allCurrentAndFuture as true')
  return subareaId
}

function userRoutes(app: AppRoutes, { add, remove }: LinkHandlers): void {
  app.bind(assignments.linkGroup, (call) =>
    add(call, { view: groupsOfUser, id: call.params.userId, otherId: call.body.groupId }),
  )
  app.bind(assignments.unlinkGroup, (call) =>
    remove(call, { view: groupsOfUser, id: call.params.userId, otherId: call.body?.groupId }),
  )
  app.bind(assignments.linkHelperTable, (call) =>
    add(call, { view: helperTablesOfUser, id: call.params.userId, otherId: call.body.helperTableId }),
  )
  app.bind(assignments.unlinkHelperTable, (call) =>
    remove(call, { view: helperTablesOfUser, id: call.params.userId, otherId: call.body?.helperTableId }),
  )
  app.bind(assignments.linkEntity, (call) =>
    add(call, { view: entitiesOfUser, id: call.params.userId, otherId: call.body.entityId }),
  )
  app.bind(assignments.unlinkEntity, (call) =>
    remove(call, { view: entitiesOfUser, id: call.params.userId, otherId: call.body?.entityId }),
  )
}

function replacementRoutes(app: AppRoutes, { replace }: LinkHandlers): void {
  app.bind(assignments.setSubareasOfArea, (call) =>
    replace(call, { view: subareasOfArea, id: call.params.areaId }, call.body),
  )
  app.bind(assignments.setAreasOfSubarea, (call) =>
    replace(call, { view: areasOfSubarea, id: call.params.subareaId }, call.body),
  )
  app.bind(assignments.setGroupsOfUser, (call) =>
    replace(call, { view: groupsOfUser, id: call.params.userId }, call.body),
  )
  app.bind(assignments.setHelperTablesOfUser, (call) =>
    replace(call, { view: helperTablesOfUser, id: call.params.userId }, call.body),
  )
  app.bind(assignments.setEntitiesOfUser, (call) =>
    replace(call, { view: entitiesOfUser, id: call.params.userId }, call.body),
  )
  app.bind(assignments.setUsersOfHelperTable, (call) =>
    replace(call, { view: usersOfHelperTable, id: call.params.helperTableId }, call.body),
  )
  app.bind(assignments.setUsersOfEntity, (call) =>
    replace(call, { view: usersOfEntity, id: call.params.entityId }, call.body),
  )
}
