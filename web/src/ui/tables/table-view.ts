/** How a person wants to see tables: the height of the rows, and the columns of each table. */
import { createContext, use } from 'react'

export type TableDensity = 'comfortable' | 'compact'

export interface TableView {
  readonly density: TableDensity
  readonly setDensity: (density: TableDensity) => void
  /** The titles of the chosen columns by the table's name. A table that is missing shows its default columns. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** Null: the default columns. */
  readonly setColumns: (table: string, titles: readonly string[] | null) => void
}

const ignore = () => undefined

/** Without a provider every table shows its defaults. */
export const TableViewContext = createContext<TableView>({
  density: 'comfortable',
  setDensity: ignore,
  columns: {},
  setColumns: ignore,
})

/** What decides whether a column may be hidden. */
interface HideableColumn {
  readonly title: string
  readonly isActions?: boolean
  readonly isHiddenByDefault?: boolean
}

export interface ChosenColumns<Column> {
  readonly visible: readonly Column[]
  /** The columns that may be hidden, in their order; empty if the person cannot choose. */
  readonly choices: readonly { readonly title: string; readonly isVisible: boolean }[]
  readonly isDefault: boolean
  readonly toggle: (title: string) => void
  readonly reset: () => void
}

/**
 * The columns that the person chose. The first column, which names the row, and the actions are always visible.
 * @param name the table's name in the preferences; without one the columns cannot be chosen
 */
export function useChosenColumns<Column extends HideableColumn>(
  name: string | undefined,
  columns: readonly Column[],
): ChosenColumns<Column> {
  const { columns: stored, setColumns } = use(TableViewContext)
  const hideable = name === undefined ? [] : columns.filter((column, index) => index > 0 && column.isActions !== true)
  const defaults = hideable.filter(({ isHiddenByDefault }) => isHiddenByDefault !== true).map(({ title }) => title)
  const titles = chosenTitles(hideable, name === undefined ? undefined : stored[name]) ?? defaults
  const choose = (next: readonly string[] | null) => name !== undefined && setColumns(name, next)
  return {
    visible: columns.filter((column) => !hideable.includes(column) || titles.includes(column.title)),
    choices: hideable.map(({ title }) => ({ title, isVisible: titles.includes(title) })),
    isDefault: titles.join('\n') === defaults.join('\n'),
    toggle(title) {
      const isChosen = (other: string) => (other === title) !== titles.includes(other)
      choose(hideable.map((column) => column.title).filter(isChosen))
    },
    reset: () => choose(null),
  }
}

/** Undefined if nothing was chosen, or only columns that the table no longer has. */
function chosenTitles(hideable: readonly HideableColumn[], stored: readonly string[] | undefined) {
  const known = stored?.filter((title) => hideable.some((column) => column.title === title))
  return known?.length === 0 && stored?.length !== 0 ? undefined : known
}
