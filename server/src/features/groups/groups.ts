/** Adds, changes and deletes security groups. */
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { type ChangedNames, summariseForLog, describeChangedNames } from '../../kernel/text/added-and-removed.ts'
import type { PairGrant } from '../../planning/entitlement/entitlement.ts'
import { ApiFault, badField, nameTakenFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import {
  type GrantsByKind,
  describeGrant,
  lockRecords,
  type GrantKind,
  grantKinds,
  findMissingSide,
  readGrants,
  type ParsedGrants,
  subtractGrants,
  writeGrants,
} from './grants.ts'
import {
  deleteGroup,
  getGroup,
  findStatus,
  insertGroup,
  listChangesSince,
  lockGroup,
  type ListedGroup,
  updateGroup,
} from './queries.ts'

export async function addGroup(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { name, grants: parsed }: { readonly name: string; readonly grants: ParsedGrants | undefined },
): Promise<ListedGroup> {
  const { organisationId } = auditContext
  const id = await insertGroup(db, organisationId, name)
  if (id === undefined) throw nameTakenFault(name)
  const grants = await saveGrants(db, organisationId, id, parsed)
  await auditChange(db, services, auditContext, {
    event: 'created',
    id,
    detail: { after: { name }, revision: 1, ...summariseForLog(grants) },
  })
  return getGroup(db, organisationId, id)
}

export interface GroupChange {
  readonly id: string
  readonly name?: string | undefined
  /** Computes the new grants from the stored ones. Left out: the grants stay. */
  readonly computeGrants?: ((stored: GrantsByKind) => ParsedGrants) | undefined
  /** The revision that the caller read. Throws `changedMeanwhile` if it is outdated. */
  readonly revision?: number
}

export async function changeGroup(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { id, name: newName, computeGrants, revision }: GroupChange,
): Promise<ListedGroup> {
  const { organisationId } = auditContext
  const stored = await lockGroup(db, organisationId, id)
  if (revision !== undefined && revision !== stored.revision)
    throw new ApiFault('changedMeanwhile', {
      values: { change: await describeChangesSince(db, organisationId, { id, revision }) },
    })
  const name = newName ?? stored.name
  const grants = await saveGrants(db, organisationId, id, computeGrants?.(await readGrants(db, organisationId, id)))
  if (name === stored.name && grants.added.length + grants.removed.length === 0) return getGroup(db, organisationId, id)

  const next = stored.revision + 1
  await updateGroup(db, organisationId, { id, name, revision: next }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTakenFault(name) : error
  })
  await auditChange(db, services, auditContext, {
    event: 'changed',
    id,
    detail: { before: { name: stored.name }, after: { name }, revision: next, ...summariseForLog(grants) },
  })
  return getGroup(db, organisationId, id)
}

export async function setGroupStatus(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { id, statusId }: { id: string; statusId: string },
): Promise<ListedGroup> {
  const { organisationId } = auditContext
  const stored = await lockGroup(db, organisationId, id)
  const status = await findStatus(db, statusId)
  if (status === undefined)
    throw badField('statusId', 'must be the id of one of these statuses: active, locked, archived')
  if (status !== stored.status) {
    await updateGroup(db, organisationId, { id, statusId })
    await auditChange(db, services, auditContext, {
      event: 'changed',
      id,
      detail: { before: { status: stored.status }, after: { status } },
    })
  }
  return getGroup(db, organisationId, id)
}

/** Deletes the group with its grants and memberships. */
export async function removeGroup(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  id: string,
): Promise<void> {
  const { name, status } = await lockGroup(db, auditContext.organisationId, id)
  await deleteGroup(db, auditContext.organisationId, id)
  await auditChange(db, services, auditContext, { event: 'deleted', id, detail: { before: { name, status } } })
}

/** Throws `notFound` if the grant names a record that the organisation does not have. */
export async function requireRecords(db: Db, organisationId: string, kind: GrantKind, grant: PairGrant): Promise<void> {
  const records = await lockRecords(db, organisationId, kind, [grant])
  if (findMissingSide(kind, records, grant) !== undefined) throw new ApiFault('notFound')
}

/** Throws `badInput` with the field of the first grant that names a record the organisation does not have. */
export async function requireGrants(db: Db, organisationId: string, named: GrantsByKind): Promise<void> {
  for (const kind of ['areas', 'versions'] as const) {
    const records = await lockRecords(db, organisationId, kind, named[kind])
    for (const [at, grant] of named[kind].entries()) {
      const missing = findMissingSide(kind, records, grant)
      if (missing === undefined) continue
      const { [missing]: noun, [`${missing}Column` as const]: column } = grantKinds[kind]
      throw badField(
        `grants.${kind}.${at}.${column}`,
        `refers to ${noun === 'area' ? 'an' : 'a'} ${noun} that does not exist; it may have been deleted. Reload and choose again`,
      )
    }
  }
}

async function saveGrants(
  db: Db,
  organisationId: string,
  groupId: string,
  parsed: ParsedGrants | undefined,
): Promise<ChangedNames> {
  const names: { readonly added: string[]; readonly removed: string[] } = { added: [], removed: [] }
  if (parsed === undefined) return names
  const { granted } = parsed
  await requireGrants(db, organisationId, parsed.named)
  const stored = await readGrants(db, organisationId, groupId)
  for (const kind of ['areas', 'versions'] as const) {
    const change = {
      added: subtractGrants(granted[kind], stored[kind]),
      removed: subtractGrants(stored[kind], granted[kind]),
    }
    await writeGrants(db, organisationId, kind, { groupId, ...change })
    const records = await lockRecords(db, organisationId, kind, [...change.added, ...change.removed])
    names.added.push(...change.added.map((grant) => describeGrant(kind, records, grant)))
    names.removed.push(...change.removed.map((grant) => describeGrant(kind, records, grant)))
  }
  return names
}

/** Describes later changes from the audit log, for example `Amara Okafor: added Kitchen / Bar; named it Budget`. */
async function describeChangesSince(
  db: Db,
  organisationId: string,
  which: { readonly id: string; readonly revision: number },
): Promise<string> {
  const changes = await listChangesSince(db, organisationId, which)
  const sentences = changes.map(({ actor, detail }) => {
    const { before, after, ...names } = detail as ChangedNames &
      Readonly<Record<'before' | 'after', { readonly name: string }>>
    const renamed = before?.name === after?.name ? [] : [`named it ${after.name}`]
    return `${actor ?? 'a user'}: ${[describeChangedNames(names), ...renamed].filter((part) => part !== '').join('; ')}`
  })
  return sentences.join('. ') || 'its name or grants'
}

async function auditChange(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  {
    event,
    id,
    detail,
  }: { event: 'created' | 'changed' | 'deleted'; id: string; detail: Readonly<Record<string, unknown>> },
): Promise<void> {
  const object = { type: 'permissionGroup', id }
  await audit.record(db, auditContext, { action: `permission_group.${event}`, object, detail })
}
