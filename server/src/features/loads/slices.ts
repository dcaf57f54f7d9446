/** Slices: the units that a load replaces as a whole. Pure. */
import { createHash } from 'node:crypto'

/** The parts of a slice, in the order of the table's columns. */
export const sliceParts = ['entity', 'area', 'subarea', 'milestone'] as const
export type SlicePart = (typeof sliceParts)[number]
export type SliceNames = Readonly<Record<SlicePart, string>>
/** Record ids of a slice's parts. */
export type SliceIds = Readonly<Record<SlicePart, string>>

export const partTitles = {
  entity: 'Entity',
  area: 'Area',
  subarea: 'Subarea',
  milestone: 'Milestone',
} as const satisfies Record<SlicePart, string>

/** The single slice of a helper table. */
export const wholeTable: SliceNames = { entity: '', area: '', subarea: '', milestone: '' }

/** A deterministic UUID for these names in this record. Must never change. */
export function computeSliceId(recordId: string, names: SliceNames): string {
  const key = JSON.stringify([recordId, ...sliceParts.map((part) => names[part])])
  const hash = createHash('sha256').update(key).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** A slice that was loaded before, with the record ids of its parts. */
export interface KnownSlice {
  readonly sliceId: string
  readonly ids: SliceIds
}

/** Resolves slice ids. A slice that was loaded before keeps its id after its parts are renamed. */
export function createSliceIdResolver(
  recordId: string,
  known: readonly KnownSlice[],
): (slice: { names: SliceNames; ids: SliceIds }) => string {
  const idsByParts = new Map(known.map(({ sliceId, ids }) => [keyOf(ids), sliceId]))
  const taken = new Set(idsByParts.values())
  return ({ names, ids }) => {
    const named = computeSliceId(recordId, names)
    // Another slice may have had these names before.
    return idsByParts.get(keyOf(ids)) ?? (taken.has(named) ? computeSliceId(recordId, ids) : named)
  }
}

function keyOf(ids: SliceIds): string {
  return sliceParts.map((part) => ids[part]).join(' ')
}

/** For messages: ‘Denmark’, ‘Sales’, ‘Web’, ‘January’. */
export function describeSlice(names: SliceNames): string {
  const words = sliceParts.map((part) => names[part]).filter((name) => name !== '')
  return words.length === 0 ? 'the table' : words.map((name) => `‘${name}’`).join(', ')
}

export interface SeenSlice {
  readonly sliceId: string
  readonly loadId: string | null
}

/** Optimistic lock token: a hash that changes when any of the slices is loaded again. */
export function hashSeenSlices(slices: readonly SeenSlice[]): string {
  const lines = slices.map(({ sliceId, loadId }) => `${sliceId} ${loadId ?? 'none'}`).toSorted()
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}
