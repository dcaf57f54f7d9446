/**
 * Measures how much memory runs need. Runs share a process, so their memory cannot be measured exactly: the growth of the process
 * since it last had no run is divided between its runs in proportion to what each was expected to need. A run that is alone is
 * charged the whole growth. Garbage that is not collected yet counts, so the figure is rather too high than too low.
 */
import { memoryInUseMb, memoryLimitMb } from '../../../kernel/telemetry/process-memory.ts'

interface MeasuredRun {
  readonly expectedMb: number
  peakMb: number
}

export class RunMemory {
  readonly #read: () => number
  readonly #runs = new Map<string, MeasuredRun>()
  #withoutRunsMb: number

  /** @param read the memory of the process in MB */
  constructor(read = memoryInUseMb) {
    this.#read = read
    this.#withoutRunsMb = read()
  }

  begin(runId: string, expectedMb: number): void {
    if (this.#runs.size === 0) this.#withoutRunsMb = this.#read()
    this.#runs.set(runId, { expectedMb, peakMb: 0 })
  }

  /** Called every second while runs are active. */
  sample(): void {
    const growth = Math.max(0, this.#read() - this.#withoutRunsMb)
    const runs = [...this.#runs.values()]
    const expected = runs.reduce((sum, { expectedMb }) => sum + expectedMb, 0)
    for (const run of runs) run.peakMb = Math.max(run.peakMb, (growth * run.expectedMb) / expected)
  }

  /** The run's peak in MB so far. */
  peakMb(runId: string): number {
    this.sample()
    return this.#runs.get(runId)?.peakMb ?? 0
  }

  end(runId: string): void {
    this.#runs.delete(runId)
  }
}

/** For Node, its code and what is not a run. */
const reservedMb = 256
/** Beyond this, V8's default heap limit of about 4 GB is near. */
const defaultBudgetMaxMb = 3_072
const defaultBudgetMinMb = 256

/** The memory for runs unless it is configured: three quarters of what the container or machine leaves, up to 3,072 MB. */
export function defaultRunMemoryMb(limitMb = memoryLimitMb()): number {
  return Math.round(Math.min(defaultBudgetMaxMb, Math.max(defaultBudgetMinMb, (limitMb - reservedMb) * 0.75)))
}
