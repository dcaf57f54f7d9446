/**
 * The egress programme, in a process that may have its own network namespace. Its argument is `EgressSettings` as JSON.
 */
import { lookup } from 'node:dns/promises'
import { alertChannels } from '@tributary/contract/alert-channels'
import { alerts } from '@tributary/contract/alerts'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { streams } from '@tributary/contract/streams'
import { tableSync } from '@tributary/contract/table-sync'
import type { Route } from '@tributary/contract/route'
import { createRandom } from '@tributary/sims/random'
import type { ClientConfig } from 'pg'
import { channelAddressLocation } from '../../../server/src/messaging/alert-channels/alert-channel.ts'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { trialOrganisations, trialPassword } from '../../../server/src/trial/people.ts'
import { workerChannels, startWorker } from '../../../server/src/worker.ts'
import { assembleServices } from '../../../server/src/assemble.ts'
import { systemClock, type Clock } from '../../../server/src/kernel/clock.ts'
import { openNetwork } from '../../../server/src/security/egress/egress.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import { TestClient, type RouteInput } from '../app/client.ts'
import {
  encodePath,
  hostCases,
  knownNames,
  mainHosts,
  nextLinkCases,
  redirectCases,
  routeCases,
  routeNames,
} from './egress-cases.ts'
import { cin7At, formsOf, inAddress, ownDatabasesAt, sqlForm, unicontaAt, type ConnectorForm } from './egress-forms.ts'
import { templateKeys } from '../app/template-keys.ts'
import { banner, connectionsBegun, lookUpAmong, openSink, openSqlServer, openWebServer } from './egress-servers.ts'

export interface EgressSettings {
  readonly connection: ClientConfig
  readonly warehouse: ClientConfig
  /** Whether this process has its own network namespace, in which every address leads to the sinks. */
  readonly isAlone: boolean
  readonly seed: number
  /** The share of the cases that are tried. */
  readonly share: number
}

export interface EgressReport {
  readonly cases: number
  readonly calls: Readonly<Record<string, number>>
  /** Forbidden addresses that were reached. */
  readonly reached: readonly string[]
  /** How often the allowed address was reached, which proves that the sinks count. */
  readonly opened: number
  /** Connections in this namespace that reached no allowed address; null without a namespace. */
  readonly astray: number | null
  /** Unexpected replies and runs. */
  readonly odd: readonly string[]
}

const settings = JSON.parse(process.argv[2] ?? '') as EgressSettings
const harbour = trialOrganisations[0]
const random = createRandom(settings.seed)
const openAddress = settings.isAlone ? '93.184.215.14' : '127.200.0.1'

const [sink, open] = await Promise.all([openSink(), openSink()])
const [web, sql] = await Promise.all([openWebServer(), openSqlServer()])
const own = { host: '127.0.0.1', port: sink.port }
const origin = `http://127.0.0.1:${web.port}`
const usualSinks = settings.isAlone ? await Promise.all([80, 443, 1433, 3306, 5432].map(openSink)) : []
const begunBefore = settings.isAlone ? connectionsBegun() : 0

const names = [...knownNames(openAddress), ...routeNames(openAddress)]
const lookUp = lookUpAmong(names, async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address),
)
// The operator allows too much: our own listener, the store and the metadata service must stay blocked.
const allow = [
  `127.0.0.1:${web.port}`,
  `sql.shop.example:${sql.port}`,
  ...['127.0.0.1', 'localhost', '169.254.169.254', '10.0.0.5'].map((host) => `${host}:${sink.port}`),
  ...(settings.isAlone ? [] : [`${openAddress}:${open.port}`]),
]
const deny = () => [own, { host: '10.0.0.5', port: sink.port }]

/** Shortens the waits between retries, which other tests cover. */
const clock: Clock = { now: () => systemClock.now(), sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) }
const odd: string[] = []
const log = openLog('error', (line) => odd.push(line))
const queue = await openQueue({
  connection: settings.connection,
  channels: workerChannels,
  onError: (error) => log.error('queue', { error }),
})
const assembled = assembleServices({
  config: readConfig({ PORT: '3000' }).config,
  log,
  queue,
  clock,
  keys: templateKeys,
  connection: { ...settings.connection, max: 8 },
  warehouse: { admin: settings.warehouse, host: '127.0.0.1', port: 5432 },
  demo: {},
  allowHosts: [],
  deny,
})
const services = { ...assembled, network: openNetwork({ allow, deny, lookUp, connectMs: 2_000, lookUpMs: 2_000 }) }
const http = await buildApp(services)
const worker = await startWorker(services, { pollMs: 500 })
const admin = new TestClient(http, { emailAddress: 'admin@demo.example', password: trialPassword })
const calls: Record<string, number> = {}

