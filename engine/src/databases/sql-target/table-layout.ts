/** Which table and columns of a target hold a stream: what does not depend on the kind of target. Pure. */
import { createHash } from 'node:crypto'
import { Fault } from '../../ports/faults.ts'
import type { Column, LogicalType, Table } from '../../ports/model.ts'
import { fitName, fitNames, type NameMax, type NameRules } from './names.ts'
import type { ForeseenChange, RenamedColumn, SchemaChange, TargetFacts } from '../../ports/target.ts'

/** One table as it stands in the target. Names are unquoted. */
export interface PlacedTable<Placed extends PlacedColumn = PlacedColumn> {
  readonly table: Table
  readonly name: string
  /** In the order of `table.columns`. */
  readonly columns: readonly Placed[]
  readonly key: readonly string[]
  readonly parentKey: readonly string[]
}

export interface PlacedColumn {
  readonly name: string
  /** As the target spells it. */
  readonly type: string
  readonly isKey: boolean
}

export interface ValuedColumn extends PlacedColumn {
  /** Of the values that come, whatever the column is. */
  readonly values: LogicalType
}

/** Of the tables that were prepared, the one that holds the source's table of this name. */
export function placedTable<Placement extends PlacedTable>(
  prepared: Iterable<readonly Placement[]>,
  name: string,
): Placement {
  for (const placements of prepared) {
    const found = placements.find((placement) => placement.table.name === name)
    if (found !== undefined) return found
  }
  throw new Error(`The table ‘${name}’ must be prepared first.`)
}

/** The same table with the columns of its key alone, in the order of the key. */
export function keyOnly<Placement extends PlacedTable>(placement: Placement): Placement {
  const places = placement.key.map((name) => placement.columns.findIndex((column) => column.name === name))
  const columns = places.flatMap((at) => placement.columns[at] ?? [])
  return {
    ...placement,
    columns,
    table: { ...placement.table, columns: places.flatMap((at) => placement.table.columns[at] ?? []) },
  }
}

/** What a half-loaded refresh must have been made for, or it is of no use. */
export function shapeOf(placements: readonly PlacedTable[]): string {
  const shapes = placements.map(({ name, columns, key }) => ({ name, columns, key }))
  return createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 16)
}

/** What each column of a table is called in the target. */
export function columnNames(table: Table, max: NameMax, rules: Partial<NameRules> = {}): (column: string) => string {
  const names = fitNames(
    table.columns.map((column) => column.name),
    max,
    rules,
  )
  return (column) => names.get(column) ?? column
}

/** A column as it is found in the target. */
export interface FoundColumn {
  readonly name: string
  readonly type: string
}

/** How a column that is there meets the values that come, in the target's types. */
export type Meeting =
  | { readonly kind: 'keep'; readonly type: string }
  | { readonly kind: 'widen'; readonly type: string; readonly rewrites?: true }
  | { readonly kind: 'clash' }

/** Where the values of a column go, and what must be done to the table first. */
export interface Spot<Found extends FoundColumn> {
  /** As it is wanted. */
  readonly column: Column
  readonly name: string
  readonly type: string
  readonly step: Step<Found>
}

type Step<Found> =
  | { readonly kind: 'keep' }
  | { readonly kind: 'add' }
  /** `rewrites`: the rows that are there may then write their values otherwise than the source does. */
  | { readonly kind: 'widen'; readonly from: Found; readonly rewrites?: true; readonly retyped?: true }

export interface Planning<Found extends FoundColumn> {
  readonly facts: TargetFacts
  readonly table: Table
  /** What the table is called in the target. */
  readonly name: string
  /** The columns of the table in the same order, with types that the target can give them. */
  readonly wanted: readonly Column[]
  readonly nameOf: (column: string) => string
  readonly find: (name: string) => Found | undefined
  readonly meet: (found: Found, want: LogicalType) => Meeting
}

/** Decides for every column whether it is kept, added or widened: to text, where old and new values have no other type in common. */
export function planColumns<Found extends FoundColumn>(planning: Planning<Found>): readonly Spot<Found>[] {
  const { facts, wanted } = planning
  if (wanted.length > facts.columnsMax)
    throw new Fault('settings', {
      code: `${facts.kind}.too_many_columns`,
      notice: `The table ‘${planning.name}’ has ${wanted.length} columns, and a table of the target can have ${facts.columnsMax} at most. Leave columns out (‘Columns left out’), or take the table off the list.`,
    })
  return planning.wanted.map((column) => planColumn(planning, column))
}

