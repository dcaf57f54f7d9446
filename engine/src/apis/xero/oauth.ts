/** Xero's OAuth 2 configuration, and the companies that a sign-in reaches. */
import type { OAuthProvider, Tenant, TenantRequest } from '../../ports/oauth.ts'
import { Fault } from '../../ports/faults.ts'
import { asText } from '../http/canonical-text.ts'
import { type ExactJson, type JsonObject, parseExactJson } from '../http/exact-json.ts'
import { sendGet, OriginAgent } from '../http/exchange.ts'
import { readMember, readMembers } from '../http/fields.ts'
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
  personClaim: 'xero_userid',
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
  const connections = await getJson(agent.agent, request, url)
  if (!Array.isArray(connections)) throw unreachableFault()
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
    const json = await getJson(agent, request, new URL('Organisation', request.addresses.api), {
      'xero-tenant-id': tenantId,
    })
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

const timeoutMs = 20_000
const bodyMax = 8 * 1_048_576

async function getJson(
  agent: OriginAgent,
  { accessToken, signal }: TenantRequest,
  url: URL,
  more: Readonly<Record<string, string>> = {},
): Promise<ExactJson> {
  const headers = {
    accept: 'application/json',
    'user-agent': 'Tributary',
    authorization: `Bearer ${accessToken}`,
    ...more,
  }
  const reply = await sendGet(agent, { url, headers, timeoutMs, bodyMax }, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error instanceof Fault ? error : unreachableFault(error)
  })
  if (reply.status === 401 || reply.status === 403)
    throw new Fault('signIn', { code: 'xero.refused', notice: 'Xero no longer accepts the sign-in. Connect it again.' })
  if (reply.status !== 200) throw unreachableFault(new Error(`HTTP ${reply.status}`))
  try {
    return parseExactJson(reply.body.toString('utf8'))
  } catch (error) {
    throw unreachableFault(error)
  }
}

function unreachableFault(cause?: unknown): Fault {
  return new Fault('passing', {
    code: 'xero.unreachable',
    notice: 'The companies that the sign-in reaches could not be read from Xero. Try again in a moment.',
    cause,
  })
}
