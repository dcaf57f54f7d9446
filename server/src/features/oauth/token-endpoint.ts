/** The token endpoint (OAuth 2.1, section 3.2): exchanges a code, and refreshes. Clients are public: PKCE and rotation take the place of a secret. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { Id } from '@tributary/contract/id'
import { oauthLimits } from '@tributary/contract/limits'
import { requireAssistants } from '../../access/assistants/switches.ts'
import type { AppServices } from '../../app-services.ts'
import { requireUsable } from '../../identity/tokens/authenticate-token.ts'
import { resourceAddress } from '../../identity/tokens/assistant-resource.ts'
import { isToken } from '../../identity/tokens/token-format.ts'
import { findTokenById } from '../../identity/tokens/token-queries.ts'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { issueSecrets, type TokenReply } from './issue-secrets.ts'
import { OauthError } from './oauth-error.ts'
import {
  endToken,
  findClient,
  insertAssistantToken,
  type LockedCode,
  type LockedSecret,
  lockCodeEverywhere,
  lockSecretEverywhere,
  markCodeUsed,
  markSecretUsed,
  revokeFormerTokens,
} from './queries.ts'

export type TokenServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'settings' | 'store'>
/** Of a request that the endpoint has read. Each occurs once. */
export type FormParameters = ReadonlyMap<string, string>

export interface TokenRequest {
  readonly parameters: FormParameters
  /** Of the call, which has no session. */
  readonly auditContext: AuditContext<null, null>
}

/** Throws `OauthError`. */
export async function issueTokens(services: TokenServices, request: TokenRequest): Promise<TokenReply> {
  const { parameters } = request
  const grantType = requireParameter(parameters, 'grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  await requireClient(services, parameters)
  const expected = resourceAddress(services.config.publicUrl)
  if ((parameters.get('resource') ?? expected) !== expected)
    throw new OauthError('invalid_target', `resource must be ${expected}.`)
  const outcome = await (grantType === 'refresh_token' ? refresh(services, request) : exchangeCode(services, request))
  // Not thrown in the transaction, which records the use.
  if (outcome instanceof OauthError) throw outcome
  return outcome
}

export function requireParameter(parameters: FormParameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined || value === '') throw new OauthError('invalid_request', `${name} is missing.`)
  return value
}

export async function requireClient(
  { store }: Pick<TokenServices, 'store'>,
  parameters: FormParameters,
): Promise<void> {
  const id = Id.safeParse(requireParameter(parameters, 'client_id'))
  // Across: a client belongs to no organisation.
  const client = id.success ? await store.across((db) => findClient(db, id.data)) : undefined
  if (client === undefined) throw new OauthError('invalid_client', 'This client is not registered. Register it again.')
}

async function exchangeCode(
  services: TokenServices,
  { parameters, auditContext }: TokenRequest,
): Promise<TokenReply | OauthError> {
  const code = requireParameter(parameters, 'code')
  const verifier = requireParameter(parameters, 'code_verifier')
  const codeHash = hashOf(code)
  const now = services.clock.now()
  // Across: the code determines the organisation.
  return services.store.across(async (db) => {
    const locked = isToken(code, 'code') ? await lockCodeEverywhere(db, codeHash) : undefined
    if (locked === undefined) return codeRefused('is unknown')
    const { organisationId, userId, clientId, scopes } = locked
    if (locked.usedAt !== null) {
      await endReused(db, services, auditContext, { ...locked, secret: 'code' })
      return codeRefused('was used before, so everything that it issued has ended')
    }
    const usedAt = isoTime(now)
    // Also if the rest is wrong, so that no verifier can be guessed.
    await markCodeUsed(db, organisationId, { codeHash, usedAt })
    if (Date.parse(locked.expiresAt) <= now) return codeRefused('has expired')
    const problem = findBindingProblem(locked, parameters, verifier)
    if (problem !== null) return codeRefused(problem)
    const endsAt = isoTime(now + oauthLimits.connectionMs)
    const token = { userId, oauthClientId: clientId, name: locked.clientName, scopes, createdAt: usedAt }
    const tokenId = await insertAssistantToken(db, organisationId, { ...token, expiresAt: endsAt })
    await requireOwner(db, services, { organisationId, tokenId })
    await markCodeUsed(db, organisationId, { codeHash, usedAt, tokenId })
    await revokeFormerTokens(db, organisationId, { keptId: tokenId, userId, clientId, revokedAt: usedAt })
    await services.audit.record(db, withActor(auditContext, { userId }), {
      organisationId,
      action: 'assistant.connected',
      object: { type: 'assistant', id: clientId },
      detail: { after: { name: locked.clientName }, scopes, tokenId, expiresAt: endsAt },
    })
    return issueSecrets(db, now, { organisationId, tokenId, scopes, endsAt })
  })
}

