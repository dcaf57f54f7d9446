/** How many rows a load has changed. */
import type { Counts } from '../../ports/target.ts'

export const nothing: Counts = { inserted: 0, updated: 0, deleted: 0 }

export function added(left: Counts, right: Counts): Counts {
  return {
    inserted: left.inserted + right.inserted,
    updated: left.updated + right.updated,
    deleted: left.deleted + right.deleted,
  }
}
