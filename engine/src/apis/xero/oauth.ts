/** Xero's OAuth 2 configuration, and the companies that a sign-in reaches. */
import type { OAuthProvider, Tenant, TenantRequest } from '../../ports/oauth.ts'
import { asText } from '../http/canonical-text.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { OriginAgent } from '../http/exchange.ts'
import { readMember, readMembers } from '../http/fields.ts'
import { companiesUnreachable, getWithToken } from '../http/token-json.ts'
import { standardAddress } from './settings.ts'

/**
 * Read-only scopes. Journals are missing on purpose: Xero rejects the whole sign-in if the application may not
 * request them.
 */
const readScopes = [
  'accounting.settings.read',
  'accounting.contacts.read',
  'accounting.invoices.read',
  'accounting.payments.read',
  'accounting.banktransactions.read',
  'accounting.manualjournals.read',
  'accounting.classicexpenses.read',
  'accounting.budgets.read',
  'accounting.reports.trialbalance.read',
  'accounting.reports.profitandloss.read',
  'accounting.reports.balancesheet.read',
]

const dayMs = 86_400_000
const names = { title: 'Xero', code: 'xero' } as const

export const xeroAuthorising: OAuthProvider = {
  title: 'Xero',
  addresses: {
    authorise: 'https://login.xero.com/identity/connect/authorize',
    token: 'https://identity.xero.com/connect/token',
    api: standardAddress,
  },
  scopes: ['openid', 'profile', 'email', 'offline_access', ...readScopes],
  machineScopes: readScopes,
  refreshTokenMs: 60 * dayMs,
  refreshTokenReuseMs: 30 * 60_000,
  person: { claim: 'xero_userid' },
  tenants: listTenants,
  consentIdOf: consentOf,
  disconnectUrl: (api, connectionId) => new URL(`/connections/${encodeURIComponent(connectionId)}`, api),
}

/** The signature is not verified, because the claim only narrows what the same token reaches anyway. */
function consentOf(accessToken: string): string | null {
  const [, claims = ''] = accessToken.split('.')
  try {
    const json: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
    const id = (json as { readonly authentication_event_id?: unknown } | null)?.authentication_event_id
    return typeof id === 'string' && id !== '' ? id : null
  } catch {
    return null
  }
}

async function listTenants(request: TenantRequest): Promise<readonly Tenant[]> {
  using agent = openAgent(request)
  const url = new URL('/connections', request.addresses.api)
  if (request.consentId !== null) url.searchParams.set('authEventId', request.consentId)
  const connections = await getWithToken(agent.agent, request, { ...names, url })
  if (!Array.isArray(connections)) throw companiesUnreachable(names)
  const companies = readMembers({ connections }, 'connections').filter(
    (connection) => readMember(connection, 'tenantType') === 'ORGANISATION',
  )
  const tenants: Tenant[] = []
  for (const connection of companies) {
    const id = asText(readMember(connection, 'tenantId'))
    if (id === null) continue
    const company = await companyOf(agent.agent, request, id)
    tenants.push({
      id,
      name: asText(readMember(connection, 'tenantName')) ?? id,
      country: company === null ? null : asText(readMember(company, 'CountryCode')),
      currency: company === null ? null : asText(readMember(company, 'BaseCurrency')),
      connectionId: asText(readMember(connection, 'id')),
    })
  }
  return tenants
}

/** A company that cannot be read at the moment is returned with its name only. */
async function companyOf(agent: OriginAgent, request: TenantRequest, tenantId: string): Promise<JsonObject | null> {
  try {
    const url = new URL('Organisation', request.addresses.api)
    const json = await getWithToken(agent, request, { ...names, url, headers: { 'xero-tenant-id': tenantId } })
    return readMembers(json, 'Organisations')[0] ?? null
  } catch {
    request.signal.throwIfAborted()
    return null
  }
}

function openAgent({ addresses, network, signal }: TenantRequest): Disposable & { readonly agent: OriginAgent } {
  const agent = new OriginAgent(new URL(addresses.api), network, signal)
  return { agent, [Symbol.dispose]: () => agent.destroy() }
}
