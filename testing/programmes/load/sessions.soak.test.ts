/** Many sessions poll like the portal while connectors are synced. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { trialPassword, trialPeople } from '../../../server/src/trial/people.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserSession, openSession, renewSession } from '../../server/app/browser-session.ts'
import { base, Chaos } from '../../server/processes/chaos.ts'
import { isFull, printFigure } from '../extent.ts'

const [sessions, seconds, warmingSeconds] = isFull ? [500, 3_600, 60] : [40, 6, 1]
const connectors = 10
const restMs = isFull ? 20_000 : 500
/** The polling interval of the portal. */
const pollMs = 10_000
const home = mkdtempSync(join(tmpdir(), 'tributary-programme-'))
let chaos: Chaos

beforeAll(async () => {
  chaos = await Chaos.start(home, 5_000)
})
afterAll(async () => {
  await chaos.stop()
  rmSync(home, { recursive: true, force: true })
})

test(`${sessions} sessions poll for ${seconds} s while ${connectors} connectors are synced: every call is answered, and memory and store connections do not grow`, async () => {
  const emails = trialPeople
    .filter(({ organisationId, role }) => base.includes(organisationId) && role.includes('admin'))
    .map(({ emailAddress }) => emailAddress)
  const people: PollingSession[] = []
  for (let at = 0; at < sessions; at += 1) {
    const emailAddress = emails[at % emails.length] ?? ''
    const opened = await openSession(chaos.address, { emailAddress, password: trialPassword })
    // A page that is reloaded has only the cookie.
    people.push({ session: await renewSession(chaos.address, opened), beginsAfterMs: (at / sessions) * pollMs })
  }
  const ids: string[] = []
  for (let at = 0; at < connectors; at += 1) ids.push(await chaos.addConnector(`Polled ${at}`))
  await poll(people, ids, warmingSeconds)
  const before = await heapAtRest()
  const { polled, runs, residentMax } = await poll(people, ids, seconds)
  const connections = await countConnections()
  const after = await heapAtRest()
  const times = polled.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0)
  const failed = polled.filter(({ status }) => status !== 200)
  printFigure(
    `${polled.length} calls of ${sessions} sessions in ${seconds} s during ${runs} runs of ${connectors} connectors: ${failed.length} failed, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms; ` +
      `the server's heap is ${before.toFixed(1)} MB before and ${after.toFixed(1)} MB afterwards, its resident memory ${residentMax.toFixed(0)} MB at most; ${connections} connections to the store at the end`,
  )
  expect(failed.slice(0, 10)).toEqual([])
  // The server may keep a pool of twenty and the connections of its queue. More would be a leak.
  expect(connections).toBeLessThan(40)
  // The memory limit of the Compose file.
  expect(residentMax).toBeLessThan(1_024)
  // In the short programme the server is still warming up.
  if (isFull) expect(after / before).toBeLessThan(1.1)
}, 4_200_000)

/** Polls with every session and syncs every connector for `forSeconds`. */
async function poll(people: readonly PollingSession[], ids: readonly string[], forSeconds: number) {
  const until = performance.now() + forSeconds * 1_000
  const resident: number[] = []
  const watching = sample(until, 1_000, async () => void resident.push(residentMemory()))
  const [polled, runs] = await Promise.all([
    Promise.all(people.map((person) => pollUntil(until, person, ids))),
    Promise.all(ids.map((id) => syncUntil(until, id))),
  ])
  await watching
  return { polled: polled.flat(), runs: runs.reduce((sum, each) => sum + each, 0), residentMax: Math.max(...resident) }
}

/**
 * Heap in megabytes after a garbage collection. Waits first, because calls in progress hold memory that is not kept.
 */
async function heapAtRest(): Promise<number> {
  await wait(restMs)
  return chaos.serverHeap()
}

interface TimedCall {
  readonly status: number
  readonly ms: number
}

interface PollingSession {
  session: BrowserSession
  readonly beginsAfterMs: number
}

/** Requests three lists every ten seconds. */
async function pollUntil(
  until: number,
  person: PollingSession,
  connectorIds: readonly string[],
): Promise<readonly TimedCall[]> {
  const polled: TimedCall[] = []
  const lists = [
    `${base}/connectors`,
    `${base}/connectors/${connectorIds[0]}/runs`,
    '/api/tributary/clients/connector-types',
  ]
  await wait(Math.min(person.beginsAfterMs, Math.max(0, until - performance.now())))
  while (performance.now() < until) {
    const began = performance.now()
    for (const path of lists) polled.push(await callOnce(path, person))
    await wait(Math.max(0, Math.min(pollMs - (performance.now() - began), until - performance.now())))
  }
  return polled
}

/** Renews an expired token, like the portal. */
async function callOnce(path: string, person: PollingSession): Promise<TimedCall> {
  const since = performance.now()
  const reply = await chaos.callOnce('GET', path, undefined, person.session.token)
  await reply.arrayBuffer()
  if (reply.status !== 401) return { status: reply.status, ms: performance.now() - since }
  person.session = await renewSession(chaos.address, person.session)
  return callOnce(path, person)
}

async function syncUntil(until: number, connectorId: string): Promise<number> {
  let runs = 0
  for (; performance.now() < until; runs += 1) {
    const runId = await chaos.startRun(false, connectorId)
    let status = ''
    while (!['COMPLETED', 'FAILED', 'CANCELLED'].includes(status)) {
      await wait(500)
      status = String((await chaos.readRun(runId, connectorId))['Status'])
    }
    expect(status).toBe('COMPLETED')
  }
  return runs
}

async function sample(until: number, everyMs: number, take: () => Promise<void>): Promise<void> {
  while (performance.now() < until) {
    await take()
    await wait(everyMs)
  }
}

/** Resident memory of the server in megabytes. */
function residentMemory(): number {
  const status = readFileSync(`/proc/${chaos.serverProcessId}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

async function countConnections(): Promise<number> {
  const text = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = 'tributary' AND usename = 'tributary_store'`
  const [row] = await chaos.query<{ open: number }>('postgres', text)
  return row?.open ?? 0
}
