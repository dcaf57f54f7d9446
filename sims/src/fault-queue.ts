/** Queue of injected faults, shared by the simulators: which calls fail, and how often. */

interface FaultSchedule {
  /** Only calls of this path; default: any. */
  readonly path?: string
  /** Number of calls that succeed first. */
  readonly after?: number
  /** Number of failing calls; default 1. */
  readonly times?: number
}

export interface FaultQueue<InjectedFault extends FaultSchedule> {
  inject(...faults: readonly InjectedFault[]): void
  /** Returns the fault for the current call; null if it succeeds. */
  next(path: string): InjectedFault | null
  /** Removes all queued faults. */
  clear(): void
}

export function createFaultQueue<InjectedFault extends FaultSchedule>(): FaultQueue<InjectedFault> {
  let queue: { readonly fault: InjectedFault; after: number; times: number }[] = []
  return {
    inject(...faults) {
      queue.push(...faults.map((fault) => ({ fault, after: fault.after ?? 0, times: fault.times ?? 1 })))
    },
    next(path) {
      const queued = queue.find(({ fault }) => fault.path === undefined || fault.path === path)
      if (queued === undefined) return null
      if (queued.after > 0) {
        queued.after -= 1
        return null
      }
      queued.times -= 1
      if (queued.times <= 0) queue.splice(queue.indexOf(queued), 1)
      return queued.fault
    },
    clear() {
      queue = []
    },
  }
}