async function call<R extends Route>(entry: string, route: R, input: RouteInput) {
  calls[entry] = (calls[entry] ?? 0) + 1
  const reply = await admin.call(route, { ...input, params: { clientId: harbour.id, ...input.params } })
  const text = JSON.stringify(reply.body)
  if (reply.status >= 500 || text.includes(banner))
    odd.push(`${entry}: ${reply.status} ${text} for ${JSON.stringify(input.body)}`)
  return reply
}

async function tryForms(forms: readonly ConnectorForm[]): Promise<void> {
  for (const { type, properties } of forms) {
    await call('connection test', connectors.check, { body: { type, properties } })
    await call('discovery', streams.discover, { body: { type, properties } })
  }
}

let made = 0

/** Returns the id of the connector, or null if the settings could not be saved. */
async function saveAndRun(settings: ConnectorForm): Promise<string | null> {
  made += 1
  const saved = await call('saving', connectors.create, { body: { ...settings, name: `Case ${made}` } })
  if (saved.status !== 201) return null
  const connectorId = (saved.body as { readonly Id: string }).Id
  const started = await call('run', runs.process, { params: { connectorId }, body: {} })
  if (started.status !== 202) return connectorId
  const runId = (started.body as { readonly RunId: string }).RunId
  for (let look = 0; look < 600; look += 1) {
    const { body } = await admin.call(runs.read, { params: { clientId: harbour.id, connectorId, runId } })
    if (body.Status === 'COMPLETED') odd.push(`A run completed: ${JSON.stringify(settings)}`)
    if (body.Status !== 'QUEUED' && body.Status !== 'RUNNING') return connectorId
    await systemClock.sleep(50)
  }
  odd.push(`A run did not end: ${JSON.stringify(settings)}`)
  return connectorId
}

/** Saves the address as a webhook, and then sets it directly, as if it had been harmless when it was saved. */
async function tryWebhook(connectorId: string, url: string): Promise<void> {
  const save = (address: string) =>
    call('saving a webhook', alerts.save, { params: { connectorId }, body: { users: null, webhook: { url: address } } })
  await save(url)
  await save(`http://127.0.0.1:${web.port}/hook`)
  // PostgreSQL does not accept NUL in text.
  const webhookUrl = url.replaceAll('\0', '%00')
  await services.store.within(harbour.id, (db) =>
    db.updateTable('connector').set({ webhookUrl }).where('id', '=', connectorId).execute(),
  )
  await call('webhook test', alerts.test, { params: { connectorId }, body: {} })
}

/** The same for an alert channel, whose address is encrypted. */
async function tryChannel(url: string): Promise<void> {
  const channel = { name: 'Case', kinds: null, connectors: null, frequency: 'never', hour: 8 } as const
  const create = (address: string) =>
    call('saving a channel', alertChannels.create, { body: { ...channel, service: 'teams', address } })
  const remove = (channelId: string) =>
    admin.call(alertChannels.remove, { params: { clientId: harbour.id, channelId } })
  const saved = await create(url)
  if (saved.status === 201) await remove(saved.body.Id)
  const { Id: channelId } = (await create(`http://127.0.0.1:${web.port}/hook`)).body
  await services.store.within(harbour.id, async (db) => {
    const location = channelAddressLocation({ organisationId: harbour.id, channelId })
    const address = await services.secrets.encrypt(db, location, url)
    await db.updateTable('alertChannel').set({ address }).where('id', '=', channelId).execute()
  })
  await call('channel test', alertChannels.test, { params: { channelId } })
  await remove(channelId)
}

const chosen = <T>(cases: readonly T[]): readonly T[] => {
  const some = cases.filter(() => random.next() < settings.share)
  return some.length > 0 ? some : cases.slice(0, 1)
}

async function inParallel<T>(cases: readonly T[], work: (one: T, at: number) => Promise<void>): Promise<void> {
  const waiting = cases.map((one, at) => ({ one, at }))
  const workNext = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next.one, next.at)
  }
  await Promise.all(Array.from({ length: 6 }, workNext))
}

type Credentials = ReturnType<typeof ownDatabasesAt>[number]

