/** The calls about security groups. */
import { groups } from '@tributary/contract/groups'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes } from '../../app-services.ts'
import type { PairGrant } from '../../planning/entitlement/entitlement.ts'
import type { Store } from '../../kernel/store/store.ts'
import { asSent, type KindName, sentOf, sideOf, without } from './grants.ts'
import { addGroup, changeGroup, getGroup, removeGroup, requireRecords, setGroupStatus } from './groups.ts'
import { previewGroup } from './preview-effects.ts'
import { listGroups, type ShownGroup } from './queries.ts'

export function groupRoutes(app: AppRoutes): void {
  const { services } = app
  wholeRoutes(app)
  grantRoutes(app)

  app.bind(groups.list, async ({ store, organisationId, query, reply }) => {
    const { groups: found, total } = await store.within(organisationId, (db) => listGroups(db, organisationId, query))
    if (total !== null) setTotalCountHeader(reply, total)
    return found
  })
  app.bind(groups.setStatus, ({ store, organisationId, auditContext, body }) => {
    const { comOrganisationId: _, groupId: id, statusId } = body
    return store.within(organisationId, (db) => setGroupStatus(db, services, auditContext, { id, statusId }))
  })
  app.bind(groups.remove, ({ store, organisationId, auditContext, body }) =>
    store.within(organisationId, (db) => removeGroup(db, services, auditContext, body.groupId)),
  )
}

/** The members of a call that a change of a group uses. */
interface GroupCall {
  readonly store: Store
  readonly organisationId: string
  readonly auditContext: AuditContext<string>
}

function wholeRoutes(app: AppRoutes): void {
  const { services } = app
  app.bind(groups.save, async ({ store, organisationId, auditContext, body }) => {
    const { name, groupId: id, grants } = body
    const sent = grants && sentOf(grants)
    return store.within(organisationId, (db) =>
      id === undefined
        ? addGroup(db, services, auditContext, { name, sent })
        : changeGroup(db, services, auditContext, { id, name, grants: sent && (() => sent) }),
    )
  })
  app.bind(groups.read, ({ store, organisationId, params }) =>
    store.within(organisationId, (db) => getGroup(db, organisationId, params.groupId)),
  )
  app.bind(groups.replace, async ({ store, organisationId, auditContext, params, body }) => {
    const { name, grants, revision } = body
    const sent = sentOf(grants)
    return store.within(organisationId, (db) =>
      changeGroup(db, services, auditContext, { id: params.groupId, name, grants: () => sent, revision }),
    )
  })
  app.bind(groups.preview, async ({ store, organisationId, params, body }) => {
    const sent = sentOf(body.grants)
    return store.within(organisationId, (db) => previewGroup(db, organisationId, params.groupId, sent))
  })
}

function grantRoutes(app: AppRoutes): void {
  const { services } = app
  const change = (
    { store, organisationId, auditContext }: GroupCall,
    { id, kind, grant, what }: GrantCall,
  ): Promise<ShownGroup> =>
    store.within(organisationId, async (db) => {
      if (grant !== null) await requireRecords(db, organisationId, kind, grant)
      const changed = (stored: readonly PairGrant[]) =>
        grant === null ? [] : what === 'grant' ? [...stored, grant] : without(stored, [grant])
      return changeGroup(db, services, auditContext, {
        id,
        grants: (stored) => asSent({ ...stored, [kind]: changed(stored[kind]) }),
      })
    })

  app.bind(groups.grantPair, async (call) =>
    change(call, { id: call.body.groupId, kind: 'areas', grant: pairOf(call.body), what: 'grant' }),
  )
  app.bind(groups.revokePair, async (call) => {
    const { groupId: id, ...named } = call.body
    const grant = Object.keys(named).length === 0 ? null : pairOf(call.body)
    return change(call, { id, kind: 'areas', grant, what: 'revoke' })
  })
  app.bind(groups.grantMilestone, async (call) =>
    change(call, { id: call.body.groupId, kind: 'versions', grant: milestoneOf(call.body), what: 'grant' }),
  )
  app.bind(groups.revokeMilestone, async (call) => {
    const { groupId: id, ...named } = call.body
    const grant = Object.keys(named).length === 0 ? null : milestoneOf(call.body)
    return change(call, { id, kind: 'versions', grant, what: 'revoke' })
  })
}

interface GrantCall {
  readonly id: string
  readonly kind: KindName
  /** Null: all of that kind. */
  readonly grant: PairGrant | null
  readonly what: 'grant' | 'revoke'
}

interface PairBody {
  readonly areaId?: string | null | undefined
  readonly subAreaId?: string | null | undefined
  readonly areaAllCurrentAndFuture?: boolean | undefined
  readonly subAreaAllCurrentAndFuture?: boolean | undefined
}

function pairOf({ areaId, subAreaId, areaAllCurrentAndFuture, subAreaAllCurrentAndFuture }: PairBody): PairGrant {
  return {
    outerId: sideOf('areaId', areaId, areaAllCurrentAndFuture),
    innerId: sideOf('subAreaId', subAreaId, subAreaAllCurrentAndFuture),
  }
}

interface MilestoneBody {
  readonly versionId?: string | null | undefined
  readonly milestoneId?: string | null | undefined
  readonly flag?: boolean | undefined
  readonly allCurrentAndFuture?: boolean | undefined
}

/** Of every version that there is and will be, no single milestone can be meant. */
function milestoneOf({ versionId, milestoneId, flag = false, allCurrentAndFuture = false }: MilestoneBody): PairGrant {
  return {
    outerId: sideOf('versionId', versionId, flag),
    innerId: sideOf('milestoneId', milestoneId, flag || allCurrentAndFuture),
  }
}