function codeRefused(why: string): OauthError {
  return new OauthError('invalid_grant', `The code ${why}.`)
}

/** What contradicts the request for which the code was made, as the end of a sentence. */
function findBindingProblem(code: LockedCode, parameters: FormParameters, verifier: string): string | null {
  if (code.clientId !== parameters.get('client_id')?.toLowerCase()) return 'belongs to another client'
  if (code.redirectUri !== parameters.get('redirect_uri')) return 'was made for another redirect_uri'
  // RFC 7636, section 4.1.
  const isVerifier = /^[\w.~-]{43,128}$/u.test(verifier)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const isSame = timingSafeEqual(Buffer.from(challenge), Buffer.from(code.challenge))
  return isVerifier && isSame ? null : 'was made for another code_verifier'
}

async function refresh(
  services: TokenServices,
  { parameters, auditContext }: TokenRequest,
): Promise<TokenReply | OauthError> {
  const refreshToken = requireParameter(parameters, 'refresh_token')
  const secretHash = hashOf(refreshToken)
  const now = services.clock.now()
  // Across: the token determines the organisation.
  return services.store.across(async (db) => {
    const locked = isToken(refreshToken, 'refresh') ? await lockSecretEverywhere(db, secretHash) : undefined
    if (locked === undefined || locked.kind !== 'refresh') return refreshRefused('is unknown')
    const { organisationId, tokenId, scopes, endsAt } = locked
    if (locked.usedAt !== null) {
      await endReused(db, services, auditContext, { ...locked, secret: 'refresh_token' })
      return refreshRefused('was used before, so the connection has ended. The person has to allow it again')
    }
    const problem = findRefreshProblem(locked, parameters, now)
    if (problem !== null) return problem
    await requireOwner(db, services, { organisationId, tokenId })
    await markSecretUsed(db, organisationId, { secretHash, usedAt: isoTime(now) })
    return issueSecrets(db, now, { organisationId, tokenId, scopes, endsAt })
  })
}

function refreshRefused(why: string): OauthError {
  return new OauthError('invalid_grant', `The refresh token ${why}.`)
}

function findRefreshProblem(locked: LockedSecret, parameters: FormParameters, now: number): OauthError | null {
  if (locked.clientId !== parameters.get('client_id')?.toLowerCase()) return refreshRefused('belongs to another client')
  if (locked.revokedAt !== null) return refreshRefused('was revoked')
  if (Date.parse(locked.expiresAt) <= now) return refreshRefused('has expired. The person has to allow it again')
  const scopes = parameters.get('scope')?.split(' ') ?? locked.scopes
  const isSame = scopes.length === locked.scopes.length && locked.scopes.every((scope) => scopes.includes(scope))
  return isSame ? null : new OauthError('invalid_scope', `scope must be ${locked.scopes.join(' ')}, or left out.`)
}

/**
 * Throws `OauthError` unless a call with the token would succeed now: its owner is active, has a role in the organisation, and
 * everyone allows it.
 */
async function requireOwner(
  db: Db,
  services: TokenServices,
  { organisationId, tokenId }: { readonly organisationId: string; readonly tokenId: string },
): Promise<void> {
  const found = await findTokenById(db, organisationId, tokenId)
  if (found === undefined)
    throw new OauthError('invalid_grant', 'The person who allowed it may no longer work in this organisation.')
  try {
    await requireAssistants(db, organisationId)
    await requireUsable(services, found)
  } catch (error) {
    if (error instanceof ApiFault && error.statusCode < 500) throw new OauthError('invalid_grant', error.message)
    throw error
  }
}

/** Either of the two callers may have stolen it, so both lose what it issued (OAuth 2.1, sections 4.1.3 and 4.3.1). */
async function endReused(
  db: Db,
  { audit, clock }: TokenServices,
  auditContext: AuditContext,
  locked: Pick<LockedCode, 'organisationId' | 'userId' | 'clientId' | 'clientName' | 'tokenId'> & {
    readonly secret: 'code' | 'refresh_token'
  },
): Promise<void> {
  const { organisationId, tokenId, userId, clientId, clientName: name, secret } = locked
  if (tokenId === null) return
  if (!(await endToken(db, organisationId, { tokenId, revokedAt: isoTime(clock.now()) }))) return
  await audit.record(db, withActor(auditContext, { userId }), {
    organisationId,
    action: 'assistant.token_reuse',
    outcome: 'failure',
    object: { type: 'assistant', id: clientId },
    detail: { after: { name }, secret, tokenId },
  })
}
