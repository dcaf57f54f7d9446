/**
 * The worker: executes runs, reaps expired leases, fires schedules, sends mail and alerts, and deletes expired data.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliverAlerts } from './messaging/alert-channels/deliver-alerts.ts'
import { deliverDue } from './messaging/webhooks/deliver-webhooks.ts'
import { mailFailingChannels } from './features/alerts/mail-failing-channels.ts'
import { watchActions } from './features/alerts/action-incidents.ts'
import { IncidentWatch } from './features/alerts/open-and-close-incidents.ts'
import { sendDueDigests } from './features/alerts/send-digests.ts'
import { endRoomsThatAreOver } from './features/auditor-rooms/end-room.ts'
import { runDueActions } from './features/publication-actions/run-due-actions.ts'
import { warnBeforeExpiry } from './features/tokens/warn-before-expiry.ts'
import { OrganisationSummaries } from './features/insights/summarise-organisations.ts'
import { ActiveRuns } from './features/runs/claiming/active-runs.ts'
import { RunDispatcher } from './features/runs/claiming/run-dispatcher.ts'
import { defaultRunMemoryMb } from './features/runs/claiming/run-memory.ts'
import { fireDueMaintenance } from './features/runs/scheduling/fire-maintenance.ts'
import { fireDueVerifications } from './features/runs/scheduling/fire-verifications.ts'
import { keepReadyBy } from './features/ready-by/keep-ready-by.ts'
import { fireAllDue } from './features/runs/scheduling/fire-schedules.ts'
import { syncRun } from './features/runs/execution/run-sync.ts'
import { runChannel } from './connections/connectors/start-run.ts'
import { afterPublishing } from './connections/publications/after-publishing.ts'
import { publicationChannel } from './connections/publications/publication-sets.ts'
import { reapExpiredLeases } from './features/runs/scheduling/lease-reaper.ts'
import { publishDueSets, publishSet } from './features/publications/make-publication.ts'
import { probeUnreachableTargets } from './features/runs/scheduling/target-circuit-breaker.ts'
import { accessPollMs, keepAccess, keepAllAccess } from './access/logins/keep-access.ts'
import { guardLogins } from './access/logins/login-guard.ts'
import { guardReaders } from './access/warehouse/reader-guard.ts'
import { sampleReaders } from './access/warehouse/reader-last-seen.ts'
import { runMoves } from './access/warehouse/moves/run-moves.ts'
import { measureServers } from './access/warehouse/servers/check-server.ts'
import { warehouseTarget } from './access/warehouse/warehouse.ts'
import { mailChannel } from './messaging/mail/outbox.ts'
import { openMailDispatcher } from './messaging/mail/mail-dispatcher.ts'
import { rotateAndCleanUpKeys } from './security/keys/key-rotation-cleanup.ts'
import { GrantKeepAlive } from './connections/oauth/keep-grants-alive.ts'
import type { AppServices } from './app-services.ts'
import { deleteExpired } from './security/retention/delete-expired.ts'
import { requireSynchronisedClock } from './kernel/store/clock-skew.ts'
import type { WarehouseTarget } from './connections/databases/warehouse-server.ts'

/** The queue channels that a worker subscribes to. */
export const workerChannels = [runChannel, mailChannel, publicationChannel]

export interface Worker {
  /**
   * Gives every run back to the queue, waits for mail in progress, and stops polling. Called automatically when the
   * process stops.
   */
  stop(): Promise<void>
}

export interface WorkerOptions {
  /** The memory for all runs of this process together; by default the setting, or a part of the machine's memory. */
  readonly memoryMb?: number
  /**
   * The lease of a run: after this time without a heartbeat another worker takes it. If too short, a pause of the
   * process restarts the run; if too long, people wait.
   */
  readonly leaseMs?: number
  /** The polling interval for expired leases, mail and alerts. Due schedules are polled every second, or as often as these. */
  readonly pollMs?: number
}

const heartbeatMs = 1_000
/** A poll reads one index entry if nothing is due. */
const schedulePollMs = 1_000
const readerCheckMs = 60_000
const cleanupMs = 3_600_000

function runMemoryMb({ config }: Pick<AppServices, 'config'>): number {
  return config.runMemoryMb ?? defaultRunMemoryMb()
}