async function saveOwnDatabase(body: Credentials): Promise<void> {
  await call('saving the own database', tableSync.saveCredentials, { body })
  await call('table synchronisation', tableSync.synchronise, {})
}

async function tryOwnDatabases(host: string, at: number): Promise<void> {
  const databases = ownDatabasesAt(host, sink.port)
  for (const body of databases) await call('test of the own database', tableSync.checkCredentials, { body })
  const saved = databases[at % databases.length]
  if (saved !== undefined) await saveOwnDatabase(saved)
}

/** Every entry point must reach the allowed address, which proves that it connects and that the sinks count. */
async function mustReach(entry: string, work: () => Promise<unknown>): Promise<void> {
  const before = open.reached.length
  await work()
  if (open.reached.length === before) odd.push(`${entry} does not reach the allowed address.`)
}

await admin.session()
for (const [at, { type, properties }] of formsOf('open.example', { port: open.port, origin }).entries()) {
  const body = { type, properties }
  await mustReach(`The test of form ${at}`, () => call('connection test', connectors.check, { body }))
  // The last forms have the address only in the target.
  if (at < 5) await mustReach(`The discovery of form ${at}`, () => call('discovery', streams.discover, { body }))
  await mustReach(`The run of form ${at}`, () => saveAndRun(body))
}
for (const body of ownDatabasesAt('open.example', open.port)) {
  const { connector } = body
  await mustReach(`The test of ${connector}`, () =>
    call('test of the own database', tableSync.checkCredentials, { body }),
  )
  await mustReach(`The synchronisation of ${connector}`, () => saveOwnDatabase(body))
}
Object.assign(sql.route, { host: 'open.shop.example', port: open.port })
await mustReach('A rerouted client', () => tryForms([sqlForm(sql)]))
const webhookOwner = await saveAndRun(cin7At(`${origin}/`))
await mustReach('A webhook', () => tryWebhook(webhookOwner ?? '', `http://open.example:${open.port}/hook`))
await mustReach('A channel', () => tryChannel(`http://open.example:${open.port}/hook`))

const cases = {
  hosts: [...new Set([...mainHosts, ...chosen(hostCases(names))])],
  redirects: chosen(redirectCases(sink.port, origin)),
  links: chosen(nextLinkCases(sink.port)),
  routes: chosen(routeCases()),
}
await inParallel(cases.hosts, async (host, at) => {
  const forms = formsOf(host, { port: sink.port, origin })
  await tryForms(forms)
  await tryOwnDatabases(host, at)
  const form = forms[at % forms.length]
  const saved = form === undefined ? null : await saveAndRun(form)
  const connectorId = saved ?? (await saveAndRun(cin7At(`${origin}/`)))
  const hook = `http://${inAddress(host)}:${sink.port}/hook`
  if (connectorId !== null) await tryWebhook(connectorId, hook)
  await tryChannel(hook)
})
await inParallel(cases.redirects, async ({ status, to }, at) => {
  const address = `${origin}/moved/${status}/${encodePath(to)}/`
  const forms = [cin7At(address), unicontaAt(address)] as const
  await tryForms(forms)
  const connectorId = await saveAndRun(forms[at % 2] ?? forms[0])
  if (connectorId !== null) await tryWebhook(connectorId, address)
  await tryChannel(address)
})
await inParallel(cases.links, async (to) => {
  const form = unicontaAt(`${origin}/next/${encodePath(to)}/`)
  await tryForms([form])
  await saveAndRun(form)
})
for (const host of cases.routes) {
  Object.assign(sql.route, { host, port: sink.port })
  await tryForms([sqlForm(sql)])
  await saveAndRun(sqlForm(sql))
}

await worker.stop()
await http.close()
await queue.close()
await services.store.close()
await systemClock.sleep(200)

const reached = [sink, open, ...usualSinks].flatMap(({ port, reached: at }) => at.map((address) => ({ address, port })))
const allowed = reached.length + web.accepted + 2 * sql.accepted
const report: EgressReport = {
  cases: Object.values(cases).reduce((sum, each) => sum + each.length, 0),
  calls,
  reached: reached
    .filter(({ address }) => address !== openAddress)
    .map(({ address, port }) => `${address} port ${port}`),
  opened: reached.filter(({ address }) => address === openAddress).length,
  astray: settings.isAlone ? connectionsBegun() - begunBefore - allowed : null,
  odd,
}
process.stdout.write(JSON.stringify(report))
process.exit(0)
