/**
 * Refreshes of datasets by the REST API of Power BI, as a service principal.
 * https://learn.microsoft.com/rest/api/power-bi/datasets/refresh-dataset-in-group and …/get-refresh-history-in-group
 */
import { refreshesByCapacity } from '@tributary/contract/publication-actions'
import type { Network } from '@tributary/engine/ports/network'
import * as z from 'zod'
import type { PublicationServiceAddresses } from '../../../kernel/config/publication-settings.ts'
import type { PowerBiSettings } from '../stored-action.ts'
import { findFreeTime } from './refresh-quota.ts'
import {
  callService,
  codeOf,
  formatWait,
  requireSuccess,
  type ServiceReply,
  StepEnded,
  type StepResult,
} from './service-call.ts'

export interface PowerBiCall {
  readonly network: Network
  readonly addresses: PublicationServiceAddresses
  readonly settings: PowerBiSettings
  readonly clientSecret: string
}

interface StartOptions {
  readonly now: Date
  /** When Tributary began refreshes of the dataset, and their ids: the history of Power BI may lag behind. */
  readonly ownStarts: readonly { readonly remoteId: string; readonly startedAt: string }[]
}

const underWayWaitMs = 120_000

/** Begins a refresh, unless one is under way or the limit of 24 hours is reached. */
export async function startRefresh(call: PowerBiCall, { now, ownStarts }: StartOptions): Promise<StepResult> {
  const token = await signIn(call)
  const history = await readHistory(call, token)
  if (history.some(({ status, endTime }) => status === 'Unknown' && endTime === undefined)) return underWay(200)
  const limit = refreshesByCapacity[call.settings.capacity]
  const listed = new Set(history.map(({ requestId }) => requestId))
  const starts = [
    // Refreshes on demand do not count: https://learn.microsoft.com/power-bi/connect-data/refresh-data
    ...history.filter(({ refreshType }) => refreshType !== 'OnDemand').map(({ startTime }) => startTime),
    ...ownStarts.filter(({ remoteId }) => !listed.has(remoteId)).map(({ startedAt }) => startedAt),
  ]
  const freeAt = findFreeTime(starts, { limit, now })
  if (freeAt !== null) return usedUp(200, limit, freeAt.getTime() - now.getTime())
  const reply = await request(call, token, {
    method: 'POST',
    path: '/refreshes',
    body: JSON.stringify({ notifyOption: 'NoNotification' }),
  })
  const refusal = readRefusal(reply, limit)
  if (refusal !== null) return refusal
  requireSuccess(reply, 'Power BI', wordsByStatus)
  const remoteId = readRequestId(reply.headers)
  if (remoteId === null)
    throw new StepEnded({ outcome: 'failed', status: reply.status, notice: 'Power BI did not name the refresh.' })
  return { outcome: 'started', status: reply.status, remoteId, notice: 'Power BI accepted the refresh.' }
}

/** Reads the result of a refresh. */
export async function readRefresh(call: PowerBiCall, remoteId: string): Promise<StepResult> {
  const history = await readHistory(call, await signIn(call))
  const found = history.find(({ requestId }) => requestId === remoteId)
  // A refresh that has just begun may not be listed yet.
  if (found === undefined || found.status === 'Unknown')
    return { outcome: 'running', status: 200, notice: 'The refresh is under way.' }
  if (found.status === 'Completed')
    return { outcome: 'completed', status: 200, notice: 'Power BI has refreshed the dataset.' }
  if (found.status === 'Disabled')
    return {
      outcome: 'failed',
      status: 200,
      notice: 'Power BI has disabled refreshes of the dataset. Look at its settings.',
    }
  const code = readErrorCode(found.serviceExceptionJson)
  const reason = code === null ? '' : ` (${code})`
  return {
    outcome: 'failed',
    status: 200,
    notice: `The refresh failed${reason}. The refresh history of the dataset in Power BI says why.`,
  }
}

/** Whether the dataset can be refreshed. Refreshes nothing. */
export async function checkDataset(call: PowerBiCall): Promise<StepResult> {
  const reply = await request(call, await signIn(call), { method: 'GET', path: '' })
  requireSuccess(reply, 'Power BI', wordsByStatus)
  const { data } = z.object({ isRefreshable: z.boolean() }).safeParse(reply.json)
  return data?.isRefreshable === false
    ? { outcome: 'failed', status: 200, notice: 'Power BI knows the dataset, but it cannot be refreshed.' }
    : {
        outcome: 'completed',
        status: 200,
        notice: 'Power BI accepts the sign-in and knows the dataset. Nothing was refreshed.',
      }
}

const scope = 'https://analysis.windows.net/powerbi/api/.default'

