/**
 * The sign-in of Microsoft and the REST API of Power BI over HTTP, as strict as Microsoft documents them: tokens that expire, the
 * limit of refreshes in 24 hours, and the states of a refresh.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { startWebhookReceiver, type WebhookReceiver, type WebhookResponse } from '../connectors/webhook-receiver.ts'

type Reply = NonNullable<WebhookResponse>
type Request = WebhookReceiver['received'][number]

interface SimulatedRefresh {
  readonly requestId: string
  readonly refreshType: 'ViaApi' | 'Scheduled' | 'OnDemand'
  startTime: string
  endTime?: string
  status: 'Unknown' | 'Completed' | 'Failed' | 'Disabled'
  serviceExceptionJson?: string
}

export interface SimulatedPowerBi extends AsyncDisposable {
  readonly origin: string
  readonly tenantId: string
  readonly applicationId: string
  readonly workspaceId: string
  readonly datasetId: string
  readonly clientSecret: string
  /** All requests, oldest first. */
  readonly received: readonly Request[]
  /** The history of the dataset, latest first. */
  readonly refreshes: SimulatedRefresh[]
  /** The next answers of the API, instead of those of Power BI. */
  readonly faults: Reply[]
  /** Refreshes in 24 hours that do not run on demand. */
  limit: number
  /** Whether the service principal is in the workspace. */
  isMember: boolean
  hasExpiredSecret: boolean
  /** Makes all tokens invalid that were issued so far. */
  expireTokens(): void
  /** Adds a refresh that another program or a schedule began. */
  addRefresh(refreshType: SimulatedRefresh['refreshType'], hoursAgo: number): void
  /** Ends the refresh that is under way. */
  endRefresh(status: 'Completed' | 'Failed' | 'Disabled', errorCode?: string): void
  clear(): void
}

const TokenForm = z.strictObject({
  grant_type: z.literal('client_credentials'),
  client_id: z.string(),
  client_secret: z.string(),
  scope: z.literal('https://analysis.windows.net/powerbi/api/.default'),
})
const RefreshBody = z.strictObject({ notifyOption: z.literal('NoNotification') })
const dayMs = 24 * 3_600_000

/** @param port by default any free one */
export async function startPowerBi(port?: number): Promise<SimulatedPowerBi> {
  const http = await startWebhookReceiver(port)
  const tokens = new Set<string>()
  const dataset = `/v1.0/myorg/groups/${ids.workspaceId}/datasets/${ids.datasetId}`
  const powerBi: SimulatedPowerBi = {
    ...ids,
    origin: new URL(http.url).origin,
    clientSecret: 'canaryClientSecret~0000',
    received: http.received,
    refreshes: [],
    faults: [],
    limit: 8,
    isMember: true,
    hasExpiredSecret: false,
    expireTokens: () => tokens.clear(),
    addRefresh(refreshType, hoursAgo) {
      const startTime = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
      const refresh = {
        requestId: randomUUID(),
        refreshType,
        startTime,
        endTime: startTime,
        status: 'Completed' as const,
      }
      powerBi.refreshes.push(refresh)
      powerBi.refreshes.sort((one, other) => Date.parse(other.startTime) - Date.parse(one.startTime))
    },
    endRefresh(status, errorCode) {
      const refresh = powerBi.refreshes.find((one) => one.status === 'Unknown')
      if (refresh === undefined) throw new Error('No refresh is under way.')
      refresh.status = status
      refresh.endTime = new Date().toISOString()
      if (errorCode !== undefined) refresh.serviceExceptionJson = JSON.stringify({ errorCode })
    },
    clear() {
      http.received.length = 0
      powerBi.refreshes.length = 0
      powerBi.faults.length = 0
      Object.assign(powerBi, { limit: 8, isMember: true, hasExpiredSecret: false })
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
  http.respond = (request) => {
    const { pathname } = new URL(request.path, powerBi.origin)
    if (pathname.endsWith('/oauth2/v2.0/token')) return issueToken(powerBi, tokens, request)
    const fault = powerBi.faults.shift()
    if (fault !== undefined) return fault
    const [, token = ''] = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '') ?? []
    if (!tokens.has(token)) return json(403, { error: { code: 'TokenExpired', message: 'canary of the service' } })
    if (!powerBi.isMember || !pathname.startsWith(dataset))
      return json(404, { error: { code: 'PowerBIEntityNotFound', message: 'canary of the service' } })
    if (pathname === dataset) return json(200, { id: ids.datasetId, name: 'Sales', isRefreshable: true })
    if (pathname !== `${dataset}/refreshes`) return json(404, {})
    return request.method === 'POST' ? beginRefresh(powerBi, request) : json(200, { value: powerBi.refreshes })
  }
  return powerBi
}

const ids = {
  tenantId: randomUUID(),
  applicationId: randomUUID(),
  workspaceId: randomUUID(),
  datasetId: randomUUID(),
}

function issueToken(powerBi: SimulatedPowerBi, tokens: Set<string>, { method, path, headers, body }: Request): Reply {
  const refuse = (status: number, error: string, code: number) =>
    json(status, { error, error_description: `AADSTS${code}: canary of the service`, error_codes: [code] })
  if (!path.startsWith(`/${powerBi.tenantId}/`)) return refuse(400, 'invalid_request', 90_002)
  const { data } = TokenForm.safeParse(Object.fromEntries(new URLSearchParams(body)))
  if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded' || data === undefined)
    return refuse(400, 'invalid_request', 900_144)
  if (data.client_id !== powerBi.applicationId) return refuse(400, 'unauthorized_client', 700_016)
  if (powerBi.hasExpiredSecret) return refuse(401, 'invalid_client', 7_000_222)
  if (data.client_secret !== powerBi.clientSecret) return refuse(401, 'invalid_client', 7_000_215)
  const token = `canaryToken${randomUUID()}`
  tokens.add(token)
  return json(200, { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: token })
}

function beginRefresh({ refreshes, limit }: SimulatedPowerBi, { body }: Request): Reply {
  const refuse = (status: number, message: string) => json(status, { error: { code: 'InvalidRequest', message } })
  if (!RefreshBody.safeParse(JSON.parse(body)).success) return refuse(400, 'The body is not valid.')
  if (refreshes.some(({ status }) => status === 'Unknown'))
    return refuse(400, 'Invalid dataset refresh request. Another refresh request is already executing')
  const recent = refreshes.filter(
    ({ refreshType, startTime }) => refreshType !== 'OnDemand' && Date.parse(startTime) > Date.now() - dayMs,
  )
  if (recent.length >= limit)
    return refuse(400, 'Invalid dataset refresh request. Number of refresh requests in last 24 hours exceeded limit')
  const requestId = randomUUID()
  refreshes.unshift({ requestId, refreshType: 'ViaApi', startTime: new Date().toISOString(), status: 'Unknown' })
  return { status: 202, headers: { 'x-ms-request-id': requestId } }
}

function json(status: number, value: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
