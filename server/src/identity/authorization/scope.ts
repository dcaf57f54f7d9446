/** Resolves the organisation that a call addresses and the caller's role there. */
import type { SecurityServices } from '../../security/security-services.ts'
import { may, roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { Id } from '@tributary/contract/id'
import type { Route } from '@tributary/contract/route'
import { connectorInPath, organisationInQuery, type ScopeParam, scopeParams } from '@tributary/contract/scope'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AuditAction } from '@tributary/contract/audit-actions'
import { roleIn, roomIn, actingAs, type Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AddressedCall } from '../../kernel/http/bind.ts'
import { requireTokenScope } from '../tokens/authenticate-token.ts'
import { findOwner, filterGuests } from './shared-connectors.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

type ScopeServices = Pick<SecurityServices, 'audit' | 'store'>

interface CallAddress extends Omit<AddressedCall, 'person'> {
  readonly actor: Actor
}

/** `guestId`: the caller's organisation, if another organisation owns the shared data. */
export interface ResolvedScope {
  readonly organisationId: string | null
  readonly guestId: string | null
}

/**
 * Resolves the scope that the route declares. A call of a guest for a shared connector is resolved to the connector's
 * owner.
 */
export async function resolveScope(services: ScopeServices, route: Route, call: CallAddress): Promise<ResolvedScope> {
  const connectorId = readSharedConnectorId(route, call)
  const namesOnlyConnector = scopeParams(route.scope).every(({ table }) => table === 'connector')
  const guestId =
    connectorId !== null && namesOnlyConnector ? await findGuestOrganisation(services, call, connectorId) : null
  const organisationId = guestId ?? (await requireAddressedOrganisation(services, route, call))
  const requestedId = readOrgId(call.query)
  const isInQuery = scopeParams(route.scope).some(({ from }) => from === 'query')
  if (route.scope !== 'none' && !isInQuery && requestedId !== null && requestedId !== organisationId)
    throw new ApiFault('notFound')
  const ownerId =
    connectorId === null || organisationId === null
      ? null
      : // Across: the connector is another organisation's.
        await services.store.across((db) => findOwner(db, connectorId, organisationId))
  return ownerId === null ? { organisationId, guestId: null } : { organisationId: ownerId, guestId: organisationId }
}

/** The connector in the path, if the route is open to guests. */
function readSharedConnectorId({ guestReply, scope }: Route, { params }: CallAddress): string | null {
  const name = guestReply && scopeParams(scope).find(({ shared }) => shared !== undefined)?.shared
  return name === undefined ? null : readId(params, name)
}

/**
 * For a call that names only the connector: the caller's organisation that it is shared with, or null if the caller is
 * also a member of its owner. Of several organisations, the one where the caller's role has most rights. `orgId` limits
 * the choice.
 */
async function findGuestOrganisation(
  { store }: ScopeServices,
  { actor, query }: CallAddress,
  connectorId: string,
): Promise<string | null> {
  if (actor.providerRole !== null) return null
  const requestedId = readOrgId(query)
  const own = Object.keys(actor.memberships).filter((id) => requestedId === null || id === requestedId)
  const levelIn = (id: string) => roleLevels[roleIn(actor, id) ?? 'guest']
  // Across: the connector is another organisation's.
  return store.across(async (db) => {
    const owner = await readOrganisation(db, { ...connectorInPath, value: connectorId })
    if (owner === null || own.includes(owner)) return null
    const guests = await filterGuests(db, connectorId, own)
    return guests.toSorted((one, other) => levelIn(one) - levelIn(other))[0] ?? null
  })
}

/** The owner of rows without an organisation, such as a request for a new organisation. */
const provider = 'the provider'

/**
 * Null if the route addresses no organisation. Throws `notFound` for an unknown and for a foreign organisation alike.
 */
async function requireAddressedOrganisation(
  services: ScopeServices,
  route: Route,
  call: CallAddress,
): Promise<string | null> {
  if (route.scope === 'none') return null
  const named = await findNamedOrganisation(services, route, call)
  if (named === provider) {
    if (call.actor.providerRole !== null) return null
    throw new ApiFault('notFound')
  }
  // A superadmin of a new installation has no organisation yet, but may read lists that are the same for all and decide
  // requests for new organisations.
  const isOptional =
    route.allow === 'signedIn' || (route.allow === 'decideApprovals' && call.actor.providerRole !== null)
  if (named === null && isOptional) return null
  if (named === null) throw new ApiFault('notFound')
  if (call.actor.providerRole === null) {
    if (roleIn(call.actor, named) !== undefined) return named
    const auditContext = { actor: call.actor, organisationId: null, ...call.from }
    await recordRefusal(services, route, auditContext, 'authz.tenant_mismatch')
    throw new ApiFault('notFound')
  }
  await requireWritableForProvider(services, route, named)
  return named
}

