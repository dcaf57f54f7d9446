/**
 * Queue of documents that are still to be fetched, one call each, where a run may be interrupted after any of them.
 * Documents are read newest first. The checkpoint contains the moment up to which the list is known and the spans of
 * changes that are still unread.
 * A resumed run puts newer changes on top. Only these bounds are stored, so no document can be lost.
 */
import type { Checkpoint } from '../../ports/model.ts'

export interface QueuedDocument {
  readonly id: string
  /** Last change, in milliseconds since 1970. */
  readonly changedAt: number
}

/** Changes after `after` (null: all) that sort below `below` in newest-first order (null: no bound). */
export interface ChangeSpan {
  readonly after: number | null
  readonly below: QueuedDocument | null
}

/** Overlap with the last read, for changes that are reported late or by a slow clock. */
export const overlapMs = 5 * 60_000

export function spansFromCheckpoint(checkpoint: Checkpoint | null): readonly ChangeSpan[] {
  if (checkpoint === null) return [{ after: null, below: null }]
  const newest: ChangeSpan = { after: Number(checkpoint['until']) - overlapMs, below: null }
  const pending = checkpoint['pending']
  return typeof pending === 'string' ? [newest, ...(JSON.parse(pending) as ChangeSpan[])] : [newest]
}

/** The moment from which the list must be read; null for the whole list. */
export function earliestMoment(spans: readonly ChangeSpan[]): number | null {
  return spans.reduce<number | null>(
    (least, { after }) => (least === null || after === null ? null : Math.min(least, after)),
    Infinity,
  )
}

/** The documents within any span, each once, newest first. */
export function buildQueue<T extends QueuedDocument>(spans: readonly ChangeSpan[], documents: Iterable<T>): T[] {
  const newest = new Map<string, T>()
  for (const document of documents)
    if ((newest.get(document.id)?.changedAt ?? -Infinity) < document.changedAt) newest.set(document.id, document)
  return [...newest.values()].filter((document) => spans.some((span) => contains(span, document))).toSorted(newestFirst)
}

/** The spans that remain once this document and all before it in the queue are read. */
export function spansLeftAfter(spans: readonly ChangeSpan[], document: QueuedDocument): readonly ChangeSpan[] {
  const at = spans.findIndex((span) => contains(span, document))
  return at === -1
    ? spans
    : spans
        .slice(at)
        .map((span, index) =>
          index === 0 ? { after: span.after, below: { id: document.id, changedAt: document.changedAt } } : span,
        )
}

export function checkpointOf(spans: readonly ChangeSpan[], until: number): Checkpoint {
  return spans.length === 0 ? { until } : { until, pending: JSON.stringify(spans) }
}

function contains({ after, below }: ChangeSpan, document: QueuedDocument): boolean {
  return (after === null || document.changedAt > after) && (below === null || newestFirst(below, document) < 0)
}

function newestFirst(one: QueuedDocument, other: QueuedDocument): number {
  if (one.changedAt !== other.changedAt) return other.changedAt - one.changedAt
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
