/** Tests within a time limit whether a database can be written to. */
import type { SecurityServices } from '../../security/security-services.ts'
import type { CheckResult } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/ports/faults'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import type { ConnectionTestResult } from '@tributary/engine/ports/settings'
import { openTarget, type TargetLocation } from './open-target.ts'
import type { WarehouseTarget } from './warehouse-server.ts'
import { withTimeout, type WithTimeoutServices } from './with-timeout.ts'

export type CheckServices = WithTimeoutServices & Pick<SecurityServices, 'log'>

type CheckOutcome = Omit<Camel<CheckResult>, 'side'>

const timeoutMs = 15_000

export interface DatabaseCheckRequest extends TargetLocation {
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal
  readonly warehouseTarget: WarehouseTarget
}

export async function checkDatabase(
  services: CheckServices,
  { signal, warehouseTarget, ...location }: DatabaseCheckRequest,
): Promise<CheckOutcome[]> {
  return checkWithTimeout(services, signal, async (context) => {
    await using target = await openTarget(location, context, warehouseTarget)
    return await target.check()
  })
}

/** An error, or no result in time, becomes a failed check and ends the test. */
export async function checkWithTimeout(
  services: CheckServices,
  signal: AbortSignal,
  check: (context: ConnectionContext) => Promise<readonly ConnectionTestResult[]>,
): Promise<CheckOutcome[]> {
  try {
    const results = await withTimeout(services, signal, timeoutMs, check)
    return results.map(({ name, outcome, notice = null, remedy = null }) => ({ name, outcome, notice, remedy }))
  } catch (error) {
    const fault = asFault(error)
    if (fault.kind === 'bug') services.log.error('connection test failed', { error })
    return [{ name: 'Connection', outcome: 'failed', notice: fault.notice, remedy: fault.remedy ?? null }]
  }
}
