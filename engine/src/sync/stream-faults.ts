/** Decides which faults affect only their stream, and combines the faults of several streams into the run's fault. */
import { Fault, type FaultKind } from '../ports/faults.ts'

/** One end, or the store that provides credentials, is unreachable. */
const unreachableCodes: readonly string[] = [
  'network.unreachable',
  'target.unreachable',
  'warehouse.unreachable',
  'store.unreachable',
]

/**
 * True for a fault of the whole connector (login, rate budget, network), which would affect every other stream, too.
 */
export function concernsEveryStream({ kind, code }: Fault): boolean {
  return kind === 'signIn' || kind === 'busy' || unreachableCodes.includes(code)
}

/** After this many consecutive streams with transient faults, the database or service itself is considered down. */
const passingInARowMax = 3

/**
 * Decides for each stream's fault whether the run continues with the next stream. Only a fault that affects every
 * stream ends the run: a problem of one table must not stop the others.
 */
export class StreamFaults {
  #passingInARow = 0

  succeeded(): void {
    this.#passingInARow = 0
  }

  /** @returns whether the run must stop */
  failed(fault: Fault): boolean {
    this.#passingInARow = fault.kind === 'passing' ? this.#passingInARow + 1 : 0
    return concernsEveryStream(fault) || this.#passingInARow >= passingInARowMax
  }
}

export interface FailedStream {
  readonly name: string
  readonly fault: Fault
}

/** The kinds by what helps first: a retry, an administrator, a developer, a correction of the data. */
const kindsInOrder: readonly FaultKind[] = ['passing', 'settings', 'bug', 'data']

/** One fault for the run: that of the only failed stream, or a list of all; null if none failed. */
export function runFault(failed: readonly FailedStream[]): Fault | null {
  const [first, ...others] = failed
  if (first === undefined) return null
  const notice = failed.map(({ name, fault }) => `${name}: ${fault.notice}`).join(' ')
  const remedies = [...new Set(failed.flatMap(({ fault }) => fault.remedy ?? []))]
  const remedy = remedies.length === 0 ? {} : { remedy: remedies.join('\n') }
  if (others.length === 0)
    return new Fault(first.fault.kind, { code: first.fault.code, notice, ...remedy, cause: first.fault })
  const kind = kindsInOrder.find((each) => failed.some(({ fault }) => fault.kind === each)) ?? first.fault.kind
  return new Fault(kind, {
    code: 'engine.streams_failed',
    notice: `${failed.length} streams are not done; the others are. ${notice}`,
    ...remedy,
  })
}