/** The provider sees every organisation, but cannot change an archived one. Its members no longer see it. */
async function requireWritableForProvider({ store }: ScopeServices, route: Route, id: string): Promise<void> {
  // Across: the provider may address every organisation.
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

/** Null if no organisation is named, or if the parameters name different ones. */
async function findNamedOrganisation(
  { store }: ScopeServices,
  { scope }: Route,
  call: CallAddress,
): Promise<string | null> {
  const params = scopeParams(scope)
  // Any other caller is authorised, and refused, in their current organisation.
  const asksForProvider = params.some(
    ({ providerFlag }) => providerFlag && readValue(call.query, providerFlag) === true,
  )
  if (asksForProvider && call.actor.providerRole !== null) return provider
  const rows = params.flatMap((param) => findNamedRows(param, call))
  // The body is validated after authorisation, so required fields may be missing here.
  if (rows.every(({ confirms }) => confirms === true)) return readOrgId(call.query) ?? call.actor.organisationId
  const [first = null, ...others] = new Set(await readOrganisations(store, rows))
  return others.length === 0 ? first : null
}

function findNamedRows(param: ScopeParam, { params, query, body }: CallAddress): readonly NamedRow[] {
  const source = { path: params, query, body }[param.from]
  const value = param.isKey === true ? (readValue(source, param.param) as string) : readId(source, param.param)
  return value === null ? [] : [{ ...param, value }]
}

async function readOrganisations(store: Store, rows: readonly NamedRow[]): Promise<(string | null)[]> {
  if (rows.every(({ table, isKey }) => table === 'organisation' && isKey !== true))
    return rows.map(({ value }) => value)
  // Across: the row determines the organisation.
  return store.across(async (db) => {
    const found = []
    for (const row of rows) found.push(await readOrganisation(db, row))
    return found
  })
}

async function readOrganisation(db: Db, { table, isKey, value }: NamedRow): Promise<string | null> {
  if (table === 'organisation') return isKey === true ? findOrganisationByKey(db, value) : value
  // All of these tables have both columns.
  const found = await db
    .selectFrom(table as 'approval')
    .select('organisationId')
    .where('id', '=', value)
    .executeTakeFirst()
  return found === undefined ? null : (found.organisationId ?? provider)
}

async function findOrganisationByKey(db: Db, key: string): Promise<string | null> {
  const found = await db.selectFrom('organisation').select('id').where('key', '=', key).executeTakeFirst()
  return found?.id ?? null
}

function readOrgId(query: unknown): string | null {
  return readId(query, organisationInQuery.param)
}

function readId(source: unknown, name: string): string | null {
  const id = Id.safeParse(readValue(source, name))
  return id.success ? id.data : null
}

function readValue(source: unknown, name: string): unknown {
  return typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined
}

/**
 * The caller's role in the addressed organisation. Throws `notAllowed` if it lacks the right, or if the caller is there by an auditor
 * room and the route is not for auditors, and records the refusal.
 */
export async function requireRole(
  services: ScopeServices,
  route: Route,
  auditContext: AuditContext<string | null, Actor>,
): Promise<RoleName> {
  const { actor, organisationId } = auditContext
  const role = organisationId === null ? actor.role : (roleIn(actor, organisationId) ?? actor.role)
  if (route.allow === 'visitor' || route.allow === 'signedIn') return role
  const isOpen = route.forAuditors !== undefined || roomIn(actor, organisationId ?? actor.organisationId) === undefined
  if (isOpen && may(actingAs(actor, role).roleLevel, route.allow)) return role
  await recordRefusal(services, route, auditContext, 'authz.denied')
  throw new ApiFault('notAllowed')
}

/**
 * Throws `tokenRefused` or `tokenScope` if the caller uses an access token that the route does not take, and records the refusal
 * in the token’s organisation.
 */
export async function requireTokenAccess(
  services: ScopeServices,
  route: Route,
  { actor, from }: Pick<CallAddress, 'actor' | 'from'>,
): Promise<void> {
  if (actor.tokenScopes === undefined) return
  try {
    if (route.tokenScopes === undefined) throw new ApiFault('tokenRefused')
    requireTokenScope(actor.tokenScopes, route.tokenScopes)
  } catch (error) {
    const auditContext = { actor, organisationId: actor.organisationId, ...from }
    await recordRefusal(services, route, auditContext, 'authz.denied')
    throw error
  }
}

/** Across: a refused call that addresses no organisation or a foreign one is recorded in the provider's audit log. */
async function recordRefusal(
  { store, audit }: ScopeServices,
  { method, path }: Route,
  auditContext: AuditContext,
  action: AuditAction,
): Promise<void> {
  const detail = { route: `${method} ${path}` }
  await store.across((db) => audit.record(db, auditContext, { action, outcome: 'refused', detail }))
}
