/** A connector from a simulated Stripe account to a target. */
import { describedSources } from '@tributary/engine/apis/catalogue/catalogue'
import type { ConnectorProperties, OpenSource, Source } from '@tributary/engine/ports/source'
import { startStripe, type StripeOptions, type StripeSimulator } from '@tributary/sims/stripe/server'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import type { EndKind } from '../databases/database-ends.ts'
import { differencesOf } from '../databases/differences.ts'
import { openNetwork } from '../sync/source-context.ts'
import { isWithoutColumn, stripeRows } from './stripe-rows.ts'

export interface SimulatedStripe extends AsyncDisposable {
  readonly sim: StripeSimulator
  readonly clock: SharedClock
  /** @param more properties in addition to those that connect to the simulator */
  open(signal?: AbortSignal, more?: ConnectorProperties): Promise<OpenSource>
}

export interface StripeConnector extends ApiConnector, Pick<SimulatedStripe, 'sim' | 'clock'> {
  /** Differences between target and simulator; empty if every row is equal. */
  differences(): Promise<readonly string[]>
}

function stripeSource(): Source {
  const source = describedSources.find(({ type }) => type === 'stripe')
  if (source === undefined) throw new Error('The catalogue has no description of Stripe.')
  return source
}

export async function simulateStripe(options: Partial<StripeOptions> = {}): Promise<SimulatedStripe> {
  const clock = sharedClock()
  const sim = await startStripe({ clock, seed: 31, size: 60, ...options })
  const source = stripeSource()
  return {
    sim,
    clock,
    open(signal = new AbortController().signal, more = {}) {
      const properties = { 'stripe.key': sim.key, 'stripe.address': sim.url, ...more }
      return source.open(source.parse(properties), { network: openNetwork, clock, signal })
    },
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

export async function connectStripe(
  options: Partial<StripeOptions> = {},
  to: EndKind = 'postgres',
): Promise<StripeConnector> {
  const there = await simulateStripe(options)
  const connector = await connectApi(there, to)
  const { sim, clock } = there
  return { ...connector, sim, clock, differences: () => stripeDifferences(sim, connector.target) }
}

export function stripeDifferences(
  { account }: StripeSimulator,
  target: Parameters<typeof differencesOf>[0],
): Promise<readonly string[]> {
  return differencesOf(target, stripeRows(account), (name) => isWithoutColumn.test(name))
}
