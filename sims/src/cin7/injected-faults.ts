/** Fault injection: a test makes future calls of the simulator fail. */
import { type FaultQueue, createFaultQueue } from '../fault-queue.ts'

export interface Cin7InjectedFault {
  /**
   * `drop` breaks the connection before the response, `cut` in the middle of its body. `hang` never responds, `slow`
   * responds late.
   * `limit` refuses like Cin7's rate limit, `reply` replaces the response, `reshape` modifies it.
   */
  readonly kind: 'drop' | 'cut' | 'hang' | 'slow' | 'limit' | 'reply' | 'reshape'
  /** Only calls of this path, in lower case and without the version: `salelist`. */
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
  /** Only for `slow`. */
  readonly waitMs?: number
  /** Only for `reshape`. */
  readonly reshape?: (body: unknown) => unknown
}

export type Cin7FaultQueue = FaultQueue<Cin7InjectedFault>

export const createFaults = (): Cin7FaultQueue => createFaultQueue()

type JsonNode = Record<string, unknown>

/** Modifies the value of a key anywhere in a response; `undefined` removes the key. */
export function changingKey(key: string, change: (value: unknown) => unknown): (body: unknown) => unknown {
  return (body) =>
    eachNode(body, (node) => {
      if (!(key in node)) return node
      const value = change(node[key])
      const { [key]: _, ...rest } = node
      return value === undefined ? rest : { ...node, [key]: value }
    })
}

/** Adds a field to every object of a response. */
export function addingKey(key: string, value: unknown): (body: unknown) => unknown {
  return (body) => eachNode(body, (node) => ({ ...node, [key]: value }))
}

function eachNode(value: unknown, change: (node: JsonNode) => JsonNode): unknown {
  if (Array.isArray(value)) return value.map((item) => eachNode(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, eachNode(inner, change)])))
}
