/** What the command palette lists, and how a term finds it. */
export type PaletteGroup =
  | 'Recent'
  | 'Pages'
  | 'Actions'
  | 'Organisations'
  | 'Connectors'
  | 'Tables'
  | 'Runs'
  | 'Areas'
  | 'Subareas'
  | 'Versions'
  | 'Helper tables'
  | 'Entities'
  | 'Security groups'
  | 'People'

export interface PaletteItem {
  /** Unique in the palette. */
  readonly id: string
  readonly group: PaletteGroup
  readonly label: string
  readonly detail?: string
  /** Of what belongs to a connector, whose icon is shown. */
  readonly connectorType?: string
  /** Other words that find it. */
  readonly keywords?: string
  /** The keys that do the same, in their order. */
  readonly keys?: readonly string[]
  readonly target: PaletteTarget
}

/** A path of the portal, an address outside of it, or a function. */
export type PaletteTarget = { readonly to: string } | { readonly href: string } | { readonly act: () => void }

/** The items that the term finds, best first. All words must occur; an empty term finds everything. */
export function findItems(items: readonly PaletteItem[], term: string): readonly PaletteItem[] {
  const text = normalise(term)
  if (text === '') return items
  const words = text.split(' ')
  return items
    .map((item) => ({ item, label: normalise(item.label), all: normalise(textOf(item)) }))
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .map(({ item, label }) => ({ item, rank: rankOf(label, text) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}

function textOf({ label, detail = '', keywords = '' }: PaletteItem): string {
  return `${label} ${detail} ${keywords}`
}

/** As on the server: the label itself, its beginning, the beginning of a later word, any other match. */
function rankOf(label: string, text: string): number {
  if (label === text) return 0
  if (label.startsWith(text)) return 1
  return label.includes(` ${text}`) ? 2 : 3
}

function normalise(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s\-_./:]+/gu, ' ')
}
