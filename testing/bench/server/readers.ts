/**
 * Fifty people who read the OData feed and ten who use the explorer, during five syncs, each person with their own login of the warehouse. Fails if
 * a call or a run fails. Run: node testing/bench/server/readers.ts [seconds] [rows]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { trialOrganisations, trialPassword } from '../../../server/src/trial/people.ts'
import { base, Chaos } from '../../server/processes/chaos.ts'
import { median } from '../measure.ts'
import { call, quantile } from './client.ts'

const seconds = Number(process.argv[2] ?? 60)
const rows = Number(process.argv[3] ?? 100_000)
const [feedReaders, explorers, syncs] = [50, 10, 5]
/** Between two calls of a person. */
const pauseMs = 1_000
const organisationId = trialOrganisations[0].id
const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const chaos = await Chaos.start(home, rows)
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const times = new Map<string, number[]>()
const errors: string[] = []
let completedRuns = 0

const connectors = await Promise.all(Array.from({ length: syncs }, (_, at) => chaos.addConnector(`Sync ${at}`)))
await Promise.all(connectors.map(refresh))
const people = await addPeople(feedReaders + explorers)
const tokens: string[] = []
for (const person of people) tokens.push(await signIn(person))
// Everybody's login is created at the first call.
for (const token of tokens)
  await get('First call of a person', `${base}/data/tables/sync_0_copy/chaos_wide/rows`, token)

const end = performance.now() + seconds * 1_000
completedRuns = 0
await Promise.all([
  ...tokens.slice(0, feedReaders).map(readFeed),
  ...tokens.slice(feedReaders).map(explore),
  ...connectors.map(keepSyncing),
])

console.log(
  `\n## ${feedReaders} people reading feeds and ${explorers} in the explorer during ${syncs} syncs, ${seconds} s\n\n| Call | Calls | p50 ms | p99 ms |\n|---|---|---|---|`,
)
for (const [name, all] of times)
  console.log(`| ${name} | ${all.length} | ${median(all).toFixed(0)} | ${quantile(all, 0.99).toFixed(0)} |`)
console.log(`\nRuns: ${completedRuns}. Errors: ${errors.length}.`)
for (const error of new Set(errors)) console.log(`- ${error}`)
if (errors.length > 0) process.exitCode = 1
agent.destroy()
await chaos.stop()
rmSync(home, { recursive: true, force: true })

/** A program reads the feed page by page, and begins again at its end. */
async function readFeed(token: string, at: number): Promise<void> {
  const start = `/odata/${organisationId}/sync_${at % syncs}_copy_chaos_wide`
  await wait((at * pauseMs) / feedReaders)
  for (let path = start; performance.now() < end; await wait(pauseMs)) {
    const text = await get('A page of 1,000 rows of the feed', path, token, { prefer: 'odata.maxpagesize=1000' })
    const next = /"@odata\.nextLink":"([^"]+)"/u.exec(text.slice(-2_000))?.[1]
    path = next === undefined ? start : next.replace(/^https?:\/\/[^/]+/u, '')
  }
}

async function explore(token: string, at: number): Promise<void> {
  const table = `${base}/data/tables/sync_${at % syncs}_copy/chaos_wide`
  const filters = JSON.stringify([{ column: 'id', operator: 'between', values: ['1000', '2000'] }])
  const calls: readonly (readonly [string, string])[] = [
    ['The list of tables', `${base}/data/tables`],
    ['First rows of a table', `${table}/rows`],
    ['Rows that a filter finds', `${table}/rows?${new URLSearchParams({ filters }).toString()}`],
    ['The profile of a column', `${table}/profile?column=id`],
  ]
  await wait((at * pauseMs) / explorers)
  for (let turn = 0; performance.now() < end; turn += 1) {
    const [name, path] = calls[turn % calls.length] ?? ['', '']
    await get(name, path, token)
    await wait(pauseMs)
  }
}

async function keepSyncing(connectorId: string): Promise<void> {
  while (performance.now() < end) await refresh(connectorId)
}

async function refresh(connectorId: string): Promise<void> {
  const runId = await chaos.startRun(true, connectorId)
  for (;;) {
    const { Status: status } = await chaos.readRun(runId, connectorId)
    if (status === 'COMPLETED') return void (completedRuns += 1)
    if (status === 'FAILED') return void errors.push('A run failed.')
    await wait(200)
  }
}

async function get(
  name: string,
  path: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const since = performance.now()
  const { status, text } = await call(agent, portOf(chaos), { path, token, headers })
  times.set(name, [...(times.get(name) ?? []), performance.now() - since])
  if (status !== 200) errors.push(`${name}: ${status} ${text.slice(0, 300)}`)
  return text
}

/** Administrators, who read all tables. Returns their addresses. */
async function addPeople(count: number): Promise<readonly string[]> {
  const added = await chaos.query<{ email_address: string }>(
    'tributary',
    `WITH person AS (
       INSERT INTO portal_user (first_name, last_name, email_address, password_hash)
       SELECT 'Reader', n::text, 'reader' || n || '@demo.example', (SELECT password_hash FROM portal_user WHERE email_address = 'admin@demo.example')
       FROM generate_series(1, ${count}) AS n RETURNING id, email_address),
     member AS (
       INSERT INTO membership (organisation_id, user_id, role_id)
       SELECT '${organisationId}', person.id, role.id FROM person, role WHERE role.name = 'admin')
     SELECT email_address FROM person`,
  )
  return added.map((person) => person.email_address)
}

async function signIn(emailAddress: string): Promise<string> {
  const body = { emailAddress, password: trialPassword }
  const { status, text } = await call(agent, portOf(chaos), { method: 'POST', path: '/api/auth/signin', body })
  if (status !== 200) throw new Error(`Signing in answered ${status}: ${text}`)
  return (JSON.parse(text) as { accessToken: string }).accessToken
}

function portOf({ address }: Chaos): number {
  return Number(new URL(address).port)
}
