/** How many rows a load has changed. */
import type { WriteCounts } from '../../ports/target.ts'

export const noCounts: WriteCounts = { inserted: 0, updated: 0, deleted: 0 }

export function addCounts(left: WriteCounts, right: Partial<WriteCounts>): WriteCounts {
  return {
    inserted: left.inserted + (right.inserted ?? 0),
    updated: left.updated + (right.updated ?? 0),
    deleted: left.deleted + (right.deleted ?? 0),
  }
}
