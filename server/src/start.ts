/** Brings the server up in order, each part on the one before, and takes it down the other way round. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { assemble } from './platform/assemble.ts'
import { systemClock } from './platform/clock.ts'
import { parseDatabaseUrl } from './platform/database-url.ts'
import type { Endpoint } from './platform/egress.ts'
import { startEmbedded } from './platform/embedded/supervisor.ts'
import { openLog, type Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import type { Parts } from './platform/parts.ts'
import { openQueue } from './platform/queue.ts'
import { WrongMasterKey } from './platform/secrets.ts'
import { StartRefused } from './platform/start-refused.ts'
import { trialKeys } from './platform/trial-key.ts'
import type { WarehouseServer } from './platform/warehouse-server.ts'
import { seedConnectors } from './trial/connectors.ts'
import { seedPeople } from './trial/people.ts'
import { seedRequests } from './trial/requests.ts'
import { startTrialSources } from './trial/sources.ts'
import { seedStructure } from './trial/structure.ts'
import { bells, startWorker } from './worker.ts'

export interface Running {
  readonly parts: Parts
  /** Finishes what it is doing, gives runs back, and stops the embedded database last. */
  stop(): Promise<void>
}

/** What has been started, to be stopped in the opposite order. */
class Stops {
  readonly #log: Log
  readonly #each: (() => Promise<unknown>)[] = []
  isStopping = false

  constructor(log: Log) {
    this.#log = log
  }

  push(stop: () => Promise<unknown>): void {
    this.#each.push(stop)
  }

  async run(): Promise<void> {
    this.isStopping = true
    for (const stop of this.#each.splice(0).toReversed()) {
      await stop().catch((error: unknown) => this.#log.warn('a part did not stop cleanly', { error }))
    }
  }
}

export async function startServer(config: Config): Promise<Running> {
  const log = openLog(config.logLevel)
  const stops = new Stops(log)
  await requirePort(config)
  try {
    const parts = await startParts(config, log, stops)
    if (config.role !== 'web') {
      const worker = await startWorker(parts)
      stops.push(() => worker.stop())
    }
    const http = await buildApp(parts)
    stops.push(() => http.close())
    await listen(http, config)
    return { parts, stop: () => stops.run() }
  } catch (error) {
    await stops.run()
    throw error
  }
}

async function startParts(config: Config, log: Log, stops: Stops): Promise<Parts> {
  const databases = await openDatabases(config, stops)
  await migrate(databases.store)
  const onError = (error: unknown) => {
    // The queue lets go of its last connections while the database is already going down.
    if (!stops.isStopping) log.warn('the queue cannot reach the database', { error })
  }
  const queue = await openQueue({ connection: databases.store, bells, onError })
  stops.push(() => queue.close())

  const trial =
    databases.embedded === null
      ? null
      : await startTrialSources({ ...databases.embedded, dataDir: config.dataDir, clock: systemClock, log })
  if (trial !== null) stops.push(() => trial.stop())
  const parts = assemble({
    config,
    log,
    queue,
    clock: systemClock,
    keys: config.masterKeys ?? trialKeys(config.dataDir),
    connection: databases.store,
    warehouse: databases.warehouse,
    demo: trial?.demo ?? {},
    allowHosts: trial?.allowHosts ?? [],
    never: () => [...databases.never, { host: config.host, port: config.port }],
  })
  stops.push(() => parts.store.close())
  concealSettings(log, config)
  await requireMasterKey(parts)
  if (config.mode === 'trial') await seedOnce(parts)
  return parts
}

interface Databases {
  readonly store: ClientConfig
  readonly warehouse: WarehouseServer
  /** What no connector may dial. */
  readonly never: readonly Endpoint[]
  /** The embedded server, in which the trial's shop lives; null where the operator brings a database. */
  readonly embedded: { readonly superuser: ClientConfig; readonly listens: Endpoint } | null
}

async function openDatabases(config: Config, stops: Stops): Promise<Databases> {
  if (config.databaseUrl !== null) {
    const store = parseDatabaseUrl(config.databaseUrl)
    const admin = config.warehouseUrl === null ? store : parseDatabaseUrl(config.warehouseUrl)
    return { store, warehouse: { admin, host: admin.host, port: admin.port }, never: [store], embedded: null }
  }
  const embedded = await startEmbedded(config.dataDir)
  stops.push(() => embedded.stop())
  const { superuser, warehouse: listens } = embedded
  // By TCP the embedded server lets in readers of the warehouse and of the trial's shop, and nobody to the store.
  return { store: embedded.store, warehouse: { admin: superuser, ...listens }, never: [], embedded: { superuser, listens } }
}

function concealSettings(log: Log, { captcha, databaseUrl, warehouseUrl, smtpUrl }: Config): void {
  if (captcha.secret !== null) log.conceal(captcha.secret)
  for (const text of [databaseUrl, warehouseUrl, smtpUrl]) {
    const password = text === null ? undefined : URL.parse(text)?.password
    if (password === undefined || password === '') continue
    log.conceal(password)
    log.conceal(decodeURIComponent(password))
  }
}

async function requireMasterKey({ secrets, store, log }: Parts): Promise<void> {
  try {
    const count = await secrets.rewrap(store)
    if (count > 0) log.info('data keys were wrapped with the new master key', { count })
  } catch (error) {
    if (!(error instanceof WrongMasterKey)) throw error
    throw new StartRefused(
      'The master key does not open what is stored. Set the one it was stored with, or add that one to TRIBUTARY_MASTER_KEYS_OLD.',
    )
  }
}

/** A start that was cut off finds what it had not put in yet missing, and puts it in. */
async function seedOnce(parts: Parts): Promise<void> {
  const { store, passwords } = parts
  // Across: whether there is anybody, and any connector, at all. Deleted connectors keep their rows.
  const [person, request, area, connector] = await store.across(async (db) => [
    await db.selectFrom('portalUser').select('id').limit(1).executeTakeFirst(),
    await db.selectFrom('approval').select('id').limit(1).executeTakeFirst(),
    await db.selectFrom('area').select('id').limit(1).executeTakeFirst(),
    await db.selectFrom('connector').select('id').limit(1).executeTakeFirst(),
  ])
  if (person === undefined) await seedPeople(store, passwords)
  if (request === undefined) await seedRequests(store)
  // Connectors come last and stay: where there is one, a structure that is gone was deleted by somebody.
  if (area === undefined && connector === undefined) await seedStructure(store)
  if (connector === undefined) await seedConnectors(parts)
}

/** Asked before anything is made, so that a port that is taken is told at once and not after the first seconds of work. */
async function requirePort(config: Config): Promise<void> {
  const probe = createServer()
  await told(config, async () => {
    probe.listen({ host: config.host, port: config.port })
    await once(probe, 'listening')
  })
  probe.close()
  await once(probe, 'close')
}

function listen(http: FastifyInstance, config: Config): Promise<void> {
  return told(config, async () => {
    await http.listen({ host: config.host, port: config.port })
  })
}

/** Says in one line why we cannot listen. */
async function told({ host, port }: Config, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartRefused(`Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`)
    if (code === 'EACCES') throw new StartRefused(`This user may not listen at port ${port}. Choose one above 1023 with PORT.`)
    if (code === 'EADDRNOTAVAIL') throw new StartRefused(`This machine has no address ${host}. Correct TRIBUTARY_HOST.`)
    throw error
  }
}
