/** Slices: what a load replaces as a whole. Pure. */
import { createHash } from 'node:crypto'

/** In the order of the table's columns. */
export const sliceParts = ['entity', 'area', 'subarea', 'milestone'] as const
export type SlicePart = (typeof sliceParts)[number]
export type SliceNames = Readonly<Record<SlicePart, string>>
/** Of the records that a slice is of. */
export type SliceIds = Readonly<Record<SlicePart, string>>

export const partTitles = {
  entity: 'Entity',
  area: 'Area',
  subarea: 'Subarea',
  milestone: 'Milestone',
} as const satisfies Record<SlicePart, string>

/** Of a helper table. */
export const wholeTable: SliceNames = { entity: '', area: '', subarea: '', milestone: '' }

/** The same for the same names in the same record for ever, in the form of a UUID. */
export function sliceIdOf(recordId: string, names: SliceNames): string {
  const told = JSON.stringify([recordId, ...sliceParts.map((part) => names[part])])
  const hash = createHash('sha256').update(told).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** A slice that was loaded before, by the ids of what it is of. */
export interface KnownSlice {
  readonly sliceId: string
  readonly ids: SliceIds
}

/** The id of each slice: what was loaded before keeps its own, whatever it is called by now. */
export function sliceFinder(
  recordId: string,
  known: readonly KnownSlice[],
): (slice: { names: SliceNames; ids: SliceIds }) => string {
  const kept = new Map(known.map(({ sliceId, ids }) => [keyOf(ids), sliceId]))
  const taken = new Set(kept.values())
  return ({ names, ids }) => {
    const named = sliceIdOf(recordId, names)
    // Another slice may have been called so before.
    return kept.get(keyOf(ids)) ?? (taken.has(named) ? sliceIdOf(recordId, ids) : named)
  }
}

function keyOf(ids: SliceIds): string {
  return sliceParts.map((part) => ids[part]).join(' ')
}

/** For people. */
export function sliceInWords(names: SliceNames): string {
  const words = sliceParts.map((part) => names[part]).filter((name) => name !== '')
  return words.length === 0 ? 'the table' : words.map((name) => `‘${name}’`).join(', ')
}

export interface SeenSlice {
  readonly sliceId: string
  readonly loadId: string | null
}

/** What the table held, as one word: another one when any of the slices was loaded since. */
export function seenOf(slices: readonly SeenSlice[]): string {
  const lines = slices.map(({ sliceId, loadId }) => `${sliceId} ${loadId ?? 'none'}`).toSorted()
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}
