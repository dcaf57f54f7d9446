/**
 * The breaker: while a target is away no schedule starts a run that could only fail. Every few minutes it is asked whether it
 * answers; once it does, the schedule is due at once, and that one run brings all that was missed.
 */
import type { Network } from '@tributary/engine/ports/network'
import { sql } from 'kysely'
import { asFault } from '@tributary/engine/ports/faults'
import { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import { openSettings } from '../../../connections/connectors/connector-settings.ts'
import { withOwnDatabase } from '../../../connections/databases/database-credentials.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import { openTarget } from '../execution/open-source-and-target.ts'

type TargetCircuitBreakerServices = Pick<AppServices, 'clock' | 'log' | 'network' | 'secrets' | 'store'>

export const firstProbeMs = 60_000
const longestProbeMs = 15 * 60_000
const probeTimeoutMs = 15_000
const atOnce = 20

/** One round: asks the targets whose time has come, each by one worker. @param stopping breaks it off */
export async function probeTargets(
  services: TargetCircuitBreakerServices,
  warehouseTarget: WarehouseTarget,
  stopping: AbortSignal,
): Promise<void> {
  // Across: a worker serves every organisation.
  const due = await services.store.across(takeDue)
  await Promise.all(
    due.map(async (one) => {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(probeTimeoutMs)])
      if (!(await Promise.race([answers(services, one, { warehouseTarget, signal }), tooLong(signal)]))) return
      services.log.info('a target answers again', { organisationId: one.organisationId, connectorId: one.connectorId })
      await services.store.within(one.organisationId, (db) => resume(db, one))
    }),
  )
}

interface Asked {
  readonly organisationId: string
  readonly connectorId: string
  readonly connectorKey: string
}

/** Sets the next time first, so that nobody else asks meanwhile. The longer the target is away, the seldomer: half as long as it has been. */
async function takeDue(db: Db): Promise<Asked[]> {
  const wait = sql`least(greatest((now() - targetDownSince) / 2, ${firstProbeMs} * interval '1 millisecond'), ${longestProbeMs} * interval '1 millisecond')`
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
        .limit(atOnce)
        .forUpdate('connector')
        .skipLocked(),
    )
    .returning(['organisationId', 'id as connectorId', 'key as connectorKey'])
    .execute()
}

/** Whether a connection can be made. What else may be wrong, the next run tells better than a probe. */
async function answers(
  services: TargetCircuitBreakerServices,
  asked: Asked,
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
    const settings = await services.store.within(asked.organisationId, async (db) =>
      withOwnDatabase(db, services.secrets, asked, await openSettings(db, services.secrets, asked)),
    )
    await using target = await openTarget(
      { ...asked, settings },
      { network, clock: services.clock, signal },
      reachWarehouse,
    )
    await target.check()
    return isReached
  } catch (error) {
    return isReached || (!signal.aborted && asFault(error).kind !== 'passing')
  }
}

/** Not everything on the way can be broken off. */
function tooLong(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))
}

/** A schedule that waits for a person goes on waiting. */
async function resume(db: Db, { organisationId, connectorId }: Asked): Promise<void> {
  const connector = await lockConnector(db, organisationId, connectorId)
  if (connector?.targetDownSince == null) return
  await db
    .updateTable('connector')
    .set({
      targetDownSince: null,
      targetProbeAt: null,
      nextRunAt: sql`CASE WHEN nextRunAt IS NOT NULL THEN now() END`,
    })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
}
