/** What OAuth 2 needs to know of Xero, and which companies a sign-in reaches. */
import type { OAuthProvider, Tenant, TenantRequest } from '../../ports/oauth.ts'
import { Fault } from '../../ports/faults.ts'
import { asText } from '../http/canonical.ts'
import { parseExactly } from '../http/exact-json.ts'
import type { Json, JsonObject } from '../http/exact-json.ts'
import { exchange, Line } from '../http/exchange.ts'
import { member, members } from '../http/fields.ts'
import { standardAddress } from './settings.ts'

/** To read, never to write. Journals are missing on purpose: Xero refuses the whole sign-in where the application may not ask for them. */
const reading = [
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
  scopes: ['openid', 'profile', 'email', 'offline_access', ...reading],
  machineScopes: reading,
  refreshTokenMs: 60 * dayMs,
  refreshTokenReuseMs: 30 * 60_000,
  personClaim: 'xero_userid',
  tenants: listTenants,
  consentIdOf: consentOf,
  disconnectUrl: (api, connectionId) => new URL(`/connections/${encodeURIComponent(connectionId)}`, api),
}

/** Read without proof: it only narrows down what the same token reaches anyway. */
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

async function listTenants(asked: TenantRequest): Promise<readonly Tenant[]> {
  using line = lineTo(asked)
  const url = new URL('/connections', asked.addresses.api)
  if (asked.consentId !== null) url.searchParams.set('authEventId', asked.consentId)
  const connections = await getJson(line.line, asked, url)
  if (!Array.isArray(connections)) throw failed()
  const companies = members({ connections }, 'connections').filter(
    (one) => member(one, 'tenantType') === 'ORGANISATION',
  )
  const tenants: Tenant[] = []
  for (const connection of companies) {
    const id = asText(member(connection, 'tenantId'))
    if (id === null) continue
    const company = await companyOf(line.line, asked, id)
    tenants.push({
      id,
      name: asText(member(connection, 'tenantName')) ?? id,
      country: company === null ? null : asText(member(company, 'CountryCode')),
      currency: company === null ? null : asText(member(company, 'BaseCurrency')),
      connectionId: asText(member(connection, 'id')),
    })
  }
  return tenants
}

/** A company that cannot be asked just now is known by its name alone. */
async function companyOf(line: Line, asked: TenantRequest, tenantId: string): Promise<JsonObject | null> {
  try {
    const json = await getJson(line, asked, new URL('Organisation', asked.addresses.api), {
      'xero-tenant-id': tenantId,
    })
    return members(json, 'Organisations')[0] ?? null
  } catch {
    asked.signal.throwIfAborted()
    return null
  }
}

function lineTo({ addresses, network, signal }: TenantRequest): Disposable & { readonly line: Line } {
  const line = new Line(new URL(addresses.api), network, signal)
  return { line, [Symbol.dispose]: () => line.destroy() }
}

const timeoutMs = 20_000
const bodyMax = 8 * 1_048_576

async function getJson(
  line: Line,
  { accessToken, signal }: TenantRequest,
  url: URL,
  more: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const headers = {
    accept: 'application/json',
    'user-agent': 'Tributary',
    authorization: `Bearer ${accessToken}`,
    ...more,
  }
  const reply = await exchange(line, { url, headers, timeoutMs, bodyMax }, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error instanceof Fault ? error : failed(error)
  })
  if (reply.status === 401 || reply.status === 403)
    throw new Fault('signIn', { code: 'xero.refused', notice: 'Xero no longer accepts the sign-in. Connect it again.' })
  if (reply.status !== 200) throw failed(new Error(`HTTP ${reply.status}`))
  try {
    return parseExactly(reply.body.toString('utf8'))
  } catch (error) {
    throw failed(error)
  }
}

function failed(cause?: unknown): Fault {
  return new Fault('passing', {
    code: 'xero.unreachable',
    notice: 'Xero could not be asked which companies the sign-in reaches. Try again in a moment.',
    cause,
  })
}
