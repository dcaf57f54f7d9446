/** A connector from a simulated company of QuickBooks Online to a target, with the token of an administrator. */
import { describedSources } from '@tributary/engine/apis/catalogue/catalogue'
import type { AccessTokenProvider } from '@tributary/engine/ports/oauth'
import type { OpenSource, Source } from '@tributary/engine/ports/source'
import type { QuickBooksCompany } from '@tributary/sims/quickbooks/company'
import { type QuickBooksOptions, type QuickBooksSimulator, startQuickBooks } from '@tributary/sims/quickbooks/server'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import type { EndKind } from '../databases/database-ends.ts'
import { differencesOf } from '../databases/differences.ts'
import { openNetwork } from '../sync/source-context.ts'
import { isWithoutColumn, quickBooksRows } from './quickbooks-rows.ts'

export interface SimulatedQuickBooks extends AsyncDisposable {
  readonly sim: QuickBooksSimulator
  readonly company: QuickBooksCompany
  readonly clock: SharedClock
  /** @param token instead of that of the administrator */
  open(signal?: AbortSignal, token?: string): Promise<OpenSource>
}

export interface QuickBooksConnector extends ApiConnector, Pick<SimulatedQuickBooks, 'sim' | 'clock' | 'company'> {
  /** Differences between target and simulator; empty if every row is equal. */
  differences(): Promise<readonly string[]>
}

function quickBooksSource(): Source {
  const source = describedSources.find(({ type }) => type === 'quickbooks')
  if (source === undefined) throw new Error('The catalogue has no description of QuickBooks Online.')
  return source
}

export async function simulateQuickBooks(options: Partial<QuickBooksOptions> = {}): Promise<SimulatedQuickBooks> {
  const clock = sharedClock()
  const sim = await startQuickBooks({ clock, seed: 17, size: 60, ...options })
  const [company] = sim.companies.values()
  if (company === undefined) throw new Error('The simulated QuickBooks Online has a company.')
  const source = quickBooksSource()
  const granted = renewedTokens(sim, company.realmId)
  return {
    sim,
    company,
    clock,
    open(signal = new AbortController().signal, token) {
      const properties = { 'quickbooks.tenantId': company.realmId, 'quickbooks.address': sim.addresses.api }
      const accessTokens = typeof token === 'string' ? { token: async () => token } : granted
      return source.open(source.parse(properties), { network: openNetwork, clock, signal, accessTokens })
    },
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

/** A new token whenever the former one has expired, as the server would renew it. */
function renewedTokens(sim: QuickBooksSimulator, realmId: string): AccessTokenProvider {
  let current = sim.identity.issue(realmId).accessToken
  return {
    async token(refused) {
      if (refused === current || sim.identity.realmOf(current) === undefined)
        current = sim.identity.issue(realmId).accessToken
      return current
    },
  }
}

export async function connectQuickBooks(
  options: Partial<QuickBooksOptions> = {},
  to: EndKind = 'postgres',
): Promise<QuickBooksConnector> {
  const there = await simulateQuickBooks(options)
  const connector = await connectApi({ ...there, open: (signal) => there.open(signal) }, to)
  const { sim, clock, company } = there
  return { ...connector, sim, clock, company, differences: () => quickBooksDifferences(company, connector.target) }
}

export function quickBooksDifferences(
  company: QuickBooksCompany,
  target: Parameters<typeof differencesOf>[0],
): Promise<readonly string[]> {
  return differencesOf(target, quickBooksRows(company), isWithoutColumn)
}