function planColumn<Found extends FoundColumn>(planning: Planning<Found>, column: Column): Spot<Found> {
  const { facts, table, find } = planning
  const name = planning.nameOf(column.name)
  const want = facts.columnType(column.type)
  const found = find(name)
  if (found === undefined) return { column, name, type: want, step: { kind: 'add' } }
  const meeting = planning.meet(found, column.type)
  if (meeting.kind === 'keep') return { column, name, type: meeting.type, step: { kind: 'keep' } }
  if (meeting.kind === 'widen') {
    const rewrites = meeting.rewrites === true ? { rewrites: true as const } : {}
    return { column, name, type: meeting.type, step: { kind: 'widen', from: found, ...rewrites } }
  }
  if (table.key.includes(column.name))
    throw new Fault('settings', {
      code: `${facts.kind}.unfit`,
      notice: `The key column ‘${name}’ of the table ‘${planning.name}’ was ${found.type} and is now ${want} in the source. Rename or drop that table in the target; the next run fills it anew.`,
    })
  const text = facts.columnType({ kind: 'text' })
  // An earlier version put such values into a column of their own, which goes on.
  const beside = fitName(`${name}__text`, facts.identifierMax)
  if (find(beside) !== undefined) return { column, name: beside, type: text, step: { kind: 'keep' } }
  return { column, name, type: text, step: { kind: 'widen', from: found, rewrites: true, retyped: true } }
}

/** How a target spells the changes of a table. */
export interface ChangeSyntax<Found> {
  add(name: string, type: string): string
  widen(from: Found, type: string): string
}

export function actionsFor<Found extends FoundColumn>(
  spots: readonly Spot<Found>[],
  syntax: ChangeSyntax<Found>,
): readonly string[] {
  return spots.flatMap(({ name, type, step }) => {
    if (step.kind === 'keep') return []
    return step.kind === 'add' ? [syntax.add(name, type)] : [syntax.widen(step.from, type)]
  })
}

/** A table of a stream as it is, or would be. */
export interface PlannedTable<Placement extends PlacedTable, Found extends FoundColumn> {
  readonly placement: Placement
  readonly spots: readonly Spot<Found>[]
  /** Empty where there is no such table yet. */
  readonly actual: readonly Found[]
  /** Whether the name is this table's already. */
  readonly isClaimed: boolean
}

/** The changes of a table as they are told: of one that is new, that it is. */
export function changesOf(planned: PlannedTable<PlacedTable, FoundColumn>): readonly SchemaChange[] {
  const told = foreseenOf(planned).map(({ table, column, before, after }) => ({ table, column, before, after }))
  return planned.actual.length === 0 ? told.slice(0, 1) : told
}

/** The changes of a table before they are made: of one that is new, that it is, and then each of its columns. */
export function foreseenOf({
  placement,
  spots,
  actual,
}: PlannedTable<PlacedTable, FoundColumn>): readonly ForeseenChange[] {
  const { name, table } = placement
  const isNew = { table: name, column: null, before: null, after: 'new table', of: { table: table.name, column: null } }
  const columns = spots.flatMap((spot) =>
    changeOf(name, spot).map((change) => ({
      ...change,
      of: { table: table.name, column: spot.column.name },
      ...(isRetyped(spot) && { isRetyped: true as const }),
    })),
  )
  return actual.length === 0 ? [isNew, ...columns] : columns
}

function changeOf(table: string, { name, type, step }: Spot<FoundColumn>): readonly SchemaChange[] {
  if (step.kind === 'keep') return []
  if (step.kind === 'add') return [{ table, column: name, before: null, after: type }]
  return [{ table, column: step.from.name, before: step.from.type, after: type }]
}

/** Rows that are there lack the values of a new column, or write those of a retyped one in another way: the stream is read from its beginning. */
export function lacksValues({ spots }: PlannedTable<PlacedTable, FoundColumn>): boolean {
  return spots.some(({ step }) => step.kind === 'add' || (step.kind === 'widen' && step.rewrites === true))
}

function isRetyped({ step }: Spot<FoundColumn>): boolean {
  return step.kind === 'widen' && step.retyped === true
}

/** The columns that are called otherwise than in the source. */
export function renamedIn(placements: readonly PlacedTable[]): readonly RenamedColumn[] {
  return placements.flatMap(({ table, name, columns }) =>
    columns.flatMap((placed, at) => {
      const column = table.columns[at]?.name ?? placed.name
      return placed.name === column ? [] : [{ table: name, column, name: placed.name }]
    }),
  )
}
