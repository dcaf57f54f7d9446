/** A simulated Cin7 Core on a clock that it shares with the source. */
import { startCin7 } from '@tributary/sims/cin7/server'
import type { Cin7SimulatorOptions, Cin7Simulator } from '@tributary/sims/cin7/server'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import { sharedClock } from './shared-clock.ts'
import type { SharedClock } from './shared-clock.ts'
import { openNetwork } from '../sync/source-context.ts'
import { cin7Source } from '@tributary/engine/apis/cin7/source'

export interface SimulatedCin7 extends AsyncDisposable {
  readonly sim: Cin7Simulator
  readonly clock: SharedClock
  open(signal?: AbortSignal): Promise<OpenSource>
}

/** A few records of every kind. */
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

interface SimulatedCin7Options extends Partial<Cin7SimulatorOptions> {
  /** How far each read of the clock by the simulator advances it, so that calls take time. */
  readonly slowMs?: number
  /** The rate limit of the source, if it is not the default. */
  readonly callsPerMinute?: number
  /** The time at the start of the clock, in milliseconds since 1970. */
  readonly startAt?: number
}

export async function simulateCin7({
  slowMs = 0,
  callsPerMinute,
  startAt,
  ...options
}: SimulatedCin7Options = {}): Promise<SimulatedCin7> {
  const clock = sharedClock(startAt)
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
