/** The revocation endpoint (RFC 7009): an assistant gives back what it was allowed. */
import { withActor } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { isToken } from '../../identity/tokens/token-format.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { OauthError } from './oauth-error.ts'
import { endToken, lockSecretEverywhere } from './queries.ts'
import { requireClient, requireParameter, type TokenRequest, type TokenServices } from './token-endpoint.ts'

/** Idempotent, also for unknown tokens (section 2.2). Either token ends both. Throws `OauthError` for a token of another client. */
export async function revokeToken(services: TokenServices, { parameters, auditContext }: TokenRequest): Promise<void> {
  const { audit, clock, store } = services
  const secret = requireParameter(parameters, 'token')
  await requireClient(services, parameters)
  if (!isToken(secret, 'access') && !isToken(secret, 'refresh')) return
  // Across: the token determines the organisation.
  await store.across(async (db) => {
    const locked = await lockSecretEverywhere(db, hashOf(secret))
    if (locked === undefined) return
    const { organisationId, tokenId, userId, clientId, clientName: name } = locked
    if (clientId !== parameters.get('client_id')?.toLowerCase())
      throw new OauthError('invalid_grant', 'The token belongs to another client.')
    if (!(await endToken(db, organisationId, { tokenId, revokedAt: isoTime(clock.now()) }))) return
    await audit.record(db, withActor(auditContext, { userId }), {
      organisationId,
      action: 'assistant.disconnected',
      object: { type: 'assistant', id: clientId },
      detail: { after: { name }, tokenId },
    })
  })
}
