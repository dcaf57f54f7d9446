/** Selection of a database's tables and columns: as the form holds it, and as a tree displays it. Pure. */
import type { OfferedTable } from '@tributary/contract/streams'

export interface TableSelection {
  /** All tables are moved, including future ones; `tables` is ignored. */
  readonly isEvery: boolean
  readonly tables: readonly string[]
  /** Columns that are not moved, as `schema.table.column`. */
  readonly leftOut: readonly string[]
}

/** `some`: a part of its columns. */
export type SelectionState = 'all' | 'some' | 'none'

interface TreeLinePosition {
  readonly id: string
  readonly table: OfferedTable
  readonly selection: SelectionState
  /** Position among its siblings, from 1. */
  readonly position: number
  readonly size: number
}
interface TableTreeLine extends TreeLinePosition {
  readonly kind: 'table'
  readonly isOpen: boolean
}
interface ColumnTreeLine extends TreeLinePosition {
  readonly kind: 'column'
  readonly column: OfferedTable['Columns'][number]
  /** A key column is always moved, because without it a row cannot be identified. */
  readonly isKey: boolean
}
export type TreeLine = TableTreeLine | ColumnTreeLine

export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/**
 * Replaces names without a schema, as people type them, by full names. Names that the source does not offer are kept.
 */
export function withFullNames(choice: TableSelection, offered: readonly OfferedTable[]): TableSelection {
  const aliases = offered.flatMap(({ Name }) =>
    [...new Set([Name.toLowerCase(), nameWithoutSchema(Name)])].map((alias) => ({ alias, Name })),
  )
  const byAlias = Map.groupBy(aliases, ({ alias }) => alias)
  const full = choice.tables.flatMap((name) => byAlias.get(name.toLowerCase())?.map(({ Name }) => Name) ?? [name])
  return { ...choice, tables: [...new Set(full)] }
}

/** Selected tables that the source no longer offers, or not to this user. */
export function missingTables({ isEvery, tables }: TableSelection, offered: readonly OfferedTable[]): string[] {
  const known = new Set(offered.map(({ Name }) => Name))
  return isEvery ? [] : tables.filter((name) => !known.has(name))
}

/**
 * The selection after a click on a line: a table is selected unless all of it is. Deselecting one of all tables
 * selects the rest.
 */
export function toggleLine(choice: TableSelection, line: TreeLine, offered: readonly OfferedTable[]): TableSelection {
  if (line.kind === 'table') return selectTables(choice, [line.table], line.selection !== 'all', offered)
  if (line.isKey) return choice
  const others = choice.leftOut.filter((name) => name !== line.id)
  if (line.selection === 'all') return { ...choice, leftOut: [...others, line.id] }
  const isMoved = choice.isEvery || choice.tables.includes(line.table.Name)
  if (isMoved) return { ...choice, leftOut: others }
  // A column of an unselected table: selects the table with only this column and its key.
  const rest = optionalColumnNames(line.table).filter((name) => name !== line.id && !choice.leftOut.includes(name))
  return { ...choice, tables: [...choice.tables, line.table.Name], leftOut: [...others, ...rest] }
}

export function selectTables(
  choice: TableSelection,
  changed: readonly OfferedTable[],
  isTicked: boolean,
  offered: readonly OfferedTable[],
): TableSelection {
  const names = new Set(changed.map(({ Name }) => Name))
  const leftOut = isTicked ? withoutColumns(changed, choice.leftOut) : choice.leftOut
  if (choice.isEvery && isTicked) return { ...choice, leftOut }
  const before = choice.isEvery ? offered.map(({ Name }) => Name) : choice.tables
  const others = before.filter((name) => !names.has(name))
  return { isEvery: false, tables: isTicked ? [...others, ...names] : others, leftOut }
}

function withoutColumns(tables: readonly OfferedTable[], leftOut: readonly string[]): readonly string[] {
  if (leftOut.length === 0) return leftOut
  const columns = new Set(tables.flatMap(optionalColumnNames))
  return leftOut.filter((name) => !columns.has(name))
}

/** Tables whose name, or a column's name, contains the term. */
export function matchingTables(offered: readonly OfferedTable[], term: string): readonly OfferedTable[] {
  const searched = term.trim().toLowerCase()
  if (searched === '') return offered
  return offered.filter(
    ({ Name, Columns }) =>
      Name.toLowerCase().includes(searched) || Columns.some((column) => column.Name.toLowerCase().includes(searched)),
  )
}

/** Visible lines of the tree. `open`: names of the expanded tables. */
export function treeLines(
  tables: readonly OfferedTable[],
  choice: TableSelection,
  open: ReadonlySet<string>,
): TreeLine[] {
  const leftOut = new Set(choice.leftOut)
  const chosen = new Set(choice.tables)
  return tables.flatMap((table, index): TreeLine[] => {
    const isMoved = choice.isEvery || chosen.has(table.Name)
    const whole =
      choice.leftOut.length > 0 && optionalColumnNames(table).some((name) => leftOut.has(name)) ? 'some' : 'all'
    const isOpen = open.has(table.Name)
    const line: TreeLine = {
      kind: 'table',
      id: table.Name,
      table,
      selection: isMoved ? whole : 'none',
      position: index + 1,
      size: tables.length,
      isOpen,
    }
    return isOpen ? [line, ...columnTreeLines(table, isMoved, leftOut)] : [line]
  })
}

function columnTreeLines(table: OfferedTable, isMoved: boolean, leftOut: ReadonlySet<string>): ColumnTreeLine[] {
  return table.Columns.map((column, index) => {
    const id = `${table.Name}.${column.Name}`
    const isKey = table.Key.includes(column.Name)
    return {
      kind: 'column',
      id,
      table,
      column,
      isKey,
      selection: isMoved && (isKey || !leftOut.has(id)) ? 'all' : 'none',
      position: index + 1,
      size: table.Columns.length,
    }
  })
}

/** Columns that can be left out, which excludes the key. */
function optionalColumnNames({ Name, Key, Columns }: OfferedTable): string[] {
  return Columns.filter((column) => !Key.includes(column.Name)).map((column) => `${Name}.${column.Name}`)
}

function nameWithoutSchema(full: string): string {
  return full.slice(full.indexOf('.') + 1).toLowerCase()
}
