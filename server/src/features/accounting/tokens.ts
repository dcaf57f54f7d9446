/** Tokens: the OAuth grants at accounting sources, and the companies that each reaches. */
import type { AccountingToken, TokenTenant } from '@tributary/contract/accounting'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/ports/faults'
import { isoTime } from '../../kernel/clock.ts'
import { maskCredentials } from '../../connections/databases/credentials-form.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findCredentials } from '../../connections/databases/stored-credentials.ts'
import { withTimeout, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import {
  findTokenEverywhere,
  replaceTenantsEverywhere,
  listTenantsEverywhere,
  listTokensEverywhere,
  type TokenRow,
} from './token-queries.ts'

export type TokenServices = Pick<AppServices, 'log' | 'oauth' | 'store'> & WithTimeoutServices

export async function listTokens(services: Pick<AppServices, 'oauth' | 'store'>): Promise<Camel<AccountingToken>[]> {
  const rows = await services.store.across(listTokensEverywhere)
  return rows.map((row) => {
    const { name, email } = describeGrantor(row)
    const app =
      row.kind === null ? ('provider' as const) : row.kind === 'machine' ? ('machine' as const) : ('own' as const)
    return {
      id: row.id,
      email,
      xero_userid: row.person,
      name,
      status: row.deadAt === null ? ('ACTIVE' as const) : ('DEAD' as const),
      app,
      diesAtUtc: row.deadAt === null && app !== 'machine' ? expiryOf(services, row) : null,
    }
  })
}

/** A custom connection has no grantor: its app signs in with client credentials. */
function describeGrantor({ kind, name, emailAddress, companyName }: TokenRow): { name: string; email: string } {
  const custom = `Custom connection of ${companyName}`
  if (kind === 'machine') return { name: custom, email: custom }
  return { name: name ?? emailAddress ?? '', email: emailAddress ?? '' }
}

function expiryOf({ oauth }: Pick<AppServices, 'oauth'>, { type, refreshedAt }: TokenRow): string | null {
  const authorising = oauth.types.get(type)?.oauth
  return authorising === undefined ? null : isoTime(Date.parse(refreshedAt) + authorising.refreshTokenMs)
}

/**
 * Reads the companies from the source.
 *
 * @param signal aborts when the caller disconnects.
 * @throws `sourceRefused` and `sourceAway` with the source's message.
 */
export async function listTenants(
  services: TokenServices,
  tokenId: string,
  signal: AbortSignal,
): Promise<Camel<TokenTenant>[]> {
  const token = await refreshTenants(services, tokenId, signal)
  return services.store.across((db) => describeTenants(db, token))
}

async function describeTenants(db: Db, token: TokenRow): Promise<Camel<TokenTenant>[]> {
  const { name, email } = describeGrantor(token)
  const tenants = await listTenantsEverywhere(db, token.id)
  return Promise.all(
    tenants.map(async ({ connectorId, organisationId, ...tenant }) => {
      const isProduct = connectorId !== null && organisationId !== null
      const creds = isProduct ? maskCredentials(await findCredentials(db, { organisationId, connectorId })) : null
      return { id: token.id, name, email, xero_userid: token.person, ...tenant, creds, productId: connectorId }
    }),
  )
}

const timeoutMs = 20_000

/**
 * Stores which companies the token reaches now.
 *
 * @throws `notFound` if the token does not exist.
 */
export async function refreshTenants(services: TokenServices, tokenId: string, signal: AbortSignal): Promise<TokenRow> {
  // Across, here and below: a grant belongs to no organisation.
  const token = await services.store.across((db) => findTokenEverywhere(db, tokenId))
  const type = token && services.oauth.types.get(token.type)
  if (token === undefined || type === undefined) throw new ApiFault('notFound')
  try {
    const tenants = await withTimeout(services, signal, timeoutMs, async (around) => {
      const accessToken = await services.oauth.tokens.provide(tokenId).token()
      // Such a grant belongs to its company.
      const consentId = type.oauth.companyParameter === undefined ? null : token.person
      return type.oauth.tenants({ accessToken, addresses: type.endpoints, consentId, ...around })
    })
    await services.store.across((db) => replaceTenantsEverywhere(db, tokenId, tenants))
    return token
  } catch (error) {
    throw toApiFault(services, error)
  }
}

/** A transient fault is `sourceAway`, to be retried; any other needs a person to fix it. */
function toApiFault({ log }: Pick<AppServices, 'log'>, error: unknown): unknown {
  if (error instanceof ApiFault) return error
  const fault = asFault(error)
  if (fault.kind === 'bug') log.error('the companies of a token could not be read', { error })
  const isAway = fault.kind === 'passing' || fault.kind === 'busy'
  return new ApiFault(isAway ? 'sourceAway' : 'sourceRefused', { values: { detail: fault.notice }, cause: error })
}
