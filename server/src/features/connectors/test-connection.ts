/** 'Test connection': opens both sides with what the form holds and tells what each finds, within a bounded time. */
import type { CheckResult as WireResult } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/ports/faults'
import type { ConnectionTestResult } from '@tributary/engine/ports/settings'
import type { ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { Lent } from '../../connections/oauth/oauth.ts'
import type { AppServices } from '../../app-services.ts'
import { reachWarehouse } from '../../connections/databases/warehouse-server.ts'
import { withinTime, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import type { Accepted } from './accept-settings.ts'

type TestConnectionServices = Pick<AppServices, 'log' | 'warehouse'> & WithTimeoutServices

type Result = Camel<WireResult>
type Side = Result['side']

const timeMaxMs = 15_000
/** @param signal aborts when the caller goes away. */
export async function checkConnection(
  services: TestConnectionServices,
  { source, target, properties }: Accepted,
  lendNow: () => Promise<Lent>,
  signal: AbortSignal,
): Promise<Result[]> {
  const sides = await Promise.all([
    checkSide('source', services, signal, async (around) => {
      const lent = await lendNow()
      return checkEnd(source, { ...properties, ...lent.properties }, { ...around, ...lent.around })
    }),
    checkSide('target', services, signal, async (around) =>
      target === null ? [await checkWarehouse(services)] : checkEnd(target, properties, around),
    ),
  ])
  return sides.flat()
}

interface End<Settings> {
  parse(properties: ConnectorProperties): Settings
  open(
    settings: Settings,
    around: ConnectionContext,
  ): Promise<AsyncDisposable & { check(): Promise<readonly ConnectionTestResult[]> }>
}

async function checkEnd<Settings>(
  end: End<Settings>,
  properties: ConnectorProperties,
  around: ConnectionContext,
): Promise<readonly ConnectionTestResult[]> {
  await using opened = await end.open(end.parse(properties), around)
  return await opened.check()
}

async function checkWarehouse({ warehouse }: Pick<AppServices, 'warehouse'>): Promise<ConnectionTestResult> {
  await reachWarehouse(warehouse)
  return { name: 'Tributary’s own warehouse', outcome: 'passed' }
}

type Check = (around: ConnectionContext) => Promise<readonly ConnectionTestResult[]>

/** A side that throws has failed; one that says nothing for too long, too. */
async function checkSide(
  side: Side,
  services: TestConnectionServices,
  signal: AbortSignal,
  check: Check,
): Promise<Result[]> {
  try {
    const results = await withinTime(services, { signal, timeMaxMs }, check)
    return results.map(({ name, outcome, notice = null, remedy = null }) => ({ side, name, outcome, notice, remedy }))
  } catch (error) {
    const fault = asFault(error)
    if (fault.kind === 'bug') services.log.error('connection test failed', { error })
    return [{ side, name: 'Connection', outcome: 'failed', notice: fault.notice, remedy: fault.remedy ?? null }]
  }
}
