/** Starts the parts of the server in order, and stops them in reverse order. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './kernel/config/config.ts'
import { assembleServices } from './assemble.ts'
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
import { startMetrics } from './start-metrics.ts'
import { trialKeys } from './kernel/config/trial-master-key.ts'
import type { TrialEnvironment, TrialSources } from './trial/sources.ts'
import type { TrialServer } from './trial/start-trial.ts'
import { workerChannels, startWorker } from './worker.ts'

export interface RunningServer {
  readonly services: AppServices
  /** Completes open requests, gives runs back, and stops the embedded database last. */
  stop(): Promise<void>
}

/** The stop functions of the started parts. `run` calls them in reverse order. */
class ShutdownStack {
  readonly #log: Log
  readonly #functions: (() => Promise<unknown>)[] = []
  isStopping = false

  constructor(log: Log) {
    this.#log = log
  }

  push(stop: () => Promise<unknown>): void {
    this.#functions.push(stop)
  }

  async run(): Promise<void> {
    this.isStopping = true
    for (const stop of this.#functions.splice(0).toReversed()) {
      await stop().catch((error: unknown) => this.#log.warn('a part did not stop cleanly', { error }))
    }
  }
}

/**
 * @param log redacts the configuration's secrets
 * @param pagesBuilt whether the pages, which may be built meanwhile, can be served
 */
export async function startServer(
  config: Config,
  log: Log,
  pagesBuilt: Promise<boolean> = Promise.resolve(true),
): Promise<RunningServer> {
  const stops = new ShutdownStack(log)
  await requirePort(config)
  try {
    const services = await startServices(config, log, stops)
    if (config.role !== 'web') {
      const worker = await startWorker(services)
      stops.push(() => worker.stop())
    }
    if (!(await pagesBuilt)) throw new StartRefused('Tributary does not start, because its pages were not built.')
    const http = await buildApp(services)
    stops.push(() => http.close())
    await listen(http, config)
    return { services, stop: () => drain(services, stops) }
  } catch (error) {
    await stops.run()
    throw error
  }
}

/** A load balancer sends requests until it notices that the process is no longer ready. */
const balancerDelayMs = 5_000

/**
 * Ends readiness, runs and event streams immediately, and continues to answer requests until the load balancer has
 * noticed.
 */
async function drain(
  { config, lifecycle }: Pick<AppServices, 'config' | 'lifecycle'>,
  stops: ShutdownStack,
): Promise<void> {
  lifecycle.leave()
  const isBalanced = config.mode === 'production' && config.role !== 'worker'
  if (isBalanced) await sleep(Math.min(balancerDelayMs, config.stopSeconds * 200))
  await stops.run()
}

async function startServices(config: Config, log: Log, stops: ShutdownStack): Promise<AppServices> {
  const databases = await openDatabases(config, (home) => startEmbedded(home, { log }))
  stops.push(() => databases.close())
  await migrate(databases.store)
  const onError = (error: unknown) => {
    // The queue closes its last connections while the database is already stopping.
    if (!stops.isStopping) log.warn('the queue cannot reach the database', { error })
  }
  const queue = await openQueue({ connection: databases.store, channels: workerChannels, onError })
  stops.push(() => queue.close())

  const trial =
    databases.embedded === null
      ? null
      : await startTrial({ ...databases.embedded, dataDir: config.dataDir, clock: systemClock, log })
  if (trial !== null) stops.push(() => trial.stop())
  const telemetry = await openTelemetry(config, log)
  stops.push(() => telemetry.tracing.close())
  const services = assembleServices({
    config,
    log,
    queue,
    clock: systemClock,
    keys: config.masterKeys ?? trialKeys(config.dataDir),
    connection: databases.store,
    warehouse: databases.warehouse,
    isDiskFull: databases.isDiskFull,
    telemetry,
    ...trialServices(trial),
    deny: () => [...databases.deny, ...ownListeners(config)],
  })
  stops.push(() => services.store.close())
  await requireMasterKey(services)
  const cleanup = await finaliseRestore(services)
  if (cleanup !== null)
    log.warn('the store was restored: its sessions, runs and unsent mail have been ended', { count: cleanup.runsEnded })
  stops.push(await startMetrics(services))
  if (trial !== null) await trial.seed(services)
  return services
}

/** Imports the trial on demand, because it loads the simulators: a production start must not. */
async function startTrial(environment: TrialEnvironment): Promise<TrialServer> {
  const module = await import('./trial/start-trial.ts')
  return module.startTrial(environment)
}

function trialServices(
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
      'The master key cannot decrypt the stored keys. Set the key that they were stored with, or add that key to TRIBUTARY_MASTER_KEYS_OLD.',
    )
  }
}

/** Checks the port before anything is started, so that a port in use is reported immediately. */
async function requirePort(config: Config): Promise<void> {
  const probe = createServer()
  await explainListenErrors(config, async () => {
    probe.listen({ host: config.host, port: config.port })
    await once(probe, 'listening')
  })
  probe.close()
  await once(probe, 'close')
}

function listen(http: FastifyInstance, config: Config): Promise<void> {
  return explainListenErrors(config, async () => {
    await http.listen({ host: config.host, port: config.port })
  })
}

/** Throws `StartRefused` with a one-line reason if the server cannot listen. */
async function explainListenErrors({ host, port }: Config, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartRefused(
        `Port ${port} is in use by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
      )
    if (code === 'EACCES')
      throw new StartRefused(`This user may not listen on port ${port}. Choose a port above 1023 with PORT.`)
    if (code === 'EADDRNOTAVAIL') throw new StartRefused(`This machine has no address ${host}. Correct TRIBUTARY_HOST.`)
    throw error
  }
}
