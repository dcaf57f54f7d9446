/** Routes for links: areas to subareas, and users to groups, helper tables and entities. */
import { assignments } from '@tributary/contract/assignments'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { AppRoutes } from '../../app-services.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'
import {
  addAllFlag,
  addLink,
  editLinks,
  type LinkEdit,
  removeAllFlag,
  removeAllLinks,
  removeLink,
  replaceLinks,
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
  type LinkView,
} from './link-views.ts'

export function assignmentRoutes(app: AppRoutes): void {
  const edit = createLinkEditor(app)
  areaRoutes(app, edit)
  userRoutes(app, edit)
  replacementRoutes(app, edit)
  app.bindWithin(assignments.assignees, (db, { organisationId }) => listAssignees(db, organisationId))
}

/** The part of a bound call that changing links needs. */
interface LinkCall {
  readonly store: Store
  readonly organisationId: string
  readonly auditContext: OrganisationContext
}
type LinkEditor = ReturnType<typeof createLinkEditor>

/** Returns a function that edits the links of a record in one transaction. */
function createLinkEditor({ services }: AppRoutes) {
  return ({ store, organisationId, auditContext }: LinkCall, view: LinkView, id: string, edit: LinkEdit) =>
    store.within(organisationId, (db) => editLinks(db, services, auditContext, { view, id, edit }))
}

function areaRoutes(app: AppRoutes, edit: LinkEditor): void {
  app.bind(assignments.linkArea, async (call) => {
    const { areaId, subareaId, allCurrentAndFuture = false } = call.body
    await edit(call, subareasOfArea, areaId, allCurrentAndFuture ? addAllFlag : addLink(requireSubarea(subareaId)))
    return {}
  })
  app.bind(assignments.unlinkArea, async (call) => {
    const { areaId, subareaId, allCurrentAndFuture = false } = call.body
    const removal = allCurrentAndFuture ? removeAllFlag : removeLink(requireSubarea(subareaId))
    await edit(call, subareasOfArea, areaId, removal)
    return {}
  })
  app.bind(assignments.unlinkWholeArea, async (call) => {
    await edit(call, subareasOfArea, call.body.areaId, removeAllLinks)
    return {}
  })
}

function requireSubarea(subareaId: string | undefined): string {
  if (subareaId === undefined) throw badField('subareaId', 'is missing; send one, or send allCurrentAndFuture as true')
  return subareaId
}

function userRoutes(app: AppRoutes, edit: LinkEditor): void {
  app.bind(assignments.linkGroup, async (call) => {
    await edit(call, groupsOfUser, call.params.userId, addLink(call.body.groupId))
    return {}
  })
  app.bind(assignments.unlinkGroup, async (call) => {
    await edit(call, groupsOfUser, call.params.userId, removeOneOrAll(call.body?.groupId))
  })
  app.bind(assignments.linkHelperTable, async (call) => {
    await edit(call, helperTablesOfUser, call.params.userId, addLink(call.body.helperTableId))
    return {}
  })
  app.bind(assignments.unlinkHelperTable, async (call) => {
    await edit(call, helperTablesOfUser, call.params.userId, removeOneOrAll(call.body?.helperTableId))
  })
  app.bind(assignments.linkEntity, async (call) => {
    await edit(call, entitiesOfUser, call.params.userId, addLink(call.body.entityId))
    return {}
  })
  app.bind(assignments.unlinkEntity, async (call) => {
    await edit(call, entitiesOfUser, call.params.userId, removeOneOrAll(call.body?.entityId))
  })
}

/** Removes the named link, or all of them. */
function removeOneOrAll(otherId: string | undefined): LinkEdit {
  return otherId === undefined ? removeAllLinks : removeLink(otherId)
}

function replacementRoutes(app: AppRoutes, edit: LinkEditor): void {
  app.bind(assignments.setSubareasOfArea, (call) =>
    edit(call, subareasOfArea, call.params.areaId, replaceLinks(call.body)),
  )
  app.bind(assignments.setAreasOfSubarea, (call) =>
    edit(call, areasOfSubarea, call.params.subareaId, replaceLinks(call.body)),
  )
  app.bind(assignments.setGroupsOfUser, (call) => edit(call, groupsOfUser, call.params.userId, replaceLinks(call.body)))
  app.bind(assignments.setHelperTablesOfUser, (call) =>
    edit(call, helperTablesOfUser, call.params.userId, replaceLinks(call.body)),
  )
  app.bind(assignments.setEntitiesOfUser, (call) =>
    edit(call, entitiesOfUser, call.params.userId, replaceLinks(call.body)),
  )
  app.bind(assignments.setUsersOfHelperTable, (call) =>
    edit(call, usersOfHelperTable, call.params.helperTableId, replaceLinks(call.body)),
  )
  app.bind(assignments.setUsersOfEntity, (call) =>
    edit(call, usersOfEntity, call.params.entityId, replaceLinks(call.body)),
  )
}
