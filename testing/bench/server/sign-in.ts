/**
 * Sign-ins with Argon2id: their rate, their slowest times, and their effect on other calls. Other calls come at a
 * steady rate, alone and while 40 sign-ins are always in progress. Run: node testing/bench/server/sign-in.ts [rounds]
 * [seconds]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { call, quantile } from './client.ts'
import type { Ports } from './server-process.ts'
import { median } from '../measure.ts'

const rounds = Number(process.argv[2] ?? 5)
const seconds = Number(process.argv[3] ?? 6)
const atOnce = 40
const callsPerSecond = 50
const accounts = 190

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const server = fork(join(import.meta.dirname, 'server-process.ts'), [home, 'warn'], {
  stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit', 'ipc'],
})
const [{ api }] = (await once(server, 'message')) as [Ports]
const agent = new Agent({ keepAlive: true, maxSockets: 200 })

let turn = 0
/** Each sign-in comes from another address, because otherwise the limit of one address would be measured. */
async function signIn(emailAddress: string): Promise<{ accessToken: string }> {
  turn += 1
  const headers = { 'x-forwarded-for': `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}` }
  const body = { emailAddress, password: trialPassword }
  const { status, text } = await call(agent, api.port, { method: 'POST', path: '/api/auth/signin', body, headers })
  if (status !== 200) throw new Error(`A sign-in was answered ${status}: ${text}`)
  return JSON.parse(text) as { accessToken: string }
}

/** Keeps a constant number of sign-ins in progress until the time is up. Returns their times in milliseconds. */
async function signIns(lasting: number): Promise<number[]> {
  const until = performance.now() + lasting * 1_000
  const times: number[] = []
  const one = async (from: number) => {
    for (let number = from; performance.now() < until; number = 10 + ((number + atOnce) % accounts)) {
      const since = performance.now()
      await signIn(`person${number}@demo.example`)
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, index) => one(10 + index)))
  return times
}

/** Calls at a steady rate, independent of replies. Returns their times in milliseconds. */
async function otherCalls(lasting: number, token: string): Promise<number[]> {
  const times: Promise<number>[] = []
  const begun = performance.now()
  for (let number = 0; number < lasting * callsPerSecond; number += 1) {
    const due = begun + (number * 1_000) / callsPerSecond
    await sleep(Math.max(0, due - performance.now()))
    times.push(call(agent, api.port, { path: '/api/users', token }).then(() => performance.now() - due))
  }
  return Promise.all(times)
}

const { accessToken } = await signIn('admin@demo.example')
await otherCalls(5, accessToken)
await signIns(5)

const rates: number[] = []
const slowest: number[] = []
const alone: number[] = []
const meanwhile: number[] = []
for (let round = 0; round < rounds; round += 1) {
  alone.push(quantile(await otherCalls(seconds, accessToken), 0.99))
  const [times, others] = await Promise.all([signIns(seconds), otherCalls(seconds, accessToken)])
  rates.push(times.length / seconds)
  slowest.push(quantile(times, 0.99))
  meanwhile.push(quantile(others, 0.99))
}
agent.destroy()
server.send('stop')
await once(server, 'exit')
rmSync(home, { recursive: true, force: true })

console.log(
  `Sign-ins, ${atOnce} at once, together with ${callsPerSecond} other calls a second; medians of ${rounds} rounds of ${seconds} s`,
)
console.log(`  sign-ins               ${median(rates).toFixed(0)} a second, p99 ${median(slowest).toFixed(0)} ms`)
console.log(`  other calls alone      p99 ${median(alone).toFixed(1)} ms`)
console.log(`  other calls meanwhile  p99 ${median(meanwhile).toFixed(1)} ms`)
console.log(`  of the p99 alone       ${(median(meanwhile) / median(alone)).toFixed(1)}`)
