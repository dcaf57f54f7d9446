/** Fault injection: a test makes future calls of the simulator fail. */
import { type FaultQueue, createFaultQueue } from '../../fault-queue.ts'

export interface XeroInjectedFault {
  /**
   * `drop` breaks the connection before the call is processed, `lostAnswer` after it, for example when a token is
   * already renewed.
   * `cut` breaks it in the middle of the body, `hang` never responds, `slow` responds late, `limit` refuses like
   * Xero's rate limit.
   * `reply` replaces the response, `reshape` modifies it.
   */
  readonly kind: 'drop' | 'lostAnswer' | 'cut' | 'hang' | 'slow' | 'limit' | 'reply' | 'reshape'
  /** Only calls of this path, in lower case: `invoices`, `reports/trialbalance`, `connections`, `connect/token`. */
  readonly path?: string
  /** Number of calls that succeed first. */
  readonly after?: number
  /** Number of failing calls; default 1. */
  readonly times?: number
  /** Only for `reply`. */
  readonly reply?: {
    readonly status: number
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  }
  /** Only for `slow`, and for `limit` as its Retry-After. */
  readonly waitMs?: number
  /** Only for `limit`; default `minute`. */
  readonly problem?: LimitProblem
  /** Only for `reshape`. */
  readonly reshape?: (body: unknown) => unknown
}

export type LimitProblem = 'minute' | 'day' | 'concurrent' | 'appminute'

export type XeroFaultQueue = FaultQueue<XeroInjectedFault>

export const createFaults = (): XeroFaultQueue => createFaultQueue()
