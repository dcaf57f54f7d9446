/**
 * Circuit breaker for targets. While a target is unreachable, the schedules of its connectors are paused instead of
 * starting runs
 * that would fail. A worker probes the target periodically. After the first success the schedule is due immediately,
 * and a single
 * run catches up.
 */
import type { Network } from '@tributary/engine/ports/network'
import { sql } from 'kysely'
import { asFault } from '@tributary/engine/ports/faults'
import { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import { updateConnector } from '../../../connections/connectors/connector-queries.ts'
import { decryptSettings } from '../../../connections/connectors/connector-settings.ts'
import { applyDefaultTarget } from '../../../connections/databases/database-credentials.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import { openTarget } from '../execution/open-run-target.ts'

type TargetCircuitBreakerServices = Pick<AppServices, 'clock' | 'log' | 'network' | 'secrets' | 'store'>

export const firstProbeDelayMs = 60_000
const longestProbeDelayMs = 15 * 60_000
const probeTimeoutMs = 15_000
const probeBatchSize = 20

/** Probes the targets that are due, each from one worker only. @param stopping aborts the probes */
export async function probeUnreachableTargets(
  services: TargetCircuitBreakerServices,
  warehouseTarget: WarehouseTarget,
  stopping: AbortSignal,
): Promise<void> {
  // Across organisations: a worker serves all of them.
  const due = await services.store.across(claimDueProbes)
  await Promise.all(
    due.map(async (probe) => {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(probeTimeoutMs)])
      if (!(await Promise.race([isReachable(services, probe, { warehouseTarget, signal }), rejectedByTimeout(signal)])))
        return
      const { organisationId, connectorId } = probe
      services.log.info('a target is reachable again', { organisationId, connectorId })
      await services.store.within(organisationId, (db) => closeCircuit(db, probe))
    }),
  )
}

type DueProbe = Awaited<ReturnType<typeof claimDueProbes>>[number]

/**
 * Claims due probes. Reschedules them first, so that no other worker probes the same target. Backs off to half the
 * downtime, 1–15 minutes.
 */
function claimDueProbes(db: Db) {
  const wait = sql`least(greatest((now() - targetDownSince) / 2, ${firstProbeDelayMs} * interval '1 millisecond'), ${longestProbeDelayMs} * interval '1 millisecond')`
  return db
    .updateTable('connector')
    .set({ targetProbeAt: sql<string>`now() + ${wait}` })
    .where('id', 'in', (due) =>
      due
        .selectFrom('connector')
        .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
        .select('connector.id')
        .where('connector.targetProbeAt', '<=', sql<string>`now()`)
        .where('connector.status', '=', 'CONNECTED')
        .where('organisation.archivedAt', 'is', null)
        .orderBy('connector.targetProbeAt')
        .limit(probeBatchSize)
        .forUpdate('connector')
        .skipLocked(),
    )
    .returning(['organisationId', 'id as connectorId', 'key as connectorKey'])
    .execute()
}

/**
 * True if a connection can be established. Any other problem is left to the next run, which reports it better than a
 * probe.
 */
async function isReachable(
  services: TargetCircuitBreakerServices,
  probe: DueProbe,
  { warehouseTarget, signal }: { warehouseTarget: WarehouseTarget; signal: AbortSignal },
): Promise<boolean> {
  let isReached = false
  const network: Network = {
    dial: async (...to) => {
      const socket = await services.network.dial(...to)
      isReached = true
      return socket
    },
  }
  const reachWarehouse: WarehouseTarget = async (...of) => {
    const own = await warehouseTarget(...of)
    isReached = true
    return own
  }
  try {
    const settings = await services.store.within(probe.organisationId, async (db) =>
      applyDefaultTarget(db, services.secrets, probe, await decryptSettings(db, services.secrets, probe)),
    )
    await using target = await openTarget(
      { ...probe, settings },
      { network, clock: services.clock, signal },
      reachWarehouse,
    )
    await target.check()
    return isReached
  } catch (error) {
    return isReached || (!signal.aborted && asFault(error).kind !== 'passing')
  }
}

/** Resolves false when the signal aborts, because some steps of a connection attempt cannot be cancelled. */
function rejectedByTimeout(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))
}

/** Reopens the schedule. A schedule that is paused until a user acts stays paused. */
async function closeCircuit(db: Db, probe: DueProbe): Promise<void> {
  const connector = await lockConnector(db, probe)
  if (connector?.targetDownSince == null) return
  const nextRunAt = sql<string | null>`CASE WHEN nextRunAt IS NOT NULL THEN now() END`
  await updateConnector(db, probe, { targetDownSince: null, targetProbeAt: null, nextRunAt })
}
