/** Routes for security groups. */
import { groups } from '@tributary/contract/groups'
import type * as z from 'zod'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes } from '../../app-services.ts'
import type { PairGrant } from '../../planning/entitlement/entitlement.ts'
import type { Db } from '../../kernel/store/store.ts'
import { toParsedGrants, type GrantKind, parseGrants, parseSide, subtractGrants } from './grants.ts'
import { addGroup, changeGroup, removeGroup, requireRecords, setGroupStatus } from './groups.ts'
import { previewGroup } from './preview-effects.ts'
import { listGroups, type ListedGroup, getGroup } from './queries.ts'

export function groupRoutes(app: AppRoutes): void {
  const { services } = app
  groupRecordRoutes(app)
  grantRoutes(app)

  app.bindWithin(groups.list, async (db, { organisationId, query, reply }) => {
    const { groups: found, total } = await listGroups(db, organisationId, query)
    setTotalCountHeader(reply, total)
    return found
  })
  app.bindWithin(groups.setStatus, (db, { auditContext, body: { groupId: id, statusId } }) =>
    setGroupStatus(db, services, auditContext, { id, statusId }),
  )
  app.bindWithin(groups.remove, (db, { auditContext, body }) => removeGroup(db, services, auditContext, body.groupId))
}

function groupRecordRoutes(app: AppRoutes): void {
  const { services } = app
  app.bindWithin(groups.save, async (db, { auditContext, body: { name, groupId: id, grants: sent } }) => {
    const grants = sent && parseGrants(sent)
    return id === undefined
      ? addGroup(db, services, auditContext, { name, grants })
      : changeGroup(db, services, auditContext, { id, name, computeGrants: grants && (() => grants) })
  })
  app.bindWithin(groups.read, (db, { organisationId, params }) => getGroup(db, organisationId, params.groupId))
  app.bindWithin(groups.replace, async (db, { auditContext, params, body: { name, grants, revision } }) => {
    const sent = parseGrants(grants)
    return changeGroup(db, services, auditContext, { id: params.groupId, name, computeGrants: () => sent, revision })
  })
  app.bindWithin(groups.preview, (db, { organisationId, params, body }) =>
    previewGroup(db, organisationId, params.groupId, parseGrants(body.grants)),
  )
}

function grantRoutes(app: AppRoutes): void {
  const { services } = app
  const change = async (
    db: Db,
    auditContext: OrganisationContext,
    { id, kind, grant, operation }: GrantRequest,
  ): Promise<ListedGroup> => {
    if (grant !== null) await requireRecords(db, auditContext.organisationId, kind, grant)
    const changed = (stored: readonly PairGrant[]) =>
      grant === null ? [] : operation === 'grant' ? [...stored, grant] : subtractGrants(stored, [grant])
    return changeGroup(db, services, auditContext, {
      id,
      computeGrants: (stored) => toParsedGrants({ ...stored, [kind]: changed(stored[kind]) }),
    })
  }

  app.bindWithin(groups.grantPair, async (db, { auditContext, body: { groupId: id, ...named } }) =>
    change(db, auditContext, { id, kind: 'areas', grant: parsePair(named), operation: 'grant' }),
  )
  app.bindWithin(groups.revokePair, async (db, { auditContext, body: { groupId: id, ...named } }) => {
    const grant = Object.keys(named).length === 0 ? null : parsePair(named)
    return change(db, auditContext, { id, kind: 'areas', grant, operation: 'revoke' })
  })
  app.bindWithin(groups.grantMilestone, async (db, { auditContext, body: { groupId: id, ...named } }) =>
    change(db, auditContext, { id, kind: 'versions', grant: parseMilestone(named), operation: 'grant' }),
  )
  app.bindWithin(groups.revokeMilestone, async (db, { auditContext, body: { groupId: id, ...named } }) => {
    const grant = Object.keys(named).length === 0 ? null : parseMilestone(named)
    return change(db, auditContext, { id, kind: 'versions', grant, operation: 'revoke' })
  })
}

interface GrantRequest {
  readonly id: string
  readonly kind: GrantKind
  /** Null: all grants of the kind. */
  readonly grant: PairGrant | null
  readonly operation: 'grant' | 'revoke'
}

function parsePair({
  areaId,
  subAreaId,
  areaAllCurrentAndFuture,
  subAreaAllCurrentAndFuture,
}: Partial<z.output<typeof groups.grantPair.body>>): PairGrant {
  return {
    outerId: parseSide('areaId', areaId, areaAllCurrentAndFuture),
    innerId: parseSide('subAreaId', subAreaId, subAreaAllCurrentAndFuture),
  }
}

/** A grant of all versions, current and future, always includes all their milestones. */
function parseMilestone({
  versionId,
  milestoneId,
  flag = false,
  allCurrentAndFuture = false,
}: Partial<z.output<typeof groups.grantMilestone.body>>): PairGrant {
  return {
    outerId: parseSide('versionId', versionId, flag),
    innerId: parseSide('milestoneId', milestoneId, flag || allCurrentAndFuture),
  }
}
