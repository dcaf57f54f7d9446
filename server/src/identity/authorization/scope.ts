/** Which organisation a call addresses, and which role the caller has there. */
import { may, roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { Id } from '@tributary/contract/id'
import type { Route } from '@tributary/contract/route'
import type { AuditAction } from '../../security/audit/audit-actions.ts'
import { originOf, roleIn, actingAs, type Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { findOwner, guestsAmong } from './guests.ts'
import type { Parts } from '../../parts.ts'
import type { Db } from '../../kernel/store/store.ts'

interface Addressing {
  readonly actor: Actor
  readonly params: unknown
  readonly query: unknown
  /** As it was sent: the form is checked after the right. */
  readonly body: unknown
  readonly from: { readonly address: string; readonly reference: string }
}

/** `guestId`: the organisation in which the role holds, where that is not the one whose data it is. */
export interface Addressed {
  readonly organisationId: string | null
  readonly guestId: string | null
}

/** What the call is about: a shared connector is its owner's, whoever calls for it. */
export async function addressed(parts: Parts, route: Route, call: Addressing): Promise<Addressed> {
  const guestId = route.guests === true && route.scope === 'connector' ? await guestOf(parts, call) : null
  const organisationId = guestId ?? (await addressedOrganisation(parts, route, call))
  const asked = idIn(call.query, 'orgId')
  if (!['none', 'query'].includes(route.scope) && asked !== null && asked !== organisationId)
    throw new ApiFault('notFound')
  const ownerId = route.guests === true && organisationId !== null ? await ownerOf(parts, call, organisationId) : null
  return ownerId === null ? { organisationId, guestId: null } : { organisationId: ownerId, guestId: organisationId }
}

/**
 * Of a call that names nothing but the connector: the caller's organisation that it is shared with, unless its owner is one, too;
 * of several that in which they may most. With `orgId` that one alone counts.
 */
async function guestOf({ store }: Parts, { actor, params, query }: Addressing): Promise<string | null> {
  if (actor.providerRole !== null) return null
  const { connectorId = '' } = params as Record<string, string>
  const asked = idIn(query, 'orgId')
  const own = Object.keys(actor.memberships).filter((id) => asked === null || id === asked)
  const levelIn = (id: string) => roleLevels[roleIn(actor, id) ?? 'guest']
  // Across: the connector is another organisation's.
  return store.across(async (db) => {
    const owner = await organisationOfConnector(db, connectorId)
    if (owner === null || own.includes(owner)) return null
    const guests = await guestsAmong(db, connectorId, own)
    return guests.toSorted((one, other) => levelIn(one) - levelIn(other))[0] ?? null
  })
}

async function ownerOf({ store }: Parts, { params }: Addressing, organisationId: string): Promise<string | null> {
  const { connectorId } = params as Record<string, string>
  // Across: the connector is another organisation's.
  return connectorId === undefined ? null : store.across((db) => findOwner(db, connectorId, organisationId))
}

/** Null where the route addresses none. A foreign organisation and an unknown one are refused alike, with `notFound`. */
async function addressedOrganisation(parts: Parts, route: Route, call: Addressing): Promise<string | null> {
  if (route.scope === 'none') return null
  const named = await namedOrganisation(parts, route, call)
  if (named === 'the provider') {
    if (call.actor.providerRole !== null) return null
    throw new ApiFault('notFound')
  }
  // A superadmin of a new installation belongs to none yet; lists that are the same for all, and requests for new
  // organisations, are not refused for it.
  const needsNone =
    route.allow === 'signedIn' || (route.allow === 'decideApprovals' && call.actor.providerRole !== null)
  if (named === null && needsNone) return null
  if (named === null) throw new ApiFault('notFound')
  if (call.actor.providerRole === null) {
    if (roleIn(call.actor, named) !== undefined) return named
    await recordRefusal(parts, route, { ...call, organisationId: null, action: 'authz.tenant_mismatch' })
    throw new ApiFault('notFound')
  }
  await requireForProvider(parts, route, named)
  return named
}

/** The provider's people see every organisation that there is, but change nothing in an archived one. Its members see it no more. */
async function requireForProvider({ store }: Parts, route: Route, id: string): Promise<void> {
  // Across: which organisations there are.
  const found = await store.across((db) =>
    db.selectFrom('organisation').select('archivedAt').where('id', '=', id).executeTakeFirst(),
  )
  if (found === undefined) throw new ApiFault('notFound')
  const changes = (route.method !== 'GET' || route.changes === true) && route.allow !== 'manageOrganisations'
  if (changes && found.archivedAt !== null) throw new ApiFault('organisationArchived')
}

async function namedOrganisation(
  { store }: Parts,
  route: Route,
  call: Addressing,
): Promise<string | 'the provider' | null> {
  const { actor, query, body } = call
  const { clientId = '', clientKey = '', connectorId = '' } = (call.params ?? {}) as Record<string, string>
  switch (route.scope) {
    case 'client':
      return clientId
    case 'query':
      return namedByQuery(query, actor)
    case 'body':
      return namedByBody(body) ?? namedByQuery(query, actor)
    // Across, from here on: the call names a thing, and the thing tells the organisation.
    case 'approval':
      return store.across((db) => namedByApproval(db, call))
    case 'connector':
      return store.across((db) => organisationOfConnector(db, connectorId))
    case 'record':
      return store.across((db) => namedByRecord(db, call))
    default:
      return store.across((db) => organisationOfKey(db, clientKey))
  }
}

function namedByBody(body: unknown): string | null {
  return idIn(body, 'organisationId') ?? idIn(body, 'comOrganisationId')
}

/** A call that names none is wrong in form, which is told once the right has been asked; so below. */
async function namedByApproval(db: Db, { actor, query, body }: Addressing): Promise<string | 'the provider' | null> {
  const id = idIn(body, 'approvalId')
  return id === null ? namedByQuery(query, actor) : organisationOfApproval(db, id)
}

async function namedByRecord(db: Db, { actor, params, query, body }: Addressing): Promise<string | null> {
  const [first, ...others] = [...recordsIn(params), ...recordsIn(body)]
  if (first === undefined) return namedByQuery(query, actor)
  const found = await organisationOfRecord(db, first)
  // Also what a flag beside it makes meaningless: nobody speaks of another organisation's things.
  for (const other of others) if ((await organisationOfRecord(db, other)) !== found) return null
  return found === (idIn(body, 'comOrganisationId') ?? found) ? found : null
}

/** The provider's own things are the provider's alone: anybody else is judged, and refused, in the organisation they work in. */
function namedByQuery(query: unknown, actor: Actor): string | 'the provider' | null {
  const { orgId, ofProvider } = (query ?? {}) as { orgId?: string; ofProvider?: boolean }
  if (ofProvider === true && actor.providerRole !== null) return 'the provider'
  return orgId ?? actor.organisationId
}

async function organisationOfConnector(db: Db, connectorId: string): Promise<string | null> {
  const found = await db
    .selectFrom('connector')
    .select('organisationId')
    .where('id', '=', connectorId)
    .executeTakeFirst()
  return found?.organisationId ?? null
}

/** A request for a new organisation is the provider's; null where there is no such request. */
async function organisationOfApproval(db: Db, id: string): Promise<string | 'the provider' | null> {
  const found = await db.selectFrom('approval').select('organisationId').where('id', '=', id).executeTakeFirst()
  return found === undefined ? null : (found.organisationId ?? 'the provider')
}

/** By which names calls speak of records. A group's own calls name what it grants, too, so the group comes first. */
const recordTables = {
  loadId: 'load',
  groupId: 'permissionGroup',
  areaId: 'area',
  subareaId: 'subarea',
  subAreaId: 'subarea',
  versionId: 'version',
  milestoneId: 'milestone',
  helperTableId: 'helperTable',
  entityId: 'entity',
} as const

interface NamedRecord {
  readonly table: (typeof recordTables)[keyof typeof recordTables]
  readonly id: string
}

function recordsIn(source: unknown): readonly NamedRecord[] {
  return Object.entries(recordTables).flatMap(([name, table]) => {
    const id = idIn(source, name)
    return id === null ? [] : [{ table, id }]
  })
}

async function organisationOfRecord(db: Db, { table, id }: NamedRecord): Promise<string | null> {
  // Every one of these tables has the two columns that are asked for.
  const found = await db
    .selectFrom(table as 'area')
    .select('organisationId')
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.organisationId ?? null
}

function idIn(body: unknown, name: string): string | null {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  const id = Id.safeParse(value)
  return id.success ? id.data : null
}

async function organisationOfKey(db: Db, key: string): Promise<string | null> {
  const found = await db.selectFrom('organisation').select('id').where('key', '=', key).executeTakeFirst()
  return found?.id ?? null
}

interface RoleQuestion {
  readonly route: Route
  readonly actor: Actor
  readonly organisationId: string | null
  readonly from: Addressing['from']
}

/** The caller's role where the call is addressed to, or `notAllowed`. */
export async function requireRole(
  parts: Parts,
  { route, actor, organisationId, from }: RoleQuestion,
): Promise<RoleName> {
  const role = organisationId === null ? actor.role : (roleIn(actor, organisationId) ?? actor.role)
  if (route.allow === 'visitor' || route.allow === 'signedIn') return role
  if (may(actingAs(actor, role).roleLevel, route.allow)) return role
  await recordRefusal(parts, route, { actor, organisationId, from, action: 'authz.denied' })
  throw new ApiFault('notAllowed')
}

interface Refusal {
  readonly actor: Actor
  readonly organisationId: string | null
  readonly from: Addressing['from']
  readonly action: AuditAction
}

/** Across: a refused call is told to the provider where it addresses nobody's organisation or a foreign one. */
async function recordRefusal(
  { store, audit }: Parts,
  route: Route,
  { actor, organisationId, from, action }: Refusal,
): Promise<void> {
  const detail = { route: `${route.method} ${route.path}` }
  await store.across((db) =>
    audit.record(db, originOf(actor, from), { organisationId, action, outcome: 'refused', detail }),
  )
}
