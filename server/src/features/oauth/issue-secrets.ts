/** Issues an access token and the next refresh token of an assistant. The store has only their hashes. */
import { oauthLimits } from '@tributary/contract/limits'
import type { TokenScope } from '@tributary/contract/token-scopes'
import { generateToken } from '../../identity/tokens/token-format.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { insertSecrets } from './queries.ts'

/** RFC 6749, section 5.1. */
export interface TokenReply {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** In seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

interface IssuedFor {
  readonly organisationId: string
  readonly tokenId: string
  readonly scopes: readonly TokenScope[]
  /** When the person has to allow the assistant again. Refreshing does not postpone it. */
  readonly endsAt: string
}

export async function issueSecrets(
  db: Db,
  now: number,
  { organisationId, tokenId, scopes, endsAt }: IssuedFor,
): Promise<TokenReply> {
  const accessEnds = Math.min(now + oauthLimits.accessMs, Date.parse(endsAt))
  const [access, refresh] = [generateToken('access'), generateToken('refresh')]
  await insertSecrets(db, organisationId, [
    { tokenId, kind: 'access', secretHash: hashOf(access), expiresAt: isoTime(accessEnds) },
    { tokenId, kind: 'refresh', secretHash: hashOf(refresh), expiresAt: endsAt },
  ])
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor((accessEnds - now) / 1_000),
    refresh_token: refresh,
    scope: scopes.join(' '),
  }
}
