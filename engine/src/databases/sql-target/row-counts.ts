/** How many rows a load has changed. */
import type { Counts } from '../../ports/target.ts'

export const noCounts: Counts = { inserted: 0, updated: 0, deleted: 0 }

export function addCounts(left: Counts, right: Partial<Counts>): Counts {
  return {
    inserted: left.inserted + (right.inserted ?? 0),
    updated: left.updated + (right.updated ?? 0),
    deleted: left.deleted + (right.deleted ?? 0),
  }
}
