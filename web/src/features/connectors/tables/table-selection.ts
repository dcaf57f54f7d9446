/** Which tables and columns of a database are moved: as the form holds them, and as a tree shows them. Pure. */
import type { OfferedTable } from '@tributary/contract/streams'

export interface TableChoice {
  /** Every table is moved, those made afterwards too; `tables` then says nothing. */
  readonly isEvery: boolean
  readonly tables: readonly string[]
  /** Columns that are not moved, as `schema.table.column`. */
  readonly leftOut: readonly string[]
}

/** `some`: of its columns not all. */
export type Ticked = 'all' | 'some' | 'none'

interface Place {
  readonly id: string
  readonly table: OfferedTable
  readonly ticked: Ticked
  /** Among its like, from one on. */
  readonly position: number
  readonly size: number
}
interface TableLine extends Place {
  readonly kind: 'table'
  readonly isOpen: boolean
}
interface ColumnLine extends Place {
  readonly kind: 'column'
  readonly column: OfferedTable['Columns'][number]
  /** It always comes along: without its key a row could not be found again. */
  readonly isKey: boolean
}
export type Line = TableLine | ColumnLine

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Written by hand, a table is often named without its schema; here every name is the full one. What is not offered stays. */
export function withFullNames(choice: TableChoice, offered: readonly OfferedTable[]): TableChoice {
  const aliases = offered.flatMap(({ Name }) =>
    [...new Set([Name.toLowerCase(), bareName(Name)])].map((alias) => ({ alias, Name })),
  )
  const byAlias = Map.groupBy(aliases, ({ alias }) => alias)
  const full = choice.tables.flatMap((name) => byAlias.get(name.toLowerCase())?.map(({ Name }) => Name) ?? [name])
  return { ...choice, tables: [...new Set(full)] }
}

/** Chosen once, and not there any more, or not for this user. */
export function missingTables({ isEvery, tables }: TableChoice, offered: readonly OfferedTable[]): string[] {
  const known = new Set(offered.map(({ Name }) => Name))
  return isEvery ? [] : tables.filter((name) => !known.has(name))
}

/** What one press does: a table is ticked as a whole unless it already is. Whoever unticks one of all has chosen the rest. */
export function toggleLine(choice: TableChoice, line: Line, offered: readonly OfferedTable[]): TableChoice {
  if (line.kind === 'table') return tickTables(choice, [line.table], line.ticked !== 'all', offered)
  if (line.isKey) return choice
  const others = choice.leftOut.filter((name) => name !== line.id)
  if (line.ticked === 'all') return { ...choice, leftOut: [...others, line.id] }
  const isIn = choice.isEvery || choice.tables.includes(line.table.Name)
  if (isIn) return { ...choice, leftOut: others }
  // A column of a table that is not moved: from now on it is, with this column and its key alone.
  const rest = columnNames(line.table).filter((name) => name !== line.id && !choice.leftOut.includes(name))
  return { ...choice, tables: [...choice.tables, line.table.Name], leftOut: [...others, ...rest] }
}

export function tickTables(
  choice: TableChoice,
  concerned: readonly OfferedTable[],
  isTicked: boolean,
  offered: readonly OfferedTable[],
): TableChoice {
  const names = new Set(concerned.map(({ Name }) => Name))
  const leftOut = isTicked ? withoutColumnsOf(concerned, choice.leftOut) : choice.leftOut
  if (choice.isEvery && isTicked) return { ...choice, leftOut }
  const before = choice.isEvery ? offered.map(({ Name }) => Name) : choice.tables
  const others = before.filter((name) => !names.has(name))
  return { isEvery: false, tables: isTicked ? [...others, ...names] : others, leftOut }
}

function withoutColumnsOf(tables: readonly OfferedTable[], leftOut: readonly string[]): readonly string[] {
  if (leftOut.length === 0) return leftOut
  const columns = new Set(tables.flatMap(columnNames))
  return leftOut.filter((name) => !columns.has(name))
}

/** The tables found by a term, in their own name or in that of a column. */
export function matchingTables(offered: readonly OfferedTable[], term: string): readonly OfferedTable[] {
  const sought = term.trim().toLowerCase()
  if (sought === '') return offered
  return offered.filter(
    ({ Name, Columns }) =>
      Name.toLowerCase().includes(sought) || Columns.some((column) => column.Name.toLowerCase().includes(sought)),
  )
}

/** @param open the names of the tables whose columns are shown. */
export function treeLines(tables: readonly OfferedTable[], choice: TableChoice, open: ReadonlySet<string>): Line[] {
  const leftOut = new Set(choice.leftOut)
  const chosen = new Set(choice.tables)
  return tables.flatMap((table, index): Line[] => {
    const isIn = choice.isEvery || chosen.has(table.Name)
    const whole = choice.leftOut.length > 0 && columnNames(table).some((name) => leftOut.has(name)) ? 'some' : 'all'
    const isOpen = open.has(table.Name)
    const line: Line = {
      kind: 'table',
      id: table.Name,
      table,
      ticked: isIn ? whole : 'none',
      position: index + 1,
      size: tables.length,
      isOpen,
    }
    return isOpen ? [line, ...columnLines(table, isIn, leftOut)] : [line]
  })
}

function columnLines(table: OfferedTable, isIn: boolean, leftOut: ReadonlySet<string>): ColumnLine[] {
  return table.Columns.map((column, index) => {
    const id = `${table.Name}.${column.Name}`
    const isKey = table.Key.includes(column.Name)
    return {
      kind: 'column',
      id,
      table,
      column,
      isKey,
      ticked: isIn && (isKey || !leftOut.has(id)) ? 'all' : 'none',
      position: index + 1,
      size: table.Columns.length,
    }
  })
}

/** Those that may be left out. */
function columnNames({ Name, Key, Columns }: OfferedTable): string[] {
  return Columns.filter((column) => !Key.includes(column.Name)).map((column) => `${Name}.${column.Name}`)
}

function bareName(full: string): string {
  return full.slice(full.indexOf('.') + 1).toLowerCase()
}
