/** Test connection: opens source and target with the form's settings and reports the checks of each, with a timeout. */
import type { CheckResult as WireResult } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/ports/faults'
import type { ConnectionTestResult } from '@tributary/engine/ports/settings'
import type { ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { SourceCredentials } from '../../connections/oauth/oauth.ts'
import type { AppServices } from '../../app-services.ts'
import { requireWarehouse } from '../../connections/databases/warehouse-server.ts'
import { withTimeout, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import type { AcceptedSettings } from './accept-settings.ts'

type TestConnectionServices = Pick<AppServices, 'log' | 'warehouse'> & WithTimeoutServices

type ConnectionCheckResult = Camel<WireResult>
type CheckedSide = ConnectionCheckResult['side']

const timeMaxMs = 15_000
/** @param signal aborts when the client disconnects */
export async function checkConnection(
  services: TestConnectionServices,
  { source, target, properties }: AcceptedSettings,
  provideCredentials: () => Promise<SourceCredentials>,
  signal: AbortSignal,
): Promise<ConnectionCheckResult[]> {
  const sides = await Promise.all([
    checkSide('source', services, signal, async (around) => {
      const lent = await provideCredentials()
      return openAndCheck(source, { ...properties, ...lent.properties }, { ...around, ...lent.context })
    }),
    checkSide('target', services, signal, async (around) =>
      target === null ? [await checkWarehouse(services)] : openAndCheck(target, properties, around),
    ),
  ])
  return sides.flat()
}

interface CheckableEnd<Settings> {
  parse(properties: ConnectorProperties): Settings
  open(
    settings: Settings,
    around: ConnectionContext,
  ): Promise<AsyncDisposable & { check(): Promise<readonly ConnectionTestResult[]> }>
}

async function openAndCheck<Settings>(
  end: CheckableEnd<Settings>,
  properties: ConnectorProperties,
  around: ConnectionContext,
): Promise<readonly ConnectionTestResult[]> {
  await using opened = await end.open(end.parse(properties), around)
  return await opened.check()
}

async function checkWarehouse({ warehouse }: Pick<AppServices, 'warehouse'>): Promise<ConnectionTestResult> {
  await requireWarehouse(warehouse)
  return { name: 'Tributary’s own warehouse', outcome: 'passed' }
}

type SideCheck = (around: ConnectionContext) => Promise<readonly ConnectionTestResult[]>

/** A side that throws or times out has failed. */
async function checkSide(
  side: CheckedSide,
  services: TestConnectionServices,
  signal: AbortSignal,
  check: SideCheck,
): Promise<ConnectionCheckResult[]> {
  try {
    const results = await withTimeout(services, { signal, timeoutMs: timeMaxMs }, check)
    return results.map(({ name, outcome, notice = null, remedy = null }) => ({ side, name, outcome, notice, remedy }))
  } catch (error) {
    const fault = asFault(error)
    if (fault.kind === 'bug') services.log.error('connection test failed', { error })
    return [{ side, name: 'Connection', outcome: 'failed', notice: fault.notice, remedy: fault.remedy ?? null }]
  }
}
