/** Test connection: opens source and target with the form's settings and reports the checks of each, with a timeout. */
import type { CheckResult } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/ports/faults'
import type { ConnectionTestResult } from '@tributary/engine/ports/settings'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import type { SourceCredentials } from '../../connections/oauth/oauth.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { serverOf } from '../../access/warehouse/servers/server-of.ts'
import type { AppServices } from '../../app-services.ts'
import { requireWarehouse } from '../../connections/databases/warehouse-server.ts'
import { type CheckServices, checkWithTimeout } from '../../connections/databases/check-database.ts'
import type { AcceptedSettings } from './accept-settings.ts'

type ConnectionCheckResult = Camel<CheckResult>

/** @param signal aborts when the client disconnects */
export async function checkConnection(
  services: CheckServices & Pick<AppServices, 'secrets' | 'store' | 'warehouse'>,
  {
    source,
    target,
    properties,
    organisationId,
    lakeFolder,
  }: AcceptedSettings & Pick<ConnectionContext, 'lakeFolder'> & { readonly organisationId: string },
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
      const check = async ({ properties: injected, context }: SourceCredentials) => {
        await using opened = await source.open(source.parse({ ...properties, ...injected }), { ...around, ...context })
        return await opened.check()
      }
      return lent.companies === undefined ? check(lent) : checkCompanies(lent.companies.chosen, check)
    }),
    checkSide('target', async (around) => {
      if (target === null) return [await checkWarehouse(services, organisationId)]
      await using opened = await target.open(target.parse(properties), { ...around, lakeFolder })
      return await opened.check()
    }),
  ])
  return sides.flat()
}

type ChosenCompany = NonNullable<SourceCredentials['companies']>['chosen'][number]

/**
 * Tests every company, also if another one fails. Each check is listed once for the companies that pass it, and once for each that does
 * not.
 */
async function checkCompanies(
  companies: readonly ChosenCompany[],
  check: (lent: SourceCredentials) => Promise<readonly ConnectionTestResult[]>,
): Promise<readonly ConnectionTestResult[]> {
  const results = await Promise.all(
    companies.map(async ({ name: company, provide }) =>
      (await attemptCheck(() => check(provide()))).map((result) => ({ company, result })),
    ),
  )
  const byName = Map.groupBy(results.flat(), ({ result }) => result.name)
  return [...byName].flatMap(([name, all]) => {
    const others = all.filter(({ result }) => result.outcome !== 'passed')
    const passed = all.length - others.length
    const [only] = all
    // A check that names its company, such as reading it.
    if (only !== undefined && all.length === 1 && name.includes(only.company)) return [only.result]
    const notice =
      passed === companies.length ? `All ${passed} companies.` : `${passed} of ${companies.length} companies.`
    return [
      ...(passed === 0 ? [] : [{ name, outcome: 'passed' as const, notice }]),
      ...others.map(({ company, result }) => ({ ...result, name: `${name}, ${company}` })),
    ]
  })
}

async function attemptCheck(
  check: () => Promise<readonly ConnectionTestResult[]>,
): Promise<readonly ConnectionTestResult[]> {
  try {
    return await check()
  } catch (error) {
    const { kind, notice, remedy } = asFault(error)
    // Not the fault of one company: ends the test.
    if (kind === 'bug') throw error
    return [{ name: 'Connection', outcome: 'failed', notice, ...(remedy !== undefined && { remedy }) }]
  }
}

/** An organisation without a warehouse gets one where there is room; until then the default server is tested. */
async function checkWarehouse(
  services: Pick<AppServices, 'secrets' | 'store' | 'warehouse'>,
  organisationId: string,
): Promise<ConnectionTestResult> {
  const names = await services.store.within(organisationId, (db) => findWarehouse(db, organisationId))
  const server = names === undefined ? services.warehouse : await serverOf(services, names)
  await requireWarehouse(server)
  return { name: 'Tributary’s own warehouse', outcome: 'passed' }
}
