/** A simulated Uniconta on a clock that it shares with the source. */
import { startUniconta } from '@tributary/sims/uniconta/server'
import type { UnicontaSimulatorOptions, UnicontaSimulator } from '@tributary/sims/uniconta/server'
import type { OpenSource, ConnectorProperties } from '@tributary/engine/ports/source'
import { unicontaSource } from '@tributary/engine/apis/uniconta/source'
import { sharedClock } from './shared-clock.ts'
import type { SharedClock } from './shared-clock.ts'
import { openNetwork } from '../sync/source-context.ts'

export interface SimulatedUniconta extends AsyncDisposable {
  readonly sim: UnicontaSimulator
  readonly clock: SharedClock
  /** @param more properties in addition to those that connect to the simulator */
  open(signal?: AbortSignal, more?: ConnectorProperties): Promise<OpenSource>
}

/** A few records of every kind. */
export const tinySize = { customers: 6, vendors: 2, items: 4, invoices: 12, purchases: 4, orders: 3, days: 100 }
export const smallSize = { customers: 20, vendors: 6, items: 12, invoices: 60, purchases: 20, orders: 8, days: 400 }

export async function simulateUniconta(options: Partial<UnicontaSimulatorOptions> = {}): Promise<SimulatedUniconta> {
  const clock = sharedClock()
  const sim = await startUniconta({ clock, seed: 21, size: smallSize, pageSize: 50, ...options })
  return {
    sim,
    clock,
    async open(signal = new AbortController().signal, more = {}) {
      const given = {
        'uniconta.username': sim.username,
        'uniconta.password': sim.password,
        'uniconta.address': sim.url,
        ...more,
      }
      return await unicontaSource.open(unicontaSource.parse(given), { network: openNetwork, clock, signal })
    },
    [Symbol.asyncDispose]: () => sim.close(),
  }
}
