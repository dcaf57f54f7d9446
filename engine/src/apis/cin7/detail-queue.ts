/**
 * Which documents are still to be read whole, when each costs a call and a run may be cut at any of them. They are read
 * newest first. The checkpoint says up to when everything is done, and which spans of change before that are not; a run
 * that goes on puts what has changed since on top. Nothing is remembered but these few bounds, so nothing can be lost.
 */
import type { Checkpoint } from '../../ports/model.ts'

export interface Item {
  readonly id: string
  /** When it changed last, in milliseconds since 1970. */
  readonly changedAt: number
}

/** What changed after `after` (null: ever) and stands below `below` in the order newest first (null: no bound). */
export interface Span {
  readonly after: number | null
  readonly below: Item | null
}

/** Changes that were told late, or by a clock that runs behind, lie within this of the last reading. */
export const overlapMs = 5 * 60_000

export function spansOf(checkpoint: Checkpoint | null): readonly Span[] {
  if (checkpoint === null) return [{ after: null, below: null }]
  const newest: Span = { after: Number(checkpoint['until']) - overlapMs, below: null }
  const pending = checkpoint['pending']
  return typeof pending === 'string' ? [newest, ...(JSON.parse(pending) as Span[])] : [newest]
}

/** The moment from which the list must be asked; null for all of it. */
export function earliest(spans: readonly Span[]): number | null {
  return spans.reduce<number | null>(
    (least, { after }) => (least === null || after === null ? null : Math.min(least, after)),
    Infinity,
  )
}

/** The items within any span, each once, newest first. */
export function queueOf<T extends Item>(spans: readonly Span[], items: Iterable<T>): T[] {
  const newest = new Map<string, T>()
  for (const item of items)
    if ((newest.get(item.id)?.changedAt ?? -Infinity) < item.changedAt) newest.set(item.id, item)
  return [...newest.values()].filter((item) => spans.some((span) => holds(span, item))).toSorted(newestFirst)
}

/** What is left when this item, and with it every one before it in the queue, is done. */
export function spansAfter(spans: readonly Span[], item: Item): readonly Span[] {
  const at = spans.findIndex((span) => holds(span, item))
  return at === -1
    ? spans
    : spans
        .slice(at)
        .map((span, index) =>
          index === 0 ? { after: span.after, below: { id: item.id, changedAt: item.changedAt } } : span,
        )
}

export function checkpointOf(spans: readonly Span[], until: number): Checkpoint {
  return spans.length === 0 ? { until } : { until, pending: JSON.stringify(spans) }
}

function holds({ after, below }: Span, item: Item): boolean {
  return (after === null || item.changedAt > after) && (below === null || newestFirst(below, item) < 0)
}

function newestFirst(one: Item, other: Item): number {
  if (one.changedAt !== other.changedAt) return other.changedAt - one.changedAt
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