export async function startWorker(
  services: AppServices,
  { memoryMb = runMemoryMb(services), leaseMs = 20_000, pollMs = 5_000 }: WorkerOptions = {},
): Promise<Worker> {
  const { queue, lifecycle } = services
  const ownWarehouse: WarehouseTarget = (organisationId, schema) => warehouseTarget(services, organisationId, schema)
  const worker = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`
  const active = new ActiveRuns({
    services,
    worker,
    leaseMs,
    memoryMb,
    syncRun: (one) => syncRun({ ...one, services, warehouseTarget: ownWarehouse }),
  })
  const dispatcher = new RunDispatcher(services, active)
  const stopping = new AbortController()
  const publishing = { warehouseTarget: ownWarehouse, signal: stopping.signal, afterPublishing }
  const mailDispatcher = await openMailDispatcher(services)
  const [grants, summaries] = [new GrantKeepAlive(), new OrganisationSummaries()]
  const loops = [
    repeat(services, heartbeatMs, stopping.signal, () => active.sendHeartbeat()),
    repeat(services, pollMs, stopping.signal, () => reapExpiredLeases(services, leaseMs)),
    repeat(services, pollMs, stopping.signal, async () => void (await dispatcher.wake())),
    repeat(services, Math.min(schedulePollMs, pollMs), stopping.signal, () => fireAllDue(services)),
    repeat(services, pollMs, stopping.signal, () => fireDueVerifications(services)),
    repeat(services, pollMs, stopping.signal, () => fireDueMaintenance(services)),
    repeat(services, pollMs, stopping.signal, () => keepReadyBy(services, { worker, memoryMb })),
    repeat(services, pollMs, stopping.signal, () => probeUnreachableTargets(services, ownWarehouse, stopping.signal)),
    repeat(services, pollMs, stopping.signal, () => publishDueSets(services, publishing)),
    repeat(services, pollMs, stopping.signal, () => mailDispatcher.sendDue()),
    ...alertLoops(services, pollMs, stopping.signal),
    repeat(services, schedulePollMs, stopping.signal, () => summaries.poll(services)),
    repeat(services, pollMs, stopping.signal, () => runDueActions(services)),
    repeat(services, pollMs, stopping.signal, () => grants.poll(services)),
    repeat(services, accessPollMs, stopping.signal, () => endRoomsThatAreOver(services)),
    repeat(services, accessPollMs, stopping.signal, () => keepAccess(services)),
    repeat(services, cleanupMs, stopping.signal, () => keepAllAccess(services)),
    ...watchWarehouses(services, pollMs, stopping.signal),
    ...repeatCleanups(services, stopping.signal),
  ]
  const unsubscribe = [
    await queue.subscribeInBatches(runChannel, (runIds) => dispatcher.claimAfterWakeUp(runIds)),
    await queue.subscribe(publicationChannel, 1, (setId) => publishSet(services, publishing, setId)),
  ]
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= stopAll())
  // The caller of `stop` receives the same error.
  lifecycle.stopSignal.addEventListener('abort', () => void stop().catch(() => undefined), { once: true })
  return { stop }

  async function stopAll(): Promise<void> {
    await Promise.all(unsubscribe.map((end) => end()))
    await Promise.all([active.stop(), mailDispatcher.close()])
    stopping.abort()
    await Promise.all(loops)
  }
}

/** Opens and closes incidents, and delivers their messages. */
function alertLoops(services: AppServices, pollMs: number, signal: AbortSignal): Promise<void>[] {
  const incidents = new IncidentWatch()
  const tasks = [watchActions, sendDueDigests, deliverDue, deliverAlerts, mailFailingChannels]
  return [() => incidents.poll(services), ...tasks.map((task) => () => task(services))].map((poll) =>
    repeat(services, pollMs, signal, poll),
  )
}

/** What depends on the age of rows. */
function repeatCleanups(services: AppServices, signal: AbortSignal): readonly Promise<void>[] {
  return [warnBeforeExpiry, deleteExpired, rotateAndCleanUpKeys].map((work) =>
    repeat(services, cleanupMs, signal, withSynchronisedClock(services, work)),
  )
}

/** Polling loops about the servers of warehouses. */
function watchWarehouses(services: AppServices, pollMs: number, signal: AbortSignal): readonly Promise<void>[] {
  return [
    repeat(services, pollMs, signal, () => runMoves(services, { signal })),
    repeat(services, readerCheckMs, signal, () => sampleReaders(services)),
    repeat(services, readerCheckMs, signal, () => measureServers(services)),
    repeat(services, readerCheckMs, signal, () => guardReaders(services)),
    repeat(services, readerCheckMs, signal, () => guardLogins(services)),
  ]
}

function withSynchronisedClock(
  services: AppServices,
  work: (services: AppServices) => Promise<void>,
): () => Promise<void> {
  return async () => {
    await requireSynchronisedClock(services)
    await work(services)
  }
}

/** Polls until the signal aborts, with a pause after each pass. Logs only the first of several consecutive failures. */
async function repeat(
  { log }: Pick<AppServices, 'log'>,
  pauseMs: number,
  signal: AbortSignal,
  task: () => Promise<void>,
): Promise<void> {
  let isFailing = false
  while (!signal.aborted) {
    try {
      await task()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('a periodic task of the worker failed', { error })
      isFailing = true
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