/** An access token lasts about an hour. Each step gets another one, so a long refresh outlasts none. */
async function signIn({ network, addresses, settings, clientSecret }: PowerBiCall): Promise<string> {
  const { tenantId, applicationId } = settings
  const form = { grant_type: 'client_credentials', client_id: applicationId, client_secret: clientSecret, scope }
  const reply = await callService(network, {
    method: 'POST',
    url: `${addresses.microsoftToken}/${tenantId}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const { data: refused } = z.object({ error_codes: z.array(z.number()) }).safeParse(reply.json)
  const known = refused?.error_codes.map((code) => signInWords[code]).find((words) => words !== undefined)
  if (known !== undefined) throw new StepEnded({ outcome: 'failed', status: reply.status, notice: known })
  requireSuccess(reply, 'The sign-in of Microsoft', {})
  const { data } = z.object({ access_token: z.string().min(1) }).safeParse(reply.json)
  if (data === undefined)
    throw new StepEnded({
      outcome: 'refused',
      status: reply.status,
      notice: 'The sign-in of Microsoft returned no token.',
    })
  return data.access_token
}

/** Codes of Microsoft Entra: https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const signInWords: Readonly<Record<number, string>> = {
  90002: 'Microsoft knows no tenant with this id.',
  700016: 'The tenant knows no application with this id.',
  7000215: 'Microsoft refuses the client secret. Enter its value, not its id.',
  7000222: 'The client secret has expired. Create another one in Microsoft Entra and enter it.',
}

const wordsByStatus: Readonly<Record<number, string>> = {
  401: 'Power BI does not accept the sign-in (401). An administrator of Fabric must allow service principals to use its APIs.',
  403: 'The service principal may not refresh this dataset (403). Add it to the workspace as a contributor.',
  404: 'Power BI knows no such dataset in the workspace, or the service principal is no member of the workspace (404).',
}

interface DatasetRequest {
  readonly method: 'GET' | 'POST'
  /** Below the dataset. */
  readonly path: string
  readonly body?: string
}

function request({ network, addresses, settings }: PowerBiCall, token: string, { path, ...rest }: DatasetRequest) {
  const { workspaceId, datasetId } = settings
  return callService(network, {
    url: `${addresses.powerBi}/v1.0/myorg/groups/${workspaceId}/datasets/${datasetId}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...rest,
  })
}

const Refresh = z.object({
  requestId: z.string().optional(),
  refreshType: z.string(),
  startTime: z.string(),
  endTime: z.string().optional(),
  /** `Unknown`: under way. */
  status: z.string(),
  serviceExceptionJson: z.string().optional(),
})

/** Power BI keeps 60 entries. */
async function readHistory(call: PowerBiCall, token: string): Promise<readonly z.infer<typeof Refresh>[]> {
  const reply = await request(call, token, { method: 'GET', path: '/refreshes?$top=60' })
  requireSuccess(reply, 'Power BI', wordsByStatus)
  const { data } = z.object({ value: z.array(Refresh) }).safeParse(reply.json)
  if (data === undefined)
    throw new StepEnded({
      outcome: 'refused',
      status: reply.status,
      notice: 'Power BI returned no history of refreshes.',
    })
  return data.value
}

/** A limit that other programs have used up, or a refresh that has begun meanwhile. Their messages are all that names them. */
function readRefusal({ status, json }: ServiceReply, limit: number): StepResult | null {
  if (status !== 400 && status !== 429) return null
  const { data } = z.object({ error: z.object({ message: z.string() }) }).safeParse(json)
  if (/refresh requests in last 24 hours exceeded/iu.test(data?.error.message ?? ''))
    return usedUp(status, limit, hourMs)
  return /already executing/iu.test(data?.error.message ?? '') ? underWay(status) : null
}

const hourMs = 3_600_000

function underWay(status: number): StepResult {
  const notice = 'Another refresh of the dataset is under way. This one waits for it.'
  return { outcome: 'postponed', status, waitMs: underWayWaitMs, notice }
}

function usedUp(status: number, limit: number, waitMs: number): StepResult {
  const notice = `The ${limit} refreshes of 24 hours are used up. The next one is possible in ${formatWait(waitMs)}; a newer publication replaces this run.`
  return { outcome: 'postponed', status, waitMs, notice }
}

function readRequestId(headers: Headers): string | null {
  const last = headers.get('location')?.split('/').at(-1) ?? null
  return codeOf(headers.get('x-ms-request-id') ?? headers.get('requestid') ?? last)
}

function readErrorCode(text = ''): string | null {
  const { data } = z.object({ errorCode: z.string() }).safeParse(URL.canParse(text) ? null : parseJson(text))
  return codeOf(data?.errorCode)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
