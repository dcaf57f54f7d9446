/** The administrative API of dbt, version 2, over HTTP: jobs, their runs, and the codes of their states. */
import * as z from 'zod'
import { startWebhookReceiver, type WebhookReceiver, type WebhookResponse } from '../connectors/webhook-receiver.ts'

type Reply = NonNullable<WebhookResponse>

export const dbtStatus = { queued: 1, starting: 2, running: 3, success: 10, error: 20, cancelled: 30 } as const

export interface SimulatedDbt extends AsyncDisposable {
  readonly origin: string
  readonly accountId: string
  readonly jobId: string
  readonly token: string
  readonly received: WebhookReceiver['received']
  /** Oldest first. */
  readonly runs: { readonly id: number; readonly cause: string; status: number }[]
  /** The next answers, instead of those of dbt. */
  readonly faults: Reply[]
  clear(): void
}

const RunBody = z.strictObject({ cause: z.string().min(1).max(255) })
const [accountId, jobId, token] = ['70403103916385', '70403103970901', 'canaryDbtToken0000']

export async function startDbt(): Promise<SimulatedDbt> {
  const http = await startWebhookReceiver()
  const dbt: SimulatedDbt = {
    accountId,
    jobId,
    token,
    origin: new URL(http.url).origin,
    received: http.received,
    runs: [],
    faults: [],
    clear() {
      http.received.length = 0
      dbt.runs.length = 0
      dbt.faults.length = 0
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
  http.respond = ({ method, path, headers, body }) => {
    const fault = dbt.faults.shift()
    if (fault !== undefined) return fault
    if (headers.authorization !== `Token ${token}`) return reply(401, null)
    const account = `/api/v2/accounts/${accountId}`
    if (method === 'POST' && path === `${account}/jobs/${jobId}/run/`) {
      const { data } = RunBody.safeParse(JSON.parse(body))
      if (data === undefined) return reply(400, null)
      const run = { id: 70_403_110_000_000 + dbt.runs.length, cause: data.cause, status: dbtStatus.queued }
      dbt.runs.push(run)
      return reply(200, run)
    }
    if (method === 'GET' && path === `${account}/jobs/${jobId}/`) return reply(200, { id: Number(jobId) })
    const run = dbt.runs.find(({ id }) => path === `${account}/runs/${id}/`)
    return method === 'GET' && run !== undefined ? reply(200, run) : reply(404, null)
  }
  return dbt
}

function reply(code: number, data: object | null): Reply {
  const status = { code, is_success: code < 300, user_message: 'canary of the service', developer_message: '' }
  return { status: code, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ status, data }) }
}
