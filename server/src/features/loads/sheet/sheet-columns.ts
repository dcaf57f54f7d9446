/** Infers the types of the sheet columns that go into the table. Pure. */
import { ColumnCells, type KindCount } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import type { SheetCell } from '@tributary/contract/cells'
import type { LoadKind } from '@tributary/contract/load-columns'
import { plainName } from '@tributary/contract/sheet-headings'
import type { Camel } from '@tributary/contract/wire'
import { cellAddress } from '../../../planning/sheet-files/sheet.ts'
import { type OwnColumn, type TypeOrigin, widenType } from './column-values.ts'
import type { MatchedHeadings } from './match-headings.ts'

/** Types that the user chose, by heading. */
export type ChosenTypes = readonly { readonly column: string; readonly type: ColumnType }[]

export interface SheetColumn extends OwnColumn {
  readonly isNew: boolean
  readonly isWidened: boolean
  readonly origin: TypeOrigin
  readonly kinds: readonly KindCount[]
  /** Position in the sheet, from 0. */
  readonly at: number
}

export interface TypeInferenceInput {
  readonly rows: readonly (readonly SheetCell[])[]
  /** Row number of the first row in the sheet. */
  readonly firstRow: number
  readonly headings: MatchedHeadings
  /** The existing own columns of the table. */
  readonly known: readonly OwnColumn[]
  readonly chosen: ChosenTypes
}

/** Omits new columns without values. */
export function inferColumnTypes({
  rows,
  firstRow,
  headings,
  known,
  chosen,
}: TypeInferenceInput): readonly SheetColumn[] {
  const choices = new Map(chosen.map(({ column, type }) => [plainName(column), type]))
  return headings.own.flatMap(({ name, at }): readonly SheetColumn[] => {
    const { kinds, type: inferred } = cellsOf(rows, { at, firstRow })
    const there = known.find((column) => column.name === name)
    if (there !== undefined) {
      const type = widenType(there.type, kinds)
      return [{ name, type, isNew: false, isWidened: type !== there.type, origin: 'table', kinds, at }]
    }
    const choice = choices.get(plainName(name))
    if (inferred === null) return []
    const typed =
      choice === undefined
        ? ({ type: inferred, origin: 'majority' } as const)
        : ({ type: choice, origin: 'choice' } as const)
    return [{ name, ...typed, isNew: true, isWidened: false, kinds, at }]
  })
}

function cellsOf(
  rows: TypeInferenceInput['rows'],
  { at, firstRow }: { readonly at: number; readonly firstRow: number },
): ColumnCells {
  const cells = new ColumnCells()
  for (const [index, row] of rows.entries()) cells.add(row[at] ?? null, firstRow + index)
  return cells
}

/** Notices for chosen types that are ignored because the table already has the column. */
export function choiceNotices(columns: readonly SheetColumn[], chosen: ChosenTypes): readonly string[] {
  return columns.flatMap(({ name, type, isNew }) => {
    const choice = chosen.find(({ column }) => plainName(column) === plainName(name))
    if (isNew || choice === undefined || choice.type === type) return []
    return [`The table already has a column ‘${name}’. It keeps its type; the type that you chose is ignored.`]
  })
}

/** @param column number of the column in the sheet, from 1 */
export function toLoadKinds(kinds: readonly KindCount[], column: number): Camel<LoadKind>[] {
  return kinds.map(({ kind, cells, first }) => ({
    kind,
    cells,
    firstCell: cellAddress(first.row, column),
    firstValue: formatCell(first.cell),
  }))
}

const shownMax = 100

/** Formats a cell as the sheet shows it, truncated. */
export function formatCell(cell: NonNullable<SheetCell>): string {
  const text = cellText(cell)
  return text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text
}

function cellText(cell: NonNullable<SheetCell>): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if ('n' in cell) return cell.n
  return 'd' in cell ? cell.d.replace('T', ' ') : cell.e
}
