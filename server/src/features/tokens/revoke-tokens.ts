/** Revokes tokens: one’s own, or those of an organisation. They end at once, because each call reads its token. */
import type { AppServices } from '../../app-services.ts'
import type { CallerContext, SignedInContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { hasToken, listOwnTokensEverywhere, revokeTokens } from './queries.ts'

type RevokeServices = Pick<AppServices, 'audit' | 'clock' | 'store'>

/** Idempotent. Throws `notFound` for a token of another person. */
export async function revokeOwn(
  services: RevokeServices,
  auditContext: SignedInContext,
  tokenId: string,
): Promise<void> {
  const { userId } = auditContext.actor
  // Across: a person’s tokens may belong to several organisations.
  const own = await services.store.across((db) => listOwnTokensEverywhere(db, userId))
  const token = own.find(({ id }) => id === tokenId)
  if (token === undefined) throw notFound()
  const { organisationId } = token
  await services.store.within(organisationId, (db) =>
    revoke(db, services, { ...auditContext, organisationId }, { tokenId }),
  )
}

/** One transaction for each organisation, because each has its own audit chain. */
export async function revokeAllOwn(services: RevokeServices, auditContext: SignedInContext): Promise<void> {
  const { userId } = auditContext.actor
  // Across: a person’s tokens may belong to several organisations.
  const own = await services.store.across((db) => listOwnTokensEverywhere(db, userId))
  for (const organisationId of new Set(own.map((token) => token.organisationId)))
    await services.store.within(organisationId, (db) =>
      revoke(db, services, { ...auditContext, organisationId }, { userId }),
    )
}

/** Idempotent. Throws `notFound` for a token of another organisation. */
export function revokeAsAdministrator(
  services: RevokeServices,
  auditContext: CallerContext,
  tokenId: string,
): Promise<void> {
  const { organisationId } = auditContext
  return services.store.within(organisationId, async (db) => {
    if (!(await hasToken(db, organisationId, tokenId))) throw notFound()
    await revoke(db, services, auditContext, { tokenId })
  })
}

async function revoke(
  db: Db,
  { audit, clock }: RevokeServices,
  auditContext: CallerContext,
  which: { readonly tokenId: string } | { readonly userId: string },
): Promise<void> {
  const { organisationId, actor } = auditContext
  const revocation = { revokedAt: isoTime(clock.now()), revokedBy: actor.userId }
  for (const id of await revokeTokens(db, organisationId, which, revocation))
    await audit.record(db, auditContext, { action: 'api_token.revoked', object: { type: 'api_token', id } })
}
