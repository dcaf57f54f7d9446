/** Places a table and its neighbours: what it refers to on the right, what refers to it on the left. Pure. */
import type { DictionarySummary } from '@tributary/contract/dictionary'

export interface Neighbour {
  readonly name: string
  /** The columns that connect the two, such as `contact_id → contact_id`. */
  readonly columns: string
  /** One of the two is a part of the other. */
  readonly isPart: boolean
}

export interface Neighbourhood {
  /** Tables that the table refers to. */
  readonly targets: readonly Neighbour[]
  /** Tables that refer to the table. */
  readonly sources: readonly Neighbour[]
}

export function findNeighbours(tables: readonly DictionarySummary[], table: string): Neighbourhood {
  const join = (from: readonly string[], to: readonly string[]) =>
    from.map((column, at) => (column === to[at] ? column : `${column} → ${to[at] ?? ''}`)).join(', ')
  const own = tables.find(({ Name }) => Name === table)
  const targets = (own?.Relations ?? []).map(({ Table, Columns, To, IsParent }) => ({
    name: Table,
    columns: join(Columns, To),
    isPart: IsParent,
  }))
  const sources = tables.flatMap(({ Name, Relations }) =>
    Name === table
      ? []
      : Relations.filter(({ Table }) => Table === table).map(({ Columns, To, IsParent }) => ({
          name: Name,
          columns: join(Columns, To),
          isPart: IsParent,
        })),
  )
  return { targets: merge(targets), sources: merge(sources) }
}

/** Several relations between the same two tables are one line. */
function merge(neighbours: readonly Neighbour[]): readonly Neighbour[] {
  return [...Map.groupBy(neighbours, ({ name }) => name)].map(([name, same]) => ({
    name,
    columns: same.map(({ columns }) => columns).join('; '),
    isPart: same.some(({ isPart }) => isPart),
  }))
}

export interface PlacedNeighbour extends Neighbour {
  readonly x: number
  readonly y: number
}

export interface DiagramLayout {
  readonly width: number
  readonly height: number
  readonly center: { readonly x: number; readonly y: number }
  readonly sources: readonly PlacedNeighbour[]
  readonly targets: readonly PlacedNeighbour[]
}

export const boxWidth = 200
export const boxHeight = 40
const rowHeight = 52
const gap = 110

/** Everything fits at a readable size; a long column makes the diagram higher, and its frame scrolls. */
export function placeNeighbours({ sources, targets }: Neighbourhood): DiagramLayout {
  const rows = Math.max(sources.length, targets.length, 1)
  const height = rows * rowHeight
  const left = sources.length === 0 ? 0 : boxWidth + gap
  const right = left + boxWidth + gap
  const place = (neighbours: readonly Neighbour[], x: number): readonly PlacedNeighbour[] =>
    neighbours.map((neighbour, at) => ({
      ...neighbour,
      x,
      y: (height - neighbours.length * rowHeight) / 2 + at * rowHeight + (rowHeight - boxHeight) / 2,
    }))
  return {
    width: targets.length === 0 ? left + boxWidth : right + boxWidth,
    height,
    center: { x: left, y: (height - boxHeight) / 2 },
    sources: place(sources, 0),
    targets: place(targets, right),
  }
}
