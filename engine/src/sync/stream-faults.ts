/** Which faults stay with the stream that met them, and what the faults of several streams mean for the run. */
import { Fault, type FaultKind } from '../ports/faults.ts'

/** The address of one end does not answer, or what the caller of the engine provides credentials from. */
const unreachableCodes: readonly string[] = [
  'network.unreachable',
  'target.unreachable',
  'warehouse.unreachable',
  'store.unreachable',
]

/** True for a fault of the connector as a whole (login, allowance, network), which every other stream would meet, too. */
export function concernsEveryStream({ kind, code }: Fault): boolean {
  return kind === 'signIn' || kind === 'busy' || unreachableCodes.includes(code)
}

/** Streams that fail for a passing reason without one in between that succeeds. With more, it is the database or service that fails. */
const passingInARowMax = 3

/**
 * Decides for each stream's fault whether the run continues with the next stream. Only a fault that every stream would meet ends
 * the run: nothing that is odd about one table may keep the others from being moved.
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

/** By what helps first: another try by itself, a change by an administrator, a developer, a correction of the data. */
const kindsInOrder: readonly FaultKind[] = ['passing', 'settings', 'bug', 'data']

/** One fault for the run: that of the only stream that failed, or a list of them all; null where none failed. */
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
