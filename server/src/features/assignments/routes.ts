/** The calls about who and what belong together. */
import { assignments, type Whole } from '@tributary/contract/assignments'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { App } from '../../app-services.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { addAll, addLink, type Hand, removeAll, removeFlag, removeLink, replaceLinks } from './links.ts'
import { listAssignees } from './queries.ts'
import {
  areasOfSubarea,
  entitiesOfUser,
  groupsOfUser,
  helperTablesOfUser,
  type LinkView,
  subareasOfArea,
  usersOfEntity,
  usersOfHelperTable,
} from './link-views.ts'

export function assignmentRoutes(app: App): void {
  const calls = callsOf(app)
  areaRoutes(app, calls)
  userRoutes(app, calls)
  wholeRoutes(app, calls)
  app.bind(assignments.assignees, ({ store, organisationId }) =>
    store.within(organisationId, (db) => listAssignees(db, organisationId)),
  )
}

/** What a call is made with. */
interface Made {
  readonly store: Store
  readonly organisationId: string
  readonly origin: AuditContext
}
type Calls = ReturnType<typeof callsOf>

/** What the calls of every kind do, each in one transaction. */
function callsOf({ services: { audit } }: App) {
  const within = <T>({ store, organisationId, origin }: Made, work: (db: Db, hand: Hand) => Promise<T>): Promise<T> =>
    store.within(organisationId, (db) => work(db, { audit, organisationId, origin }))
  return {
    within,
    async add(made: Made, view: LinkView, id: string, otherId: string): Promise<Record<string, never>> {
      await within(made, (db, hand) => addLink(db, hand, view, { id, otherId }))
      return {}
    },
    /** The one that is named, or all of them. */
    remove: (made: Made, view: LinkView, id: string, otherId: string | undefined): Promise<void> =>
      within(made, (db, hand) =>
        otherId === undefined ? removeAll(db, hand, view, id) : removeLink(db, hand, view, { id, otherId }),
      ),
    replace: (made: Made, view: LinkView, id: string, whole: Whole) =>
      within(made, (db, hand) => replaceLinks(db, hand, view, { id, whole })),
  }
}

function areaRoutes(app: App, { within }: Calls): void {
  app.bind(assignments.linkArea, async (call) => {
    const { areaId: id, subareaId, allCurrentAndFuture = false } = call.body
    await within(call, (db, hand) =>
      allCurrentAndFuture
        ? addAll(db, hand, subareasOfArea, id)
        : addLink(db, hand, subareasOfArea, { id, otherId: requireSubarea(subareaId) }),
    )
    return {}
  })
  app.bind(assignments.unlinkArea, async (call) => {
    const { areaId: id, subareaId, allCurrentAndFuture = false } = call.body
    await within(call, (db, hand) =>
      allCurrentAndFuture
        ? removeFlag(db, hand, subareasOfArea, id)
        : removeLink(db, hand, subareasOfArea, { id, otherId: requireSubarea(subareaId) }),
    )
    return {}
  })
  app.bind(assignments.unlinkWholeArea, async (call) => {
    await within(call, (db, hand) => removeAll(db, hand, subareasOfArea, call.body.areaId))
    return {}
  })
}

function requireSubarea(subareaId: string | undefined): string {
  if (subareaId === undefined) throw badField('subareaId', 'is missing; name one, or send allCurrentAndFuture as true')
  return subareaId
}

function userRoutes(app: App, { add, remove }: Calls): void {
  app.bind(assignments.linkGroup, (call) => add(call, groupsOfUser, call.params.userId, call.body.groupId))
  app.bind(assignments.unlinkGroup, (call) => remove(call, groupsOfUser, call.params.userId, call.body?.groupId))
  app.bind(assignments.linkHelperTable, (call) =>
    add(call, helperTablesOfUser, call.params.userId, call.body.helperTableId),
  )
  app.bind(assignments.unlinkHelperTable, (call) =>
    remove(call, helperTablesOfUser, call.params.userId, call.body?.helperTableId),
  )
  app.bind(assignments.linkEntity, (call) => add(call, entitiesOfUser, call.params.userId, call.body.entityId))
  app.bind(assignments.unlinkEntity, (call) => remove(call, entitiesOfUser, call.params.userId, call.body?.entityId))
}

function wholeRoutes(app: App, { replace }: Calls): void {
  app.bind(assignments.setSubareasOfArea, (call) => replace(call, subareasOfArea, call.params.areaId, call.body))
  app.bind(assignments.setAreasOfSubarea, (call) => replace(call, areasOfSubarea, call.params.subareaId, call.body))
  app.bind(assignments.setGroupsOfUser, (call) => replace(call, groupsOfUser, call.params.userId, call.body))
  app.bind(assignments.setHelperTablesOfUser, (call) =>
    replace(call, helperTablesOfUser, call.params.userId, call.body),
  )
  app.bind(assignments.setEntitiesOfUser, (call) => replace(call, entitiesOfUser, call.params.userId, call.body))
  app.bind(assignments.setUsersOfHelperTable, (call) =>
    replace(call, usersOfHelperTable, call.params.helperTableId, call.body),
  )
  app.bind(assignments.setUsersOfEntity, (call) => replace(call, usersOfEntity, call.params.entityId, call.body))
}
