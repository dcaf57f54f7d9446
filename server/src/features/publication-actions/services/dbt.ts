/** Runs of jobs by the administrative API of dbt, version 2: https://docs.getdbt.com/dbt-cloud/api-v2 */
import type { Network } from '@tributary/engine/ports/network'
import * as z from 'zod'
import type { PublicationServiceAddresses } from '../../../kernel/config/publication-settings.ts'
import type { DbtSettings } from '../stored-action.ts'
import { callService, requireSuccess, type ServiceReply, StepEnded, type StepResult } from './service-call.ts'

export interface DbtCall {
  readonly network: Network
  readonly addresses: PublicationServiceAddresses
  readonly settings: DbtSettings
  readonly token: string
}

/** Access URLs of dbt: https://docs.getdbt.com/docs/cloud/about-cloud/access-regions-ip-addresses */
const hosts = /^(?:[a-z0-9-]+\.)?(?:cloud\.getdbt\.com|(?:emea|au|[a-z]{2}\d)\.dbt\.com)$/u

export function isDbtHost(host: string): boolean {
  return hosts.test(host)
}

/** Starts the job. @param cause what the list of runs in dbt shows */
export async function startJob(call: DbtCall, cause: string): Promise<StepResult> {
  const reply = await request(call, {
    method: 'POST',
    path: `jobs/${call.settings.jobId}/run/`,
    body: JSON.stringify({ cause }),
  })
  const { id } = readData(reply, z.object({ id: z.union([z.number(), z.string().regex(/^\d+$/u)]) }))
  return { outcome: 'started', status: reply.status, remoteId: String(id), notice: 'dbt started the job.' }
}

/** Status codes of a run: 1 queued, 2 starting, 3 running, 10 success, 20 error, 30 cancelled. */
export async function readJobRun(call: DbtCall, remoteId: string): Promise<StepResult> {
  const reply = await request(call, { method: 'GET', path: `runs/${remoteId}/` })
  const { status } = reply
  const { status: code } = readData(reply, z.object({ status: z.number() }))
  if (code === 10) return { outcome: 'completed', status, notice: 'dbt has completed the job.' }
  if (code === 20)
    return { outcome: 'failed', status, notice: `The job failed. The logs of run ${remoteId} in dbt say why.` }
  if (code === 30) return { outcome: 'failed', status, notice: `Run ${remoteId} was cancelled in dbt.` }
  return { outcome: 'running', status, notice: code === 3 ? 'The job is running.' : 'The job waits in dbt.' }
}

/** Whether the token may read the job. Runs nothing. */
export async function checkJob(call: DbtCall): Promise<StepResult> {
  const reply = await request(call, { method: 'GET', path: `jobs/${call.settings.jobId}/` })
  readData(reply, z.object({ id: z.unknown() }))
  return {
    outcome: 'completed',
    status: reply.status,
    notice: 'dbt accepts the token and knows the job. Nothing was run.',
  }
}

interface AccountRequest {
  readonly method: 'GET' | 'POST'
  /** Below the account. */
  readonly path: string
  readonly body?: string
}

function request({ network, addresses, settings, token }: DbtCall, { path, ...rest }: AccountRequest) {
  const { host, accountId } = settings
  return callService(network, {
    url: `${addresses.dbt ?? `https://${host}`}/api/v2/accounts/${accountId}/${path}`,
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    ...rest,
  })
}

const wordsByStatus: Readonly<Record<number, string>> = {
  401: 'dbt refuses the token (401). Create a service token that may run jobs, and enter it.',
  403: 'The token may not do this in dbt (403). It needs the permission to run jobs.',
  404: 'dbt knows no such account or job at this host (404).',
}

/** Throws `StepEnded` unless the reply has these data. */
function readData<T>(reply: ServiceReply, schema: z.ZodType<T>): T {
  requireSuccess(reply, 'dbt', wordsByStatus)
  const parsed = z.object({ data: schema }).safeParse(reply.json)
  if (parsed.success) return parsed.data.data
  throw new StepEnded({
    outcome: 'refused',
    status: reply.status,
    notice: 'dbt answered something else than expected.',
  })
}
