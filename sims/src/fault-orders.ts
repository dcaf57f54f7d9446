/** What goes wrong on order, whatever a simulator understands by it: which call each mishap befalls, and how often. */

interface Ordered {
  /** Only calls of this path; any where nothing is said. */
  readonly path?: string
  /** So many calls go well before. */
  readonly after?: number
  /** How many calls are spoilt; one where nothing is said. */
  readonly times?: number
}

export interface MishapOrders<Mishap extends Ordered> {
  order(...mishaps: readonly Mishap[]): void
  /** What befalls the call that has just come; null where all goes well. */
  next(path: string): Mishap | null
  /** Nothing more goes wrong. */
  clear(): void
}

export function takeOrders<Mishap extends Ordered>(): MishapOrders<Mishap> {
  let ordered: { readonly mishap: Mishap; after: number; times: number }[] = []
  return {
    order(...mishaps) {
      ordered.push(...mishaps.map((mishap) => ({ mishap, after: mishap.after ?? 0, times: mishap.times ?? 1 })))
    },
    next(path) {
      const found = ordered.find(({ mishap }) => mishap.path === undefined || mishap.path === path)
      if (found === undefined) return null
      if (found.after > 0) {
        found.after -= 1
        return null
      }
      found.times -= 1
      if (found.times <= 0) ordered.splice(ordered.indexOf(found), 1)
      return found.mishap
    },
    clear() {
      ordered = []
    },
  }
}
