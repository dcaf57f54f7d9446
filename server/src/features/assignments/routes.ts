/** The calls about who and what belong together. */
import { assignments, type LinkReplacement } from '@tributary/contract/assignments'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AppRoutes } from '../../app-services.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'
import {
  addAll,
  addLink,
  type OneLink,
  removeAll,
  removeFlag,
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
  const calls = callsOf(app)
  areaRoutes(app)
  userRoutes(app, calls)
  wholeRoutes(app, calls)
  app.bind(assignments.assignees, ({ store, organisationId }) =>
    store.within(organisationId, (db) => listAssignees(db, organisationId)),
  )
}

/** The members of a call that a change of links uses. */
interface LinkCall {
  readonly store: Store
  readonly organisationId: string
  readonly auditContext: AuditContext<string>
}
type Calls = ReturnType<typeof callsOf>

/** What the calls of every kind do, each in one transaction. */
function callsOf({ services }: AppRoutes) {
  return {
    add: async ({ store, organisationId, auditContext }: LinkCall, link: OneLink): Promise<Record<string, never>> => {
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
          ? removeAll(db, services, auditContext, record)
          : removeLink(db, services, auditContext, { ...record, otherId }),
      ),
    replace: ({ store, organisationId, auditContext }: LinkCall, record: ViewedRecord, whole: LinkReplacement) =>
      store.within(organisationId, (db) => replaceLinks(db, services, auditContext, { ...record, whole })),
  }
}

function areaRoutes(app: AppRoutes): void {
  const { services } = app
  const view = subareasOfArea
  app.bind(assignments.linkArea, async ({ store, organisationId, auditContext, body }) => {
    const { areaId: id, subareaId, allCurrentAndFuture = false } = body
    await store.within(organisationId, (db) =>
      allCurrentAndFuture
        ? addAll(db, services, auditContext, { view, id })
        : addLink(db, services, auditContext, { view, id, otherId: requireSubarea(subareaId) }),
    )
    return {}
  })
  app.bind(assignments.unlinkArea, async ({ store, organisationId, auditContext, body }) => {
    const { areaId: id, subareaId, allCurrentAndFuture = false } = body
    await store.within(organisationId, (db) =>
      allCurrentAndFuture
        ? removeFlag(db, services, auditContext, { view, id })
        : removeLink(db, services, auditContext, { view, id, otherId: requireSubarea(subareaId) }),
    )
    return {}
  })
  app.bind(assignments.unlinkWholeArea, async ({ store, organisationId, auditContext, body }) => {
    await store.within(organisationId, (db) => removeAll(db, services, auditContext, { view, id: body.areaId }))
    return {}
  })
}

function requireSubarea(subareaId: string | undefined): string {
  if (subareaId === undefined) throw badField('subareaId', 'is missing; name one, or send allCurrentAndFuture as true')
  return subareaId
}

function userRoutes(app: AppRoutes, { add, remove }: Calls): void {
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

function wholeRoutes(app: AppRoutes, { replace }: Calls): void {
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
