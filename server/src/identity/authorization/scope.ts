/** Which organisation a call addresses, and which role the caller has there. */
import { may, roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { Id } from '@tributary/contract/id'
import type { Route } from '@tributary/contract/route'
import { connectorInPath, organisationInQuery, type ScopeParam, scopeParams } from '@tributary/contract/scope'
import type { AuditAction } from '../../security/audit/audit-actions.ts'
import { roleIn, actingAs, type Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AddressedCall } from '../../kernel/http/bind.ts'
import { findOwner, guestsAmong } from './shared-connectors.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { Audit } from '../../security/audit/audit.ts'

interface ScopeServices {
  readonly audit: Audit
  readonly store: Store
}

interface CallAddress extends Omit<AddressedCall, 'person'> {
  readonly actor: Actor
}

/** `guestId`: the organisation in which the role holds, where that is not the one whose data it is. */
export interface ResolvedScope {
  readonly organisationId: string | null
  readonly guestId: string | null
}

/** Resolves what the route declares. A shared connector belongs to its owner, also in a call of a guest. */
export async function resolveScope(services: ScopeServices, route: Route, call: CallAddress): Promise<ResolvedScope> {
  const connectorId = sharedConnector(route, call)
  const namesOnlyConnector = scopeParams(route.scope).every(({ table }) => table === 'connector')
  const guestId = connectorId !== null && namesOnlyConnector ? await guestOf(services, call, connectorId) : null
  const organisationId = guestId ?? (await addressedOrganisation(services, route, call))
  const asked = orgIdIn(call.query)
  const isInQuery = scopeParams(route.scope).some(({ from }) => from === 'query')
  if (route.scope !== 'none' && !isInQuery && asked !== null && asked !== organisationId) throw new ApiFault('notFound')
  const ownerId =
    connectorId === null || organisationId === null ? null : await ownerOf(services, connectorId, organisationId)
  return ownerId === null ? { organisationId, guestId: null } : { organisationId: ownerId, guestId: organisationId }
}

/** The connector that the path names, where the route is open to guests. */
function sharedConnector({ guestReply, scope }: Route, { params }: CallAddress): string | null {
  const name = guestReply && scopeParams(scope).find(({ shared }) => shared !== undefined)?.shared
  return name === undefined ? null : idIn(params, name)
}

/**
 * For a call that names nothing but the connector: the caller's organisation that it is shared with, unless the caller is a member
 * of its owner, too. Of several organisations the one in which the caller may do most. With `orgId` only that one counts.
 */
async function guestOf(
  { store }: ScopeServices,
  { actor, query }: CallAddress,
  connectorId: string,
): Promise<string | null> {
  if (actor.providerRole !== null) return null
  const asked = orgIdIn(query)
  const own = Object.keys(actor.memberships).filter((id) => asked === null || id === asked)
  const levelIn = (id: string) => roleLevels[roleIn(actor, id) ?? 'guest']
  // Across: the connector is another organisation's.
  return store.across(async (db) => {
    const owner = await organisationOf(db, { ...connectorInPath, value: connectorId })
    if (owner === null || own.includes(owner)) return null
    const guests = await guestsAmong(db, connectorId, own)
    return guests.toSorted((one, other) => levelIn(one) - levelIn(other))[0] ?? null
  })
}

async function ownerOf({ store }: ScopeServices, connectorId: string, organisationId: string): Promise<string | null> {
  // Across: the connector is another organisation's.
  return store.across((db) => findOwner(db, connectorId, organisationId))
}

/** In place of an organisation: what is the provider's own, such as a request for a new organisation. */
const provider = 'the provider'

/** Null where the route addresses none. A foreign organisation and an unknown one are refused alike, with `notFound`. */
async function addressedOrganisation(services: ScopeServices, route: Route, call: CallAddress): Promise<string | null> {
  if (route.scope === 'none') return null
  const named = await namedOrganisation(services, route, call)
  if (named === provider) {
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
    await recordRefusal(services, route, { ...call, organisationId: null, action: 'authz.tenant_mismatch' })
    throw new ApiFault('notFound')
  }
  await requireForProvider(services, route, named)
  return named
}

/** The provider's people see every organisation that there is, but change nothing in an archived one. Its members see it no more. */
async function requireForProvider({ store }: ScopeServices, route: Route, id: string): Promise<void> {
  // Across: which organisations there are.
  const found = await store.across((db) =>
    db.selectFrom('organisation').select('archivedAt').where('id', '=', id).executeTakeFirst(),
  )
  if (found === undefined) throw new ApiFault('notFound')
  const changes = (route.method !== 'GET' || route.changes === true) && route.allow !== 'manageOrganisations'
  if (changes && found.archivedAt !== null) throw new ApiFault('organisationArchived')
}

interface NamedRow extends ScopeParam {
  readonly value: string
}

/** Null where nothing is named, or where the parameters name different organisations. */
async function namedOrganisation(
  { store }: ScopeServices,
  { scope }: Route,
  call: CallAddress,
): Promise<string | null> {
  const params = scopeParams(scope)
  // Another caller than the provider's is judged, and refused, in the organisation that they work in.
  const asksForProvider = params.some(({ providerFlag }) => providerFlag && valueIn(call.query, providerFlag) === true)
  if (asksForProvider && call.actor.providerRole !== null) return provider
  const rows = params.flatMap((param) => rowNamed(param, call))
  // The form of the body is checked after the right: here it may lack what it must have.
  if (rows.every(({ confirms }) => confirms === true)) return orgIdIn(call.query) ?? call.actor.organisationId
  const [first = null, ...others] = new Set(await organisationsOf(store, rows))
  return others.length === 0 ? first : null
}

function rowNamed(param: ScopeParam, { params, query, body }: CallAddress): readonly NamedRow[] {
  const source = { path: params, query, body }[param.from]
  const value = param.isKey === true ? (valueIn(source, param.param) as string) : idIn(source, param.param)
  return value === null ? [] : [{ ...param, value }]
}

async function organisationsOf(store: Store, rows: readonly NamedRow[]): Promise<(string | null)[]> {
  if (rows.every(({ table, isKey }) => table === 'organisation' && isKey !== true))
    return rows.map(({ value }) => value)
  // Across: the row tells the organisation.
  return store.across(async (db) => {
    const found = []
    for (const row of rows) found.push(await organisationOf(db, row))
    return found
  })
}

async function organisationOf(db: Db, { table, isKey, value }: NamedRow): Promise<string | null> {
  if (table === 'organisation') return isKey === true ? organisationOfKey(db, value) : value
  // Every one of these tables has the two columns.
  const found = await db
    .selectFrom(table as 'approval')
    .select('organisationId')
    .where('id', '=', value)
    .executeTakeFirst()
  return found === undefined ? null : (found.organisationId ?? provider)
}

async function organisationOfKey(db: Db, key: string): Promise<string | null> {
  const found = await db.selectFrom('organisation').select('id').where('key', '=', key).executeTakeFirst()
  return found?.id ?? null
}

function orgIdIn(query: unknown): string | null {
  return idIn(query, organisationInQuery.param)
}

function idIn(source: unknown, name: string): string | null {
  const id = Id.safeParse(valueIn(source, name))
  return id.success ? id.data : null
}

function valueIn(source: unknown, name: string): unknown {
  return typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined
}

interface RoleQuestion {
  readonly route: Route
  readonly actor: Actor
  readonly organisationId: string | null
  readonly from: CallAddress['from']
}

/** The caller's role where the call is addressed to, or `notAllowed`. */
export async function requireRole(
  services: ScopeServices,
  { route, actor, organisationId, from }: RoleQuestion,
): Promise<RoleName> {
  const role = organisationId === null ? actor.role : (roleIn(actor, organisationId) ?? actor.role)
  if (route.allow === 'visitor' || route.allow === 'signedIn') return role
  if (may(actingAs(actor, role).roleLevel, route.allow)) return role
  await recordRefusal(services, route, { actor, organisationId, from, action: 'authz.denied' })
  throw new ApiFault('notAllowed')
}

interface RefusedCall {
  readonly actor: Actor
  readonly organisationId: string | null
  readonly from: CallAddress['from']
  readonly action: AuditAction
}

/** Across: a refused call is told to the provider where it addresses nobody's organisation or a foreign one. */
async function recordRefusal(
  { store, audit }: ScopeServices,
  route: Route,
  { actor, organisationId, from, action }: RefusedCall,
): Promise<void> {
  const detail = { route: `${route.method} ${route.path}` }
  await store.across((db) =>
    audit.record(db, { actor, organisationId, ...from }, { action, outcome: 'refused', detail }),
  )
}
