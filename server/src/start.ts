/** Brings the server up in order, each part on the one before, and takes it down the other way round. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './kernel/config/config.ts'
import { assemble } from './assemble.ts'
import { finaliseRestore } from './security/backup/after-restore.ts'
import { systemClock } from './kernel/clock.ts'
import { openDatabases } from './databases.ts'
import type { NetworkEndpoint } from './security/egress/egress.ts'
import { startEmbedded } from './kernel/embedded/supervisor.ts'
import type { Log } from './kernel/log/log.ts'
import { migrate } from './kernel/migrations/migrate.ts'
import type { AppServices } from './app-services.ts'
import { openQueue } from './kernel/queue/queue.ts'
import { WrongMasterKey } from './kernel/config/master-keys.ts'
import { reWrapAll } from './security/keys/re-wrap-keys.ts'
import { StartRefused } from './kernel/start-error.ts'
import { openTelemetry } from './kernel/telemetry/open-telemetry.ts'
import { startWatching } from './start-metrics.ts'
import { trialKeys } from './kernel/config/trial-master-key.ts'
import type { TrialEnvironment, TrialSources } from './trial/sources.ts'
import type { TrialServer } from './trial/start-trial.ts'
import { channels, startWorker } from './worker.ts'

export interface RunningServer {
  readonly services: AppServices
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

/** @param log which knows the configuration's secrets. */
export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const stops = new Stops(log)
  await requirePort(config)
  try {
    const services = await startServices(config, log, stops)
    if (config.role !== 'web') {
      const worker = await startWorker(services)
      stops.push(() => worker.stop())
    }
    const http = await buildApp(services)
    stops.push(() => http.close())
    await listen(http, config)
    return { services, stop: () => drain(services, stops) }
  } catch (error) {
    await stops.run()
    throw error
  }
}

/** A balancer notices only after a while that we are not ready any more, and sends calls until then. */
const noticedAfterMs = 5_000

/** Readiness ends, runs are given back and those who watch are let go at once; calls are answered until nobody sends any. */
async function drain({ config, lifecycle }: Pick<AppServices, 'config' | 'lifecycle'>, stops: Stops): Promise<void> {
  lifecycle.leave()
  const isBalanced = config.mode === 'production' && config.role !== 'worker'
  if (isBalanced) await sleep(Math.min(noticedAfterMs, config.stopSeconds * 200))
  await stops.run()
}

async function startServices(config: Config, log: Log, stops: Stops): Promise<AppServices> {
  const databases = await openDatabases(config, (home) => startEmbedded(home, { log }))
  stops.push(() => databases.close())
  await migrate(databases.store)
  const onError = (error: unknown) => {
    // The queue lets go of its last connections while the database is already going down.
    if (!stops.isStopping) log.warn('the queue cannot reach the database', { error })
  }
  const queue = await openQueue({ connection: databases.store, channels: channels, onError })
  stops.push(() => queue.close())

  const trial =
    databases.embedded === null
      ? null
      : await startTrial({ ...databases.embedded, dataDir: config.dataDir, clock: systemClock, log })
  if (trial !== null) stops.push(() => trial.stop())
  const telemetry = await openTelemetry(config, log)
  stops.push(() => telemetry.tracing.close())
  const services = assemble({
    config,
    log,
    queue,
    clock: systemClock,
    keys: config.masterKeys ?? trialKeys(config.dataDir),
    connection: databases.store,
    warehouse: databases.warehouse,
    isDiskFull: databases.isDiskFull,
    telemetry,
    ...broughtBy(trial),
    never: () => [...databases.never, ...ownListeners(config)],
  })
  stops.push(() => services.store.close())
  await requireMasterKey(services)
  const settled = await finaliseRestore(services)
  if (settled !== null)
    log.warn('the store was restored: what is past in it has been settled', { count: settled.runsEnded })
  const stopWatching = await startWatching(services)
  stops.push(stopWatching)
  if (trial !== null) await trial.seed(services)
  return services
}

/** Imports the trial on demand, because it loads the simulators: a production start must not. */
async function startTrial(place: TrialEnvironment): Promise<TrialServer> {
  const module = await import('./trial/start-trial.ts')
  return module.startTrial(place)
}

function broughtBy(
  trial: TrialSources | null,
): Pick<TrialSources, 'demo' | 'allowHosts' | 'allowPostgres' | 'simulatedApps'> {
  if (trial === null) return { demo: {}, allowHosts: [], allowPostgres: [], simulatedApps: [] }
  const { demo, allowHosts, allowPostgres, simulatedApps } = trial
  return { demo, allowHosts, allowPostgres, simulatedApps }
}

function ownListeners({ host, port, metricsHost, metricsPort }: Config): readonly NetworkEndpoint[] {
  return [{ host, port }, ...(metricsPort === null ? [] : [{ host: metricsHost, port: metricsPort }])]
}

async function requireMasterKey({
  masters,
  serverKeys,
  store,
  log,
}: Pick<AppServices, 'log' | 'masters' | 'serverKeys' | 'store'>): Promise<void> {
  try {
    await serverKeys.prepare()
    const count = await reWrapAll({ store, masters })
    if (count > 0) log.info('keys were wrapped with the new master key', { count })
  } catch (error) {
    if (!(error instanceof WrongMasterKey)) throw error
    throw new StartRefused(
      'The master key does not open what is stored. Set the one it was stored with, or add that one to TRIBUTARY_MASTER_KEYS_OLD.',
    )
  }
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
      throw new StartRefused(
        `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`,
      )
    if (code === 'EACCES')
      throw new StartRefused(`This user may not listen at port ${port}. Choose one above 1023 with PORT.`)
    if (code === 'EADDRNOTAVAIL') throw new StartRefused(`This machine has no address ${host}. Correct TRIBUTARY_HOST.`)
    throw error
  }
}
