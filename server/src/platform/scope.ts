/** Which organisation a call addresses, and which role the caller has there. */
import { may, type RoleName } from '@tributary/contract/capabilities'
import type { Route } from '@tributary/contract/route'
import { originOf, roleIn, actingAs, type Actor } from './actor.ts'
import { ApiFault } from './fault.ts'
import type { Parts } from './parts.ts'
import { isOrganisation } from './session-queries.ts'
import type { Db } from './store.ts'

interface Addressing {
  readonly actor: Actor
  readonly params: unknown
  readonly query: unknown
  readonly from: { readonly address: string; readonly reference: string }
}

/** Null where the route addresses none. A foreign organisation and an unknown one are refused alike, with `notFound`. */
export async function addressedOrganisation(parts: Parts, route: Route, call: Addressing): Promise<string | null> {
  if (route.scope === 'none') return null
  const named = await namedOrganisation(parts, route, call)
  // A superadmin of a new installation belongs to none yet; lists that are the same for all are not refused for it.
  if (named === null && route.allow === 'signedIn') return null
  if (named === null) throw new ApiFault('notFound')
  if (call.actor.providerRole === null) {
    if (roleIn(call.actor, named) !== undefined) return named
    await recordRefusal(parts, route, { ...call, organisationId: null, action: 'authz.tenant_mismatch' })
    throw new ApiFault('notFound')
  }
  // Across: the two provider roles see every organisation, but one that there is.
  if (await parts.store.across((db) => isOrganisation(db, named))) return named
  throw new ApiFault('notFound')
}

async function namedOrganisation({ store }: Parts, route: Route, { actor, params, query }: Addressing): Promise<string | null> {
  const { clientId, clientKey, connectorId } = (params ?? {}) as Record<string, string>
  if (route.scope === 'client') return clientId ?? null
  if (route.scope === 'query') return (query as { orgId?: string } | undefined)?.orgId ?? actor.organisationId
  // Across: the call names a thing, and the thing tells the organisation.
  if (route.scope === 'connector') return store.across((db) => organisationOfConnector(db, connectorId ?? ''))
  return store.across((db) => organisationOfKey(db, clientKey ?? ''))
}

async function organisationOfConnector(db: Db, connectorId: string): Promise<string | null> {
  const found = await db.selectFrom('connector').select('organisationId').where('id', '=', connectorId).executeTakeFirst()
  return found?.organisationId ?? null
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
export async function requireRole(parts: Parts, { route, actor, organisationId, from }: RoleQuestion): Promise<RoleName> {
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
  readonly action: string
}

/** Across: a refused call is told to the provider where it addresses nobody's organisation or a foreign one. */
async function recordRefusal({ store, audit }: Parts, route: Route, { actor, organisationId, from, action }: Refusal): Promise<void> {
  const detail = { route: `${route.method} ${route.path}` }
  await store.across((db) => audit.record(db, originOf(actor, from), { organisationId, action, outcome: 'refused', detail }))
}
