/** The grants that people have given at accounting sources, and the companies that each reaches. */
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
  keepTenantsEverywhere,
  listTenantsEverywhere,
  listTokensEverywhere,
  type TokenRow,
} from './token-queries.ts'

export type TokenServices = Pick<AppServices, 'log' | 'oauth' | 'store'> & WithTimeoutServices

export async function listTokens(services: Pick<AppServices, 'oauth' | 'store'>): Promise<Camel<AccountingToken>[]> {
  const rows = await services.store.across(listTokensEverywhere)
  return rows.map((row) => {
    const { name, email } = giverOf(row)
    const app =
      row.kind === null ? ('provider' as const) : row.kind === 'machine' ? ('machine' as const) : ('own' as const)
    return {
      id: row.id,
      email,
      xero_userid: row.person,
      name,
      status: row.deadAt === null ? ('ACTIVE' as const) : ('DEAD' as const),
      app,
      diesAtUtc: row.deadAt === null && app !== 'machine' ? diesAt(services, row) : null,
    }
  })
}

/** Nobody gave a custom connection: it signs in by itself, for whoever set it up. */
function giverOf({ kind, name, emailAddress, companyName }: TokenRow): { name: string; email: string } {
  const custom = `Custom connection of ${companyName}`
  if (kind === 'machine') return { name: custom, email: custom }
  return { name: name ?? emailAddress ?? '', email: emailAddress ?? '' }
}

function diesAt({ oauth }: Pick<AppServices, 'oauth'>, { type, refreshedAt }: TokenRow): string | null {
  const authorising = oauth.types.get(type)?.oauth
  return authorising === undefined ? null : isoTime(Date.parse(refreshedAt) + authorising.refreshTokenMs)
}

/** Asked of the source anew. Throws `sourceRefused` and `sourceAway` with what the source said. @param signal aborts when the caller goes away. */
export async function listTenants(
  services: TokenServices,
  tokenId: string,
  signal: AbortSignal,
): Promise<Camel<TokenTenant>[]> {
  const token = await askTenants(services, tokenId, signal)
  return services.store.across((db) => shownTenants(db, token))
}

async function shownTenants(db: Db, token: TokenRow): Promise<Camel<TokenTenant>[]> {
  const { name, email } = giverOf(token)
  const tenants = await listTenantsEverywhere(db, token.id)
  return Promise.all(
    tenants.map(async ({ connectorId, organisationId, ...tenant }) => {
      const isProduct = connectorId !== null && organisationId !== null
      const creds = isProduct ? maskCredentials(await findCredentials(db, { organisationId, connectorId })) : null
      return { id: token.id, name, email, xero_userid: token.person, ...tenant, creds, productId: connectorId }
    }),
  )
}

const timeMaxMs = 20_000

/** Writes down which companies the token reaches now. Throws `notFound` for a token that there is not. */
export async function askTenants(services: TokenServices, tokenId: string, signal: AbortSignal): Promise<TokenRow> {
  // Across, here and below: a grant belongs to no organisation.
  const token = await services.store.across((db) => findTokenEverywhere(db, tokenId))
  const type = token && services.oauth.types.get(token.type)
  if (token === undefined || type === undefined) throw new ApiFault('notFound')
  try {
    const tenants = await withTimeout(services, { signal, timeoutMs: timeMaxMs }, async (around) => {
      const accessToken = await services.oauth.tokens.provide(tokenId).token()
      return type.oauth.tenants({ accessToken, addresses: type.endpoints, consentId: null, ...around })
    })
    await services.store.across((db) => keepTenantsEverywhere(db, tokenId, tenants))
    return token
  } catch (error) {
    throw refusal(services, error)
  }
}

/** What passes by itself may be tried again; all else somebody must mend. */
function refusal({ log }: Pick<AppServices, 'log'>, error: unknown): unknown {
  if (error instanceof ApiFault) return error
  const fault = asFault(error)
  if (fault.kind === 'bug') log.error('the companies of a token could not be read', { error })
  const isAway = fault.kind === 'passing' || fault.kind === 'busy'
  return new ApiFault(isAway ? 'sourceAway' : 'sourceRefused', { values: { detail: fault.notice }, cause: error })
}
