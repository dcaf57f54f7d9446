/** Test connection: opens source and target with the form's settings and reports the checks of each, with a timeout. */
import type { CheckResult } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import type { ConnectionTestResult } from '@tributary/engine/ports/settings'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import type { SourceCredentials } from '../../connections/oauth/oauth.ts'
import type { AppServices } from '../../app-services.ts'
import { requireWarehouse } from '../../connections/databases/warehouse-server.ts'
import { type CheckServices, checkWithTimeout } from '../../connections/databases/check-database.ts'
import type { AcceptedSettings } from './accept-settings.ts'

type ConnectionCheckResult = Camel<CheckResult>

/** @param signal aborts when the client disconnects */
export async function checkConnection(
  services: CheckServices & Pick<AppServices, 'warehouse'>,
  { source, target, properties }: AcceptedSettings,
  provideCredentials: () => Promise<SourceCredentials>,
  signal: AbortSignal,
): Promise<ConnectionCheckResult[]> {
  const checkSide = async (
    side: ConnectionCheckResult['side'],
    check: (around: ConnectionContext) => Promise<readonly ConnectionTestResult[]>,
  ) => (await checkWithTimeout(services, signal, check)).map((result) => ({ side, ...result }))
  const sides = await Promise.all([
    checkSide('source', async (around) => {
      const lent = await provideCredentials()
      const settings = source.parse({ ...properties, ...lent.properties })
      await using opened = await source.open(settings, { ...around, ...lent.context })
      return await opened.check()
    }),
    checkSide('target', async (around) => {
      if (target === null) return [await checkWarehouse(services)]
      await using opened = await target.open(target.parse(properties), around)
      return await opened.check()
    }),
  ])
  return sides.flat()
}

async function checkWarehouse({ warehouse }: Pick<AppServices, 'warehouse'>): Promise<ConnectionTestResult> {
  await requireWarehouse(warehouse)
  return { name: 'Tributary’s own warehouse', outcome: 'passed' }
}
