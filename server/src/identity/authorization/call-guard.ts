/** Authenticates a call and checks that the caller may make it, before its handler runs. */
import type { IdentityServices } from '../identity-services.ts'
import type { Route } from '@tributary/contract/route'
import type { FastifyRequest } from 'fastify'
import { type Actor, actingAs } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AddressedCall, CallGuard } from '../../kernel/http/bind.ts'
import { innerCaller } from '../../kernel/http/inner-call.ts'
import { countOrganisation, countSession, countVisitor } from '../../security/throttling/call-rates.ts'
import { requireReAuthentication, requireSecondFactor } from '../factors/re-authentication.ts'
import { recordLook } from '../people/auditor-rooms.ts'
import { authenticateToken } from '../tokens/authenticate-token.ts'
import { readTokenCredential, type TokenScheme } from '../tokens/read-credential.ts'
import { resolveScope, type ResolvedScope, requireRole, requireTokenAccess } from './scope.ts'

type CallGuardServices = Pick<
  IdentityServices,
  'audit' | 'callCounter' | 'clock' | 'config' | 'sessions' | 'settings' | 'store'
>

export function createCallGuard(services: CallGuardServices): CallGuard {
  return {
    identify: (route, request) => identify(services, route, request),
    requireOpen: (route, actor) => requireOpen(services, route, actor),
    authorise: (route, call) => authorise(services, route, call),
    requireReAuthentication: (actor) => requireReAuthentication(services, actor),
    requireSecondFactor: (actor) => requireSecondFactor(services, actor),
  }
}

async function identify(services: CallGuardServices, route: Route, request: FastifyRequest): Promise<Actor | null> {
  const inner = innerCaller()
  if (inner !== undefined) return inner
  const actor = await readActor(services, route, request)
  if (actor === null) countVisitor(services, request.ip)
  else countSession(services, route, actor)
  // A route for visitors ignores a token that the browser still sends.
  if (route.allow === 'visitor') return null
  if (actor === null) throw new ApiFault('notSignedIn')
  if (actor.passwordIsTemporary && route.allowsTemporaryPassword !== true) throw new ApiFault('passwordTemporary')
  return actor
}

async function readActor(services: CallGuardServices, route: Route, request: FastifyRequest): Promise<Actor | null> {
  const { authorization } = request.headers
  const [scheme, token] = authorization?.split(' ') ?? []
  if (route.allow === 'visitor' || token === undefined) return null
  const schemes: readonly TokenScheme[] = route.takesBasic === true ? ['bearer', 'basic'] : ['bearer']
  if (readTokenCredential(authorization, schemes) !== null)
    return (await authenticateToken(services, request, schemes)).actor
  return scheme?.toLowerCase() === 'bearer' ? readSession(services, route, token) : null
}

async function readSession({ sessions }: CallGuardServices, route: Route, token: string): Promise<Actor | null> {
  try {
    return await sessions.read(token, route.passive === true ? 'passive' : 'active')
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'notSignedIn') return null
    throw error
  }
}

/** Open during maintenance so that the provider can sign in. Starting a session refuses everyone else. */
const signInPaths = /^\/(?:auth|verify|reset-password|mailbox)(?:\/|$)|^\/registration\/captcha$/u

async function requireOpen({ settings }: CallGuardServices, route: Route, actor: Actor | null): Promise<void> {
  const isExempt = actor === null ? signInPaths.test(route.path) : actor.providerRole !== null
  if (!isExempt && (await settings.read()).MaintenanceMode) throw new ApiFault('maintained')
}

const noOrganisation: ResolvedScope = { organisationId: null, guestId: null }

async function authorise(
  services: CallGuardServices,
  route: Route,
  { person, from, ...sent }: AddressedCall,
): ReturnType<CallGuard['authorise']> {
  if (person !== null) await requireTokenAccess(services, route, { actor: person, from })
  const { organisationId, guestId } =
    person === null ? noOrganisation : await resolveScope(services, route, { ...sent, actor: person, from })
  const roleOrganisationId = guestId ?? organisationId
  if (innerCaller() === undefined) countOrganisation(services, roleOrganisationId)
  if (person === null) return { actor: null, organisationId }
  const role = await requireRole(services, route, { actor: person, organisationId: roleOrganisationId, ...from })
  const actor = actingAs(person, role)
  if (roleOrganisationId !== null)
    await recordLook(services, route, { ...sent, actor, organisationId: roleOrganisationId })
  return { actor: guestId === null ? actor : { ...actor, isGuest: true }, organisationId }
}
