/** A connector from a simulated e-conomic agreement to a target. */
import { describedSources } from '@tributary/engine/apis/catalogue/catalogue'
import type { ConnectorProperties, OpenSource } from '@tributary/engine/ports/source'
import { type EconomicOptions, type EconomicSimulator, startEconomic } from '@tributary/sims/e-conomic/server'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import type { EndKind } from '../databases/database-ends.ts'
import { differencesOf } from '../databases/differences.ts'
import { openNetwork } from '../sync/source-context.ts'
import { economicRows } from './economic-rows.ts'

export interface SimulatedEconomic extends AsyncDisposable {
  readonly sim: EconomicSimulator
  readonly clock: SharedClock
  /** @param more properties in addition to those that connect to the simulator */
  open(signal?: AbortSignal, more?: ConnectorProperties): Promise<OpenSource>
}

export interface EconomicConnector extends ApiConnector, Pick<SimulatedEconomic, 'sim' | 'clock'> {
  /** Differences between target and simulator; empty if every row is equal. */
  differences(): Promise<readonly string[]>
}

export function economicSettings({ appSecret, agreementGrant, url }: EconomicSimulator): ConnectorProperties {
  return {
    'e-conomic.appSecret': appSecret,
    'e-conomic.agreementGrant': agreementGrant,
    'e-conomic.address': url,
  }
}

export async function simulateEconomic(options: Partial<EconomicOptions> = {}): Promise<SimulatedEconomic> {
  const clock = sharedClock()
  const sim = await startEconomic({ clock, seed: 17, size: 80, ...options })
  const source = describedSources.find(({ type }) => type === 'e-conomic')
  if (source === undefined) throw new Error('The catalogue has no description of e-conomic.')
  return {
    sim,
    clock,
    open: (signal = new AbortController().signal, more = {}) =>
      source.open(source.parse({ ...economicSettings(sim), ...more }), { network: openNetwork, clock, signal }),
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

export async function connectEconomic(
  options: Partial<EconomicOptions> = {},
  to: EndKind = 'postgres',
): Promise<EconomicConnector> {
  const there = await simulateEconomic(options)
  const connector = await connectApi(there, to)
  const { sim, clock } = there
  return { ...connector, sim, clock, differences: () => economicDifferences(sim, connector.target) }
}

export function economicDifferences(
  { agreement }: EconomicSimulator,
  target: Parameters<typeof differencesOf>[0],
): Promise<readonly string[]> {
  return differencesOf(target, economicRows(agreement))
}
