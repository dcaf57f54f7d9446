/**
 * A page of fifty areas among 20,000, compared with the same page among fifty: first page, last page, a search, and
 * with links. Run: node testing/bench/server/records.ts [calls per kind]
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

const calls = Number(process.argv[2] ?? 100)
const rounds = 3

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const nowhere = openSync('/dev/null', 'w')
const server = fork(join(import.meta.dirname, 'server-process.ts'), [home, 'info'], {
  stdio: ['ignore', nowhere, 'inherit', 'ipc'],
})
const [ports] = (await once(server, 'message')) as [Ports]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

async function signIn(emailAddress: string): Promise<string> {
  const body = { emailAddress, password: trialPassword }
  const { text } = await call(agent, ports.api.port, { method: 'POST', path: '/api/auth/signin', body })
  return (JSON.parse(text) as { accessToken: string }).accessToken
}
const tokens = { many: await signIn('admin@demo.example'), few: await signIn('admin@other.example') }
type Size = keyof typeof tokens

/** Median and 99th percentile in milliseconds. */
async function time(size: Size, query: string): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  for (let n = 0; n < calls; n += 1) {
    const since = performance.now()
    const { status } = await call(agent, ports.api.port, {
      path: `/api/areas?pageSize=50&${query}`,
      token: tokens[size],
    })
    if (status !== 200) throw new Error(`The server answered ${status}.`)
    times.push(performance.now() - since)
  }
  return { p50: median(times), p99: quantile(times, 0.99) }
}

const kinds: Readonly<Record<string, Readonly<Record<Size, string>>>> = {
  'first page': { many: 'links=false', few: 'links=false' },
  'last page': { many: 'links=false&page=400', few: 'links=false' },
  search: { many: 'links=false&search=9999', few: 'links=false&search=area%209' },
  'with links': { many: 'page=200', few: '' },
}
await time('many', '')
await time('few', '')
console.log(`A page of 50 areas, ${calls} calls one after the other, medians of ${rounds} rounds`)
for (const [kind, queries] of Object.entries(kinds)) {
  const series = { many: [] as number[], few: [] as number[], slow: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    series.few.push((await time('few', queries.few)).p50)
    const { p50, p99 } = await time('many', queries.many)
    series.many.push(p50)
    series.slow.push(p99)
  }
  const [many, few, slow] = [median(series.many), median(series.few), median(series.slow)]
  const ratio = (many / few).toFixed(1)
  console.log(
    `  ${kind.padEnd(11)} ${many.toFixed(1)} ms (p99 ${slow.toFixed(1)}) among 20,000, ${few.toFixed(1)} ms among 50: ${ratio} times`,
  )
}
agent.destroy()
server.send('stop')
await once(server, 'exit')
rmSync(home, { recursive: true, force: true })
