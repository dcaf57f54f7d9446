/**
 * A list of 200 rows over the API, compared with bare node:http and pg that check the same token, run the same
 * statements and return the same text. Run: node testing/bench/server/api-list.ts [rounds] [seconds] [log level]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { call, quantile } from './client.ts'
import type { Ports } from './server-process.ts'
import { median } from '../measure.ts'

const rounds = Number(process.argv[2] ?? 5)
const seconds = Number(process.argv[3] ?? 4)
const level = process.argv[4] ?? 'info'
const connections = 20

interface ApiLoad {
  readonly rate: number
  /** 99th percentile in milliseconds. */
  readonly p99: number
  /** CPU time of the server per request in milliseconds. */
  readonly cpu: number
}

async function cpuMs(): Promise<number> {
  server.send('cpu')
  const [{ user, system }] = (await once(server, 'message')) as [NodeJS.CpuUsage]
  return (user + system) / 1_000
}

async function load(port: number, lasting: number): Promise<ApiLoad> {
  const before = await cpuMs()
  const until = performance.now() + lasting * 1_000
  const times: number[] = []
  const one = async () => {
    while (performance.now() < until) {
      const since = performance.now()
      const { status } = await call(agent, port, { path: '/api/users', token })
      if (status !== 200) throw new Error(`The server answered ${status}.`)
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return { rate: times.length / lasting, p99: quantile(times, 0.99), cpu: ((await cpuMs()) - before) / times.length }
}

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const nowhere = openSync('/dev/null', 'w')
const server = fork(join(import.meta.dirname, 'server-process.ts'), [home, level], {
  stdio: ['ignore', nowhere, 'inherit', 'ipc'],
})
const [ports] = (await once(server, 'message')) as [Ports]
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const account = { emailAddress: 'admin@demo.example', password: trialPassword }
const session = await call(agent, ports.api.port, { method: 'POST', path: '/api/auth/signin', body: account })
const token = (JSON.parse(session.text) as { accessToken: string }).accessToken

const answers = await Promise.all(
  [ports.api.port, ports.bare.port].map((port) => call(agent, port, { path: '/api/users', token })),
)
if (answers[0]?.text !== answers[1]?.text) throw new Error('The two servers return different replies.')

const results = { api: [] as ApiLoad[], bare: [] as ApiLoad[] }
// V8 needs this long to optimise both servers.
const warmUpSeconds = 10
for (const kind of ['bare', 'api'] as const) await load(ports[kind].port, warmUpSeconds)
for (let round = 0; round < rounds; round += 1) {
  const order = round % 2 === 0 ? (['bare', 'api'] as const) : (['api', 'bare'] as const)
  for (const kind of order) results[kind].push(await load(ports[kind].port, seconds))
}
agent.destroy()
server.send('stop')
await once(server, 'exit')
rmSync(home, { recursive: true, force: true })

const middle = (some: readonly ApiLoad[]): ApiLoad => ({
  rate: median(some.map(({ rate }) => rate)),
  p99: median(some.map(({ p99 }) => p99)),
  cpu: median(some.map(({ cpu }) => cpu)),
})
const [api, bare] = [middle(results.api), middle(results.bare)]
const describeMeasured = ({ rate, p99, cpu }: ApiLoad) =>
  `${Math.round(rate)} requests/s, p99 ${p99.toFixed(1)} ms, ${cpu.toFixed(3)} ms of CPU each`
console.log(
  `A list of 200 rows (${answers[0]?.text.length ?? 0} bytes), ${connections} connections, medians of ${rounds} rounds of ${seconds} s, log level ${level}`,
)
console.log(`  bare node:http and pg  ${describeMeasured(bare)}`)
console.log(`  Tributary              ${describeMeasured(api)}`)
console.log(`  of the bare rate       ${(api.rate / bare.rate).toFixed(2)}`)
