/** Cin7 Core, simulated, on a clock that it shares with its reader. */
import { startCin7 } from '@tributary/sims/cin7/server'
import type { Cin7SimulatorOptions, Cin7Simulator } from '@tributary/sims/cin7/server'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import { sharedClock } from './shared-clock.ts'
import type { SharedClock } from './shared-clock.ts'
import { openNetwork } from '../sync/source-context.ts'
import { cin7Source } from '@tributary/engine/apis/cin7/source'

export interface Simulated extends AsyncDisposable {
  readonly sim: Cin7Simulator
  readonly clock: SharedClock
  open(signal?: AbortSignal): Promise<OpenSource>
}

/** Some of everything. */
export const tinySize = {
  products: 12,
  customers: 5,
  suppliers: 2,
  sales: 6,
  purchases: 3,
  salesMax: 10,
  purchasesMax: 5,
  tasks: 1,
  days: 60,
}

interface Options extends Partial<Cin7SimulatorOptions> {
  /** Every look of the simulator at the clock moves it on, so that calls take their time. */
  readonly slowMs?: number
  /** What the reader keeps to, where it is not the usual. */
  readonly callsPerMinute?: number
}

export async function simulated({ slowMs = 0, callsPerMinute, ...options }: Options = {}): Promise<Simulated> {
  const clock = sharedClock()
  const slowly = { now: () => (clock.advance(slowMs), clock.now()) }
  const sim = await startCin7({ clock: slowly, seed: 11, size: 'trial', ...options })
  const settings = cin7Source.parse({
    'cin7.accountId': sim.accountId,
    'cin7.applicationKey': sim.applicationKey,
    'cin7.address': sim.url,
    'cin7.callsPerMinute': callsPerMinute,
  })
  return {
    sim,
    clock,
    open: (signal = new AbortController().signal) => cin7Source.open(settings, { network: openNetwork, clock, signal }),
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

export async function streamOf(source: OpenSource, name: string): Promise<Stream> {
  const found = (await source.streams()).find((stream) => stream.name === name)
  if (found === undefined) throw new Error(`There is no stream ${name}.`)
  return found
}
