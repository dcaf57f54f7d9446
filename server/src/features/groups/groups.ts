/** Adding, changing and deleting security groups. */
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { type ChangedNames, summariseForLog, describeChangedNames } from '../../kernel/text/added-and-removed.ts'
import type { PairGrant } from '../../planning/entitlement/entitlement.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  type Granted,
  grantName,
  holdRecords,
  type KindName,
  kinds,
  missingSide,
  readGrants,
  type Sent,
  without,
  writeGrants,
} from './grants.ts'
import {
  deleteGroup,
  findGroup,
  findStatus,
  insertGroup,
  listChangesSince,
  lockGroup,
  type ShownGroup,
  updateGroup,
} from './queries.ts'

export async function addGroup(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { name, sent }: { readonly name: string; readonly sent: Sent | undefined },
): Promise<ShownGroup> {
  const { organisationId } = auditContext
  const id = await insertGroup(db, organisationId, name)
  if (id === undefined) throw nameTaken(name)
  const grants = await saveGrants(db, organisationId, id, sent)
  await record(db, services, auditContext, {
    done: 'created',
    id,
    detail: { after: { name }, revision: 1, ...summariseForLog(grants) },
  })
  return getGroup(db, organisationId, id)
}

export interface GroupChange {
  readonly id: string
  readonly name?: string | undefined
  /** What it grants from now on, from what it grants; left out, as before. */
  readonly grants?: ((stored: Granted) => Sent) | undefined
  /** That of the reading; throws `changedMeanwhile` if there is a later one. */
  readonly revision?: number
}

export async function changeGroup(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { id, name: wished, grants: wanted, revision }: GroupChange,
): Promise<ShownGroup> {
  const { organisationId } = auditContext
  const stored = await lock(db, organisationId, id)
  if (revision !== undefined && revision !== stored.revision)
    throw new ApiFault('changedMeanwhile', {
      values: { change: await changeSince(db, organisationId, { id, revision }) },
    })
  const name = wished ?? stored.name
  const grants = await saveGrants(db, organisationId, id, wanted?.(await readGrants(db, organisationId, id)))
  if (name === stored.name && grants.added.length + grants.removed.length === 0) return getGroup(db, organisationId, id)

  const next = stored.revision + 1
  await updateGroup(db, organisationId, { id, name, revision: next }).catch((error: unknown) => {
    throw (error as { readonly code?: string }).code === '23505' ? nameTaken(name) : error
  })
  await record(db, services, auditContext, {
    done: 'changed',
    id,
    detail: { before: { name: stored.name }, after: { name }, revision: next, ...summariseForLog(grants) },
  })
  return getGroup(db, organisationId, id)
}

export async function setGroupStatus(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { id, statusId }: { id: string; statusId: string },
): Promise<ShownGroup> {
  const { organisationId } = auditContext
  const stored = await lock(db, organisationId, id)
  const status = await findStatus(db, statusId)
  if (status === undefined)
    throw badField('statusId', 'must be the id of one of these statuses: active, locked, archived')
  if (status !== stored.status) {
    await updateGroup(db, organisationId, { id, statusId })
    await record(db, services, auditContext, {
      done: 'changed',
      id,
      detail: { before: { status: stored.status }, after: { status } },
    })
  }
  return getGroup(db, organisationId, id)
}

/** With its grants; its members are in it no more. */
export async function removeGroup(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  id: string,
): Promise<void> {
  const { name, status } = await lock(db, auditContext.organisationId, id)
  await deleteGroup(db, auditContext.organisationId, id)
  await record(db, services, auditContext, { done: 'deleted', id, detail: { before: { name, status } } })
}

export async function getGroup(db: Db, organisationId: string, id: string): Promise<ShownGroup> {
  const found = await findGroup(db, organisationId, id)
  if (found === undefined) throw new ApiFault('notFound')
  return found
}

/** Throws `notFound` where a grant names what the organisation has not. */
export async function requireRecords(db: Db, organisationId: string, kind: KindName, grant: PairGrant): Promise<void> {
  const records = await holdRecords(db, organisationId, kind, [grant])
  if (missingSide(kind, records, grant) !== undefined) throw new ApiFault('notFound')
}

/** Throws `badInput` naming the first grant that names what the organisation has not. */
export async function requireGrants(db: Db, organisationId: string, named: Granted): Promise<void> {
  for (const kind of ['areas', 'versions'] as const) {
    const records = await holdRecords(db, organisationId, kind, named[kind])
    for (const [at, grant] of named[kind].entries()) {
      const missing = missingSide(kind, records, grant)
      if (missing === undefined) continue
      const { [missing]: thing, [`${missing}Column` as const]: column } = kinds[kind]
      throw badField(
        `grants.${kind}.${at}.${column}`,
        `names no ${thing} of this organisation; it may have been deleted. Reload and choose again`,
      )
    }
  }
}

async function saveGrants(
  db: Db,
  organisationId: string,
  groupId: string,
  sent: Sent | undefined,
): Promise<ChangedNames> {
  const names: { readonly added: string[]; readonly removed: string[] } = { added: [], removed: [] }
  if (sent === undefined) return names
  const { granted } = sent
  await requireGrants(db, organisationId, sent.named)
  const stored = await readGrants(db, organisationId, groupId)
  for (const kind of ['areas', 'versions'] as const) {
    const change = { added: without(granted[kind], stored[kind]), removed: without(stored[kind], granted[kind]) }
    await writeGrants(db, organisationId, kind, { groupId, ...change })
    const records = await holdRecords(db, organisationId, kind, [...change.added, ...change.removed])
    names.added.push(...change.added.map((grant) => grantName(kind, records, grant)))
    names.removed.push(...change.removed.map((grant) => grantName(kind, records, grant)))
  }
  return names
}

async function lock(db: Db, organisationId: string, id: string) {
  const stored = await lockGroup(db, organisationId, id)
  if (stored === undefined) throw new ApiFault('notFound')
  return stored
}

/** As the audit log has it: 'Amara Okafor: added Kitchen / Bar; named it Budget'. */
async function changeSince(
  db: Db,
  organisationId: string,
  which: { readonly id: string; readonly revision: number },
): Promise<string> {
  const changes = await listChangesSince(db, organisationId, which)
  const sentences = changes.map(({ actor, detail }) => {
    const { before, after, ...names } = detail as ChangedNames &
      Readonly<Record<'before' | 'after', { readonly name: string }>>
    const renamed = before?.name === after?.name ? [] : [`named it ${after.name}`]
    return `${actor ?? 'somebody'}: ${[describeChangedNames(names), ...renamed].filter((part) => part !== '').join('; ')}`
  })
  return sentences.join('. ') || 'its name or grants'
}

function nameTaken(name: string): ApiFault {
  return new ApiFault('nameTaken', { values: { name }, fields: { name: 'is taken' } })
}

interface Done {
  readonly done: 'created' | 'changed' | 'deleted'
  readonly id: string
  readonly detail: Readonly<Record<string, unknown>>
}

async function record(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { done, id, detail }: Done,
): Promise<void> {
  const object = { type: 'permissionGroup', id }
  await audit.record(db, auditContext, {
    action: `permission_group.${done}`,
    outcome: 'success',
    object,
    detail,
  })
}
