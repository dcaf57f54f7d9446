/**
 * The working side: takes runs, looks after those nobody looks after, fires the schedules, sends mail and clears
 * away.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliverDue } from './messaging/webhooks/deliver-webhooks.ts'
import { watchConnectors } from './features/alerts/open-and-close-incidents.ts'
import { ActiveRuns } from './features/runs/execution/active-runs.ts'
import { fireAllDue } from './features/runs/scheduling/fire-schedules.ts'
import { syncRun } from './features/runs/execution/run-sync.ts'
import { runChannel } from './connections/connectors/start-run.ts'
import { reapExpiredLeases } from './features/runs/scheduling/lease-reaper.ts'
import { probeUnreachableTargets } from './features/runs/scheduling/target-circuit-breaker.ts'
import { guardReaders } from './access/warehouse/reader-guard.ts'
import { sampleReaders } from './access/warehouse/reader-last-seen.ts'
import { warehouseTarget } from './access/warehouse/warehouse.ts'
import { mailChannel } from './messaging/mail/outbox.ts'
import { openMailDispatcher } from './messaging/mail/mail-dispatcher.ts'
import { rotateAndCleanUpKeys } from './security/keys/key-rotation-cleanup.ts'
import { GrantKeepAlive } from './connections/oauth/keep-grants-alive.ts'
import type { AppServices } from './app-services.ts'
import { deleteExpired } from './security/retention/delete-expired.ts'
import { requireSynchronisedClock } from './kernel/store/clock-skew.ts'
import type { WarehouseTarget } from './connections/databases/warehouse-server.ts'

/** What a worker listens to. */
export const channels = [runChannel, mailChannel]

export interface Worker {
  /**
   * Gives every run back to the queue, lets mail under way go out, and stops looking for more; by itself once the
   * process leaves.
   */
  stop(): Promise<void>
}

export interface WorkerOptions {
  /** Runs at once in this process. */
  readonly slots?: number
  /** A worker not heard of for this long is taken for dead. Shorter: a stutter costs a restart; longer: people wait. */
  readonly leaseMs?: number
  /** How often to look for lost runs, for due schedules and for due mail. */
  readonly lookMs?: number
}

const beatMs = 1_000
const seenMs = 60_000
const clearMs = 3_600_000

export async function startWorker(
  services: AppServices,
  { slots = 4, leaseMs = 20_000, lookMs = 5_000 }: WorkerOptions = {},
): Promise<Worker> {
  const { queue, lifecycle } = services
  const ownWarehouse: WarehouseTarget = (organisationId, schema) => warehouseTarget(services, organisationId, schema)
  const active = new ActiveRuns({
    services,
    worker: `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`,
    leaseMs,
    syncRun: (one) => syncRun({ ...one, services, warehouseTarget: ownWarehouse }),
  })
  const stopping = new AbortController()
  const postOffice = await openMailDispatcher(services)
  const grants = new GrantKeepAlive()
  const rounds = [
    repeat(services, beatMs, stopping.signal, () => active.sendHeartbeat()),
    repeat(services, lookMs, stopping.signal, () => reapExpiredLeases(services, leaseMs)),
    repeat(services, lookMs, stopping.signal, () => fireAllDue(services)),
    repeat(services, lookMs, stopping.signal, () => probeUnreachableTargets(services, ownWarehouse, stopping.signal)),
    repeat(services, lookMs, stopping.signal, () => postOffice.sendDue()),
    repeat(services, lookMs, stopping.signal, () => watchConnectors(services)),
    repeat(services, lookMs, stopping.signal, () => deliverDue(services)),
    repeat(services, lookMs, stopping.signal, () => grants.poll(services)),
    repeat(services, seenMs, stopping.signal, () => sampleReaders(services)),
    repeat(services, seenMs, stopping.signal, () => guardReaders(services)),
    repeat(services, clearMs, stopping.signal, inTime(deleteExpired)),
    repeat(services, clearMs, stopping.signal, inTime(rotateAndCleanUpKeys)),
  ]
  function inTime(work: (of: AppServices) => Promise<void>): () => Promise<void> {
    return async () => {
      await requireSynchronisedClock(services)
      await work(services)
    }
  }
  const unlisten = await queue.subscribe(runChannel, slots, (runId) => active.execute(runId))
  let ending: Promise<void> | null = null
  const stop = () => (ending ??= end())
  // Whoever stops the worker hears of what went wrong.
  lifecycle.stopSignal.addEventListener('abort', () => void stop().catch(() => undefined), { once: true })
  return { stop }

  async function end(): Promise<void> {
    await unlisten()
    await Promise.all([active.stop(), postOffice.close()])
    stopping.abort()
    await Promise.all(rounds)
  }
}

/** Again and again, each round after the last one's end. A round that fails is told once, until one succeeds. */
async function repeat(
  { log }: Pick<AppServices, 'log'>,
  everyMs: number,
  signal: AbortSignal,
  round: () => Promise<void>,
): Promise<void> {
  let isFailing = false
  while (!signal.aborted) {
    try {
      await round()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('the worker cannot do its round', { error })
      isFailing = true
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
