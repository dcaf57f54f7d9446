/** The provider's pages by HTTP, in a store with many organisations and connectors. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { trialOrganisations, trialPassword } from '../../../../server/src/trial/people.ts'
import { findFreePort } from '../../../databases/free-port.ts'
import type { ProcessSettings } from '../../../server/processes/process-services.ts'
import { median } from '../../measure.ts'
import { call, quantile } from '../client.ts'

export interface MeasuredCall {
  readonly name: string
  readonly p50: number
  readonly p95: number
  readonly kilobytes: number
}

const warmUpCalls = 5
const orgId = trialOrganisations[0].id
const auditLog = `/api/audit-events?orgId=${orgId}&ofProvider=true`
const insights = '/api/tributary/insights/organisations'

export interface MeasuredConnector {
  readonly organisationId: string
  readonly id: string
}

/** As the portal makes them. */
const callsOf = ({ organisationId, id }: MeasuredConnector): Readonly<Record<string, string>> => ({
  'Shell: the first 1,000 organisations': '/api/organisations?pageSize=1000',
  'Shell: one organisation': `/api/organisations?id=${orgId}`,
  'Shell: organisations that a word finds': '/api/organisations?search=quay%2077&pageSize=100',
  'Organisations: first page': '/api/organisations?page=1&pageSize=60',
  'Organisations: last page': '/api/organisations?page=1600&pageSize=60',
  'Dashboard: who needs help': `${insights}?order=need&page=1&pageSize=50`,
  'Dashboard: largest': `${insights}?order=size&page=1&pageSize=50`,
  'Dashboard: search': `${insights}?search=quay%2077&order=need&page=1&pageSize=50`,
  'Dashboard: last page by name': `${insights}?order=name&page=1980&pageSize=50`,
  'Dashboard: what runs now': '/api/tributary/connectors/insights',
  'Home of an organisation': `/api/tributary/clients/${orgId}/overview`,
  Connectors: `/api/tributary/clients/${orgId}/connectors`,
  Users: `/api/users?orgId=${orgId}&withProvider=true&page=1&pageSize=50`,
  'Approvals: first page': `/api/approvals?orgId=${orgId}&page=1&pageSize=60`,
  'Approvals: page 1,000': `/api/approvals?orgId=${orgId}&page=1000&pageSize=60`,
  'Approvals that wait': `/api/approvals?orgId=${orgId}&status=PENDING&pageSize=1`,
  'Approvals of hosts': '/api/approvals/hosts?page=1&pageSize=60',
  'Audit log of the provider: first page': `${auditLog}&page=1&pageSize=50`,
  'Audit log of the provider: page 1,000': `${auditLog}&page=1000&pageSize=50`,
  'Audit log of the provider: search': `${auditLog}&search=quay%2077&page=1&pageSize=50`,
  'Calls of a connector': `/api/tributary/clients/${organisationId}/connectors/${id}/usage`,
  'Ready by of an organisation': `/api/tributary/clients/${organisationId}/ready-by`,
  'Command palette': `/api/search?orgId=${orgId}&search=company`,
})

/** One call after the other, as a superadmin. */
export async function measurePages(
  place: ProcessSettings,
  connector: MeasuredConnector,
  count: number,
): Promise<readonly MeasuredCall[]> {
  const port = await findFreePort()
  const program = join(import.meta.dirname, '../../../server/processes/server-process.ts')
  const server = spawn(process.execPath, [program, JSON.stringify({ ...place, port })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const body = { emailAddress: 'superadmin@demo.example', password: trialPassword }
    const { text } = await call(agent, port, { method: 'POST', path: '/api/auth/signin', body })
    const token = (JSON.parse(text) as { readonly accessToken: string }).accessToken
    const measured: MeasuredCall[] = []
    for (const [name, path] of Object.entries(callsOf(connector))) {
      const { times, bytes } = await time(agent, port, { path, token, count })
      measured.push({ name, p50: median(times), p95: quantile(times, 0.95), kilobytes: bytes / 1024 })
    }
    return measured
  } finally {
    agent.destroy()
    server.kill('SIGTERM')
  }
}

async function time(
  agent: Agent,
  port: number,
  { path, token, count }: { readonly path: string; readonly token: string; readonly count: number },
): Promise<{ readonly times: readonly number[]; readonly bytes: number }> {
  const times: number[] = []
  let bytes = 0
  for (let n = -warmUpCalls; n < count; n += 1) {
    const since = performance.now()
    const { status, text } = await call(agent, port, { path, token })
    if (status !== 200) throw new Error(`${path}: the server answered ${status}.`)
    if (n >= 0) times.push(performance.now() - since)
    bytes = Buffer.byteLength(text)
  }
  return { times, bytes }
}
