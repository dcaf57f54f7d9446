/** How a person arranged the columns of a table: hidden, pinned and their widths. Pure. */
import type { DataColumn } from '@tributary/contract/data'
import { isNumberKind } from '../data-words.ts'

export interface StoredLayout {
  readonly hidden?: readonly string[]
  /** Stay on the left, in this order. */
  readonly pinned?: readonly string[]
  readonly widths?: Readonly<Record<string, number>>
}

export interface GridColumn {
  readonly column: DataColumn
  /** Of its cells in a row. */
  readonly index: number
  readonly widthPx: number
  /** The distance from the left edge at which a pinned column stays; null: it scrolls. */
  readonly leftPx: number | null
}

export const rowNumberPx = 64
export const widthLimits = { min: 64, max: 800, step: 40 } as const

/** Pinned columns come first. Names that the table no longer has are ignored. */
export function arrangeColumns(columns: readonly DataColumn[], layout: StoredLayout): readonly GridColumn[] {
  const { hidden = [], pinned = [], widths = {} } = layout
  const visible = columns
    .map((column, index) => ({ column, index, widthPx: widths[column.Name] ?? defaultWidth(column) }))
    .filter(({ column: { Name } }) => !hidden.includes(Name))
  const isPinned = ({ column: { Name } }: { readonly column: DataColumn }) => pinned.includes(Name)
  const first = visible
    .filter(isPinned)
    .toSorted((one, other) => pinned.indexOf(one.column.Name) - pinned.indexOf(other.column.Name))
  let left = rowNumberPx
  const stuck = first.map((one) => {
    const leftPx = left
    left += one.widthPx
    return { ...one, leftPx }
  })
  return [...stuck, ...visible.filter((one) => !isPinned(one)).map((one) => ({ ...one, leftPx: null }))]
}

function defaultWidth({ Kind, Name }: DataColumn): number {
  const byKind = isNumberKind(Kind) ? 128 : (widthsByKind[Kind] ?? 200)
  return Math.min(280, Math.max(byKind, Name.length * 8 + 56))
}

const widthsByKind: Readonly<Partial<Record<DataColumn['Kind'], number>>> = {
  boolean: 88,
  date: 120,
  time: 112,
  localTimestamp: 168,
  instant: 168,
  guid: 280,
}

export function limitWidth(widthPx: number): number {
  return Math.round(Math.min(widthLimits.max, Math.max(widthLimits.min, widthPx)))
}

export function toggleName(names: readonly string[] | undefined, name: string): readonly string[] {
  const current = names ?? []
  return current.includes(name) ? current.filter((one) => one !== name) : [...current, name]
}
