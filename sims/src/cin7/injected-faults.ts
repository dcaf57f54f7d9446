/** What goes wrong on order: the control by which a test spoils calls to come. */
import { type MishapOrders, takeOrders } from '../fault-orders.ts'

export interface Mishap {
  /**
   * `drop` breaks the connection before the answer, `cut` in the middle of its body, `hang` never answers, `slow` answers
   * late, `limit` refuses as Cin7 refuses, `reply` answers something else, `reshape` changes the answer on its way.
   */
  readonly kind: 'drop' | 'cut' | 'hang' | 'slow' | 'limit' | 'reply' | 'reshape'
  /** Only calls of this path, in lower case and without the version: `saleList` is `salelist`. */
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
  /** Only for `slow`. */
  readonly waitMs?: number
  /** Only for `reshape`. */
  readonly reshape?: (body: unknown) => unknown
}

export type Mishaps = MishapOrders<Mishap>

export const makeMishaps = (): Mishaps => takeOrders()

type Node = Record<string, unknown>

/** Changes the value of a key wherever it stands in an answer; `undefined` takes it away. */
export function changing(key: string, change: (value: unknown) => unknown): (body: unknown) => unknown {
  return (body) =>
    eachNode(body, (node) => {
      if (!(key in node)) return node
      const value = change(node[key])
      const { [key]: _, ...rest } = node
      return value === undefined ? rest : { ...node, [key]: value }
    })
}

/** Gives every object of an answer one field more. */
export function adding(key: string, value: unknown): (body: unknown) => unknown {
  return (body) => eachNode(body, (node) => ({ ...node, [key]: value }))
}

function eachNode(value: unknown, change: (node: Node) => Node): unknown {
  if (Array.isArray(value)) return value.map((item) => eachNode(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, eachNode(inner, change)])))
}
