/** Authenticates calls by an access token, for the API and for the feeds next to it. */
import { roleLevels } from '@tributary/contract/capabilities'
import type { TokenScope } from '@tributary/contract/token-scopes'
import { isoTime } from '../../kernel/clock.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { countToken, countVisitor } from '../../security/throttling/call-rates.ts'
import type { IdentityServices } from '../identity-services.ts'
import { readTokenCredential, type TokenScheme } from './read-credential.ts'
import { isToken } from './token-format.ts'
import { findAssistantToken, findToken, type FoundToken, recordTokenUse } from './token-queries.ts'

export type TokenServices = Pick<IdentityServices, 'callCounter' | 'clock' | 'config' | 'settings' | 'store'>

/** The parts of a request that matter. A `FastifyRequest` is one. */
export interface TokenRequest {
  readonly headers: { readonly authorization?: string | undefined; readonly 'user-agent'?: string | undefined }
  readonly ip: string
}

export interface TokenCaller {
  /** The owner with their present role in the token's organisation, and no role elsewhere. */
  readonly actor: Actor
  /** The only organisation that the token may be used for. */
  readonly organisationId: string
  readonly scopes: readonly TokenScope[]
}

/**
 * Reads the store each time, so that a revoked token, a locked owner or a changed role counts at once. Counts the call and
 * limits its rate. A caller that also addresses an organisation counts that with `countOrganisation`.
 *
 * Throws `notSignedIn` for a missing, malformed, unknown or revoked token and for one whose owner is locked or has left,
 * `tokenExpired`, `tokensOff`, `passwordTemporary`, `maintained`, `tooMany`.
 */
export async function authenticateToken(
  services: TokenServices,
  request: TokenRequest,
  schemes: readonly TokenScheme[],
): Promise<TokenCaller> {
  const credential = readTokenCredential(request.headers.authorization, schemes)
  const found = credential === null ? undefined : await find(services, credential)
  if (found === undefined) {
    countVisitor(services, request.ip)
    throw new ApiFault('notSignedIn')
  }
  countToken(services, found.id)
  await requireUsable(services, found)
  const program = request.headers['user-agent'] ?? ''
  const use = { at: services.clock.now(), address: request.ip, program: program.slice(0, programMax).toWellFormed() }
  // Across: counting must not depend on the organisation that the call addresses.
  await services.store.across((db) => recordTokenUse(db, found, use))
  return { actor: toActor(found), organisationId: found.organisationId, scopes: found.scopes }
}

/** The longest part of a user agent that is kept. */
const programMax = 200

/** Throws `tokenScope`, which names the scopes that would do. */
export function requireTokenScope(scopes: readonly TokenScope[], accepted: readonly TokenScope[]): void {
  if (accepted.some((scope) => scopes.includes(scope))) return
  throw new ApiFault('tokenScope', { values: { scope: accepted.join(' or ') } })
}

/** Looks the token up by its hash, so that how long it takes reveals nothing about stored tokens. */
async function find({ store }: TokenServices, token: string): Promise<FoundToken | undefined> {
  // Across, twice: the token determines the organisation.
  if (isToken(token, 'access')) return store.across((db) => findAssistantToken(db, hashOf(token)))
  if (!isToken(token, 'person') && !isToken(token, 'service')) return undefined
  return store.across((db) => findToken(db, hashOf(token)))
}

/** Throws `tokenExpired`, `tokensOff`, `passwordTemporary` and `maintained`. */
export async function requireUsable(
  { clock, settings }: Pick<TokenServices, 'clock' | 'settings'>,
  found: FoundToken,
): Promise<void> {
  const { expiresAt } = found
  if (Date.parse(expiresAt) <= clock.now())
    throw new ApiFault('tokenExpired', { values: { at: `${expiresAt.slice(0, 16).replace('T', ' at ')} UTC` } })
  const { AccessTokens, MaintenanceMode } = await settings.read()
  if (!AccessTokens) throw tokensOffFault('provider')
  if (!found.allowsTokens) throw tokensOffFault('organisation')
  if (found.passwordIsTemporary) throw new ApiFault('passwordTemporary')
  if (MaintenanceMode) throw new ApiFault('maintained')
}

export function tokensOffFault(by: 'provider' | 'organisation'): ApiFault {
  const values =
    by === 'provider'
      ? { where: 'by the provider', whom: 'the provider' }
      : { where: 'in this organisation', whom: 'an administrator' }
  return new ApiFault('tokensOff', { values })
}

function toActor({ id, role, organisationId, scopes, ...owner }: FoundToken): Actor {
  const { userId, firstName, lastName, emailAddress, passwordIsTemporary } = owner
  return {
    userId,
    firstName,
    lastName,
    emailAddress,
    passwordIsTemporary,
    sessionId: id,
    // A token is never a proof that its owner is present.
    signedInAt: isoTime(0),
    role,
    roleLevel: roleLevels[role],
    organisationId,
    memberships: { [organisationId]: role },
    // A provider role holds in every organisation, but the token in one.
    providerRole: null,
    tokenScopes: scopes,
  }
}
