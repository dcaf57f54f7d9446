/** What goes wrong on order: the control by which a test spoils calls to come. */
import { type MishapOrders, takeOrders } from '../../fault-orders.ts'

export interface Mishap {
  /**
   * `drop` breaks the connection before anything is done, `lostAnswer` after it: a token is renewed and nobody hears of it. `cut`
   * breaks it in the middle of the body, `hang` never answers, `slow` answers late, `limit` refuses as Xero refuses, `reply`
   * answers something else, `reshape` changes the answer on its way.
   */
  readonly kind: 'drop' | 'lostAnswer' | 'cut' | 'hang' | 'slow' | 'limit' | 'reply' | 'reshape'
  /** Only calls of this path in lower case: `invoices`, `reports/trialbalance`, `connections`, `connect/token`. */
  readonly path?: string
  /** So many calls go well before. */
  readonly after?: number
  /** How many calls are spoilt; one where nothing is said. */
  readonly times?: number
  /** Only for `reply`. */
  readonly reply?: {
    readonly status: number
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  }
  /** Only for `slow`, and for `limit`: what Retry-After says. */
  readonly waitMs?: number
  /** Only for `limit`; `minute` where nothing is said. */
  readonly problem?: LimitProblem
  /** Only for `reshape`. */
  readonly reshape?: (body: unknown) => unknown
}

export type LimitProblem = 'minute' | 'day' | 'concurrent' | 'appminute'

export type Mishaps = MishapOrders<Mishap>

export const makeMishaps = (): Mishaps => takeOrders()
