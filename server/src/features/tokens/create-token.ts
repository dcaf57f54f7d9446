/** Makes and renews tokens. The secret is returned once; the store has only its hash. */
import type { ApiToken, CreatedToken } from '@tributary/contract/tokens'
import { tokenLimits, type tokenPrefixes, type TokenScope } from '@tributary/contract/token-scopes'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import { tokensOffFault } from '../../identity/tokens/authenticate-token.ts'
import { tokenMade } from '../../identity/tokens/token-email-templates.ts'
import { countValidTokens } from '../../identity/tokens/token-queries.ts'
import { generateToken } from '../../identity/tokens/token-format.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { getToken, insertToken, readOwnPolicy, replaceSecret } from './queries.ts'

type CreateTokenServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'mailer' | 'settings' | 'store'>

const dayMs = 86_400_000

interface NewToken {
  /** The caller, or a service account of the organisation. */
  readonly owner: { readonly id: string; readonly kind: keyof typeof tokenPrefixes }
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly days: number
}

/** Throws `tokensOff` and `tokensMax`. */
export async function createToken(
  services: CreateTokenServices,
  auditContext: CallerContext,
  { owner, name, scopes, days }: NewToken,
): Promise<Camel<CreatedToken>> {
  const { organisationId, actor } = auditContext
  await requireAllowedByProvider(services)
  const now = services.clock.now()
  const secret = generateToken(owner.kind)
  const row = {
    userId: owner.id,
    name,
    scopes: [...new Set(scopes)],
    secretHash: hashOf(secret),
    createdAt: isoTime(now),
    createdBy: actor.userId,
    expiresAt: isoTime(now + days * dayMs),
  }
  // Across: the owner’s account and mail belong to no organisation.
  const token = await services.store.across(async (db) => {
    await requireAllowed(db, organisationId)
    const count = await countValidTokens(db, organisationId, { userId: owner.id, now: isoTime(now) })
    if (count >= tokenLimits.perOwnerMax) throw new ApiFault('tokensMax', { values: { max: tokenLimits.perOwnerMax } })
    const id = await insertToken(db, organisationId, row)
    await services.audit.record(db, auditContext, {
      action: 'api_token.created',
      object: { type: 'api_token', id },
      detail: { owner: owner.id, scopes: row.scopes, expiresAt: row.expiresAt },
    })
    return notifyMaker(services, db, auditContext, { tokenId: id, event: 'made', isService: owner.kind === 'service' })
  })
  return { secret, token }
}

/** Throws `notFound` for a token of a person, which only they can replace, and `tokensOff`. */
export async function renewToken(
  services: CreateTokenServices,
  auditContext: CallerContext,
  { tokenId, days }: { readonly tokenId: string; readonly days: number },
): Promise<Camel<CreatedToken>> {
  const { organisationId } = auditContext
  await requireAllowedByProvider(services)
  const secret = generateToken('service')
  const expiresAt = isoTime(services.clock.now() + days * dayMs)
  // Across: mail belongs to no organisation.
  const token = await services.store.across(async (db) => {
    await requireAllowed(db, organisationId)
    const { id } = requireFound(
      await replaceSecret(db, organisationId, { tokenId, secretHash: hashOf(secret), expiresAt }),
    )
    await services.audit.record(db, auditContext, {
      action: 'api_token.renewed',
      object: { type: 'api_token', id },
      detail: { expiresAt },
    })
    return notifyMaker(services, db, auditContext, { tokenId: id, event: 'renewed', isService: true })
  })
  return { secret, token }
}

async function requireAllowedByProvider({ settings }: CreateTokenServices): Promise<void> {
  if (!(await settings.read()).AccessTokens) throw tokensOffFault('provider')
}

async function requireAllowed(db: Db, organisationId: string): Promise<void> {
  if (!(await readOwnPolicy(db, organisationId)).allowed) throw tokensOffFault('organisation')
}

/** Mails the caller, in the transaction of the change. Returns the token. */
async function notifyMaker(
  { config, mailer }: CreateTokenServices,
  db: Db,
  { actor, organisationId }: CallerContext,
  { tokenId, event, isService }: { tokenId: string; event: 'made' | 'renewed'; isService: boolean },
): Promise<Camel<ApiToken>> {
  const token = await getToken(db, organisationId, tokenId)
  const { name, organisation: companyName } = token
  const url = tokenPageUrl(config, { organisationId, isService })
  await mailer.enqueue(db, actor.emailAddress, tokenMade({ name, companyName, url, event }))
  return token
}

export function tokenPageUrl(
  { publicUrl }: Pick<AppServices['config'], 'publicUrl'>,
  { organisationId, isService }: { readonly organisationId: string; readonly isService: boolean },
): string {
  return isService
    ? `${publicUrl}/admin/access-tokens?organisation=${organisationId}`
    : `${publicUrl}/profile/access-tokens`
}
