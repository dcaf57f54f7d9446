/** Routes for security groups. */
import { groups } from '@tributary/contract/groups'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes } from '../../app-services.ts'
import type { PairGrant } from '../../planning/entitlement/entitlement.ts'
import type { Store } from '../../kernel/store/store.ts'
import { toParsedGrants, type GrantKind, parseGrants, parseSide, subtractGrants } from './grants.ts'
import { addGroup, changeGroup, getGroup, removeGroup, requireRecords, setGroupStatus } from './groups.ts'
import { previewGroup } from './preview-effects.ts'
import { listGroups, type ListedGroup } from './queries.ts'

export function groupRoutes(app: AppRoutes): void {
  const { services } = app
  groupRecordRoutes(app)
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

/** The part of a bound call that changing a group needs. */
interface GroupCall {
  readonly store: Store
  readonly organisationId: string
  readonly auditContext: AuditContext<string>
}

function groupRecordRoutes(app: AppRoutes): void {
  const { services } = app
  app.bind(groups.save, async ({ store, organisationId, auditContext, body }) => {
    const { name, groupId: id, grants } = body
    const parsed = grants && parseGrants(grants)
    return store.within(organisationId, (db) =>
      id === undefined
        ? addGroup(db, services, auditContext, { name, sent: parsed })
        : changeGroup(db, services, auditContext, { id, name, computeGrants: parsed && (() => parsed) }),
    )
  })
  app.bind(groups.read, ({ store, organisationId, params }) =>
    store.within(organisationId, (db) => getGroup(db, organisationId, params.groupId)),
  )
  app.bind(groups.replace, async ({ store, organisationId, auditContext, params, body }) => {
    const { name, grants, revision } = body
    const sent = parseGrants(grants)
    return store.within(organisationId, (db) =>
      changeGroup(db, services, auditContext, { id: params.groupId, name, computeGrants: () => sent, revision }),
    )
  })
  app.bind(groups.preview, async ({ store, organisationId, params, body }) => {
    const sent = parseGrants(body.grants)
    return store.within(organisationId, (db) => previewGroup(db, organisationId, params.groupId, sent))
  })
}

function grantRoutes(app: AppRoutes): void {
  const { services } = app
  const change = (
    { store, organisationId, auditContext }: GroupCall,
    { id, kind, grant, operation }: GrantRequest,
  ): Promise<ListedGroup> =>
    store.within(organisationId, async (db) => {
      if (grant !== null) await requireRecords(db, organisationId, kind, grant)
      const changed = (stored: readonly PairGrant[]) =>
        grant === null ? [] : operation === 'grant' ? [...stored, grant] : subtractGrants(stored, [grant])
      return changeGroup(db, services, auditContext, {
        id,
        computeGrants: (stored) => toParsedGrants({ ...stored, [kind]: changed(stored[kind]) }),
      })
    })

  app.bind(groups.grantPair, async (call) =>
    change(call, { id: call.body.groupId, kind: 'areas', grant: parsePair(call.body), operation: 'grant' }),
  )
  app.bind(groups.revokePair, async (call) => {
    const { groupId: id, ...named } = call.body
    const grant = Object.keys(named).length === 0 ? null : parsePair(call.body)
    return change(call, { id, kind: 'areas', grant, operation: 'revoke' })
  })
  app.bind(groups.grantMilestone, async (call) =>
    change(call, { id: call.body.groupId, kind: 'versions', grant: parseMilestone(call.body), operation: 'grant' }),
  )
  app.bind(groups.revokeMilestone, async (call) => {
    const { groupId: id, ...named } = call.body
    const grant = Object.keys(named).length === 0 ? null : parseMilestone(call.body)
    return change(call, { id, kind: 'versions', grant, operation: 'revoke' })
  })
}

interface GrantRequest {
  readonly id: string
  readonly kind: GrantKind
  /** Null: all grants of the kind. */
  readonly grant: PairGrant | null
  readonly operation: 'grant' | 'revoke'
}

interface PairGrantBody {
  readonly areaId?: string | null | undefined
  readonly subAreaId?: string | null | undefined
  readonly areaAllCurrentAndFuture?: boolean | undefined
  readonly subAreaAllCurrentAndFuture?: boolean | undefined
}

function parsePair({
  areaId,
  subAreaId,
  areaAllCurrentAndFuture,
  subAreaAllCurrentAndFuture,
}: PairGrantBody): PairGrant {
  return {
    outerId: parseSide('areaId', areaId, areaAllCurrentAndFuture),
    innerId: parseSide('subAreaId', subAreaId, subAreaAllCurrentAndFuture),
  }
}

interface MilestoneGrantBody {
  readonly versionId?: string | null | undefined
  readonly milestoneId?: string | null | undefined
  readonly flag?: boolean | undefined
  readonly allCurrentAndFuture?: boolean | undefined
}

/** A grant of all versions, current and future, always includes all their milestones. */
function parseMilestone({
  versionId,
  milestoneId,
  flag = false,
  allCurrentAndFuture = false,
}: MilestoneGrantBody): PairGrant {
  return {
    outerId: parseSide('versionId', versionId, flag),
    innerId: parseSide('milestoneId', milestoneId, flag || allCurrentAndFuture),
  }
}
