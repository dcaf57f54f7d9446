/** Which table and columns of a target hold a stream: everything that does not depend on the kind of target. Pure. */
import { createHash } from 'node:crypto'
import { Fault } from '../../ports/faults.ts'
import type { Column, LogicalType, Table } from '../../ports/model.ts'
import { fitName, fitNames, type NameMax, type NameRules } from './names.ts'
import type { PlannedSchemaChange, RenamedColumn, TargetSchemaChange, TargetFacts } from '../../ports/target.ts'

/** Where a table is, unquoted. The schema is empty where the database has none. */
export interface TableAddress {
  readonly schema: string
  readonly name: string
}

/** A table of a stream as it is in the target. Names are unquoted. */
export interface TargetTable extends TableAddress {
  readonly table: Table
  /** In the order of `table.columns`. */
  readonly columns: readonly TargetColumn[]
  readonly key: readonly string[]
  readonly parentKey: readonly string[]
}

export interface TargetColumn {
  readonly name: string
  /** As the target spells it. */
  readonly type: string
  /** Type of the values that arrive, whatever the type of the column is. */
  readonly values: LogicalType
  readonly isKey: boolean
}

export interface RenamedTable {
  readonly name: string
  readonly newName: string
  /** The stream that has claimed the name. */
  readonly stream: string
  /** Names in the source. */
  readonly from: string
  readonly to: string
}

/** The tables of one stream, the main table first. */
export type StreamTables = readonly [TargetTable, ...TargetTable[]]

/** Finds a prepared table by its name in the source. */
export function findPreparedTable(prepared: Iterable<readonly TargetTable[]>, name: string): TargetTable {
  for (const tables of prepared) {
    const found = tables.find(({ table }) => table.name === name)
    if (found !== undefined) return found
  }
  throw new Error(`The table ‘${name}’ must be prepared first.`)
}

/** The columns of a table, or of a child of it, that hold the key of the main table. */
export function mainKeyOf({ table, key, parentKey }: TargetTable): readonly string[] {
  return table.parentKey === undefined ? key : parentKey
}

/** The same table with its key columns only, in the order of the key. */
export function keyColumnsOnly(target: TargetTable): TargetTable {
  const indexes = target.key.map((name) => target.columns.findIndex((column) => column.name === name))
  return {
    ...target,
    columns: indexes.flatMap((at) => target.columns[at] ?? []),
    table: { ...target.table, columns: indexes.flatMap((at) => target.table.columns[at] ?? []) },
  }
}

/**
 * Hash of the tables that a half-loaded refresh was made for: with any other it cannot continue. Property names and their order are part
 * of hashes that are stored in targets, so they must not change.
 */
export function shapeOf(tables: readonly TargetTable[], hashesValues: boolean): string {
  const shapes = tables.map(({ name, columns, key }) => ({
    name,
    columns: columns.map((column) => {
      const { name: columnName, type, values, isKey } = column
      return hashesValues ? { name: columnName, type, values, isKey } : { name: columnName, type, isKey }
    }),
    key,
  }))
  return createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 16)
}

/** Maps each column of a table to its name in the target. */
export function columnNames(table: Table, max: NameMax, rules: Partial<NameRules> = {}): (column: string) => string {
  const names = fitNames(
    table.columns.map((column) => column.name),
    max,
    rules,
  )
  return (column) => names.get(column) ?? column
}

/** A column that is in the target already. */
export interface ExistingColumn {
  readonly name: string
  readonly type: string
  readonly isKey: boolean
}

/** Whether an existing column holds the values that arrive, in the target's types. */
export type ColumnFit =
  | { readonly kind: 'keep'; readonly type: string }
  | { readonly kind: 'widen'; readonly type: string; readonly rewrites?: true }
  | { readonly kind: 'clash' }

/** Where the values of a column go, and how the table must change first. */
export interface ColumnPlan<Existing extends ExistingColumn> {
  readonly column: Column
  readonly name: string
  readonly type: string
  readonly change: ColumnChange<Existing>
}

type ColumnChange<Existing> =
  | { readonly kind: 'keep' }
  | { readonly kind: 'add' }
  /** `rewrites`: existing rows may then spell their values differently than the source does. */
  | { readonly kind: 'widen'; readonly from: Existing; readonly rewrites?: true; readonly retyped?: true }

export interface PlanningContext<Existing extends ExistingColumn> {
  readonly facts: TargetFacts
  readonly table: Table
  /** Name of the table in the target. */
  readonly name: string
  /** The columns of the table in the same order, with types that the target can give them. */
  readonly wanted: readonly Column[]
  readonly nameOf: (column: string) => string
  readonly find: (name: string) => Existing | undefined
  readonly fit: (existing: Existing, want: LogicalType) => ColumnFit
}

/** Decides for each column whether to keep, add or widen it: to text where old and new values have no other type in common. */
export function planColumns<Existing extends ExistingColumn>(
  context: PlanningContext<Existing>,
): readonly ColumnPlan<Existing>[] {
  const { facts, wanted } = context
  if (wanted.length > facts.columnsMax)
    throw new Fault('settings', {
      code: `${facts.kind}.too_many_columns`,
      notice: `The table ‘${context.name}’ has ${wanted.length} columns, and a table of the target can have ${facts.columnsMax} at most. Leave columns out (‘Columns left out’), or take the table off the list.`,
    })
  return context.wanted.map((column) => planColumn(context, column))
}

function planColumn<Existing extends ExistingColumn>(
  context: PlanningContext<Existing>,
  column: Column,
): ColumnPlan<Existing> {
  const { facts, table, find } = context
  const name = context.nameOf(column.name)
  const want = facts.columnType(column.type)
  const existing = find(name)
  if (existing === undefined) return { column, name, type: want, change: { kind: 'add' } }
  const fit = context.fit(existing, column.type)
  if (fit.kind === 'keep') return { column, name, type: fit.type, change: { kind: 'keep' } }
  if (fit.kind === 'widen') {
    const rewrites = fit.rewrites === true ? { rewrites: true as const } : {}
    return { column, name, type: fit.type, change: { kind: 'widen', from: existing, ...rewrites } }
  }
  if (table.key.includes(column.name))
    throw new Fault('settings', {
      code: `${facts.kind}.unfit`,
      notice: `The key column ‘${name}’ of the table ‘${context.name}’ was ${existing.type} and is now ${want} in the source. Rename or drop that table in the target; the next run fills it again.`,
    })
  const text = facts.columnType({ kind: 'text' })
  // An earlier version put such values into an additional column; where it exists, it stays in use.
  const additional = fitName(`${name}__text`, facts.identifierMax)
  if (find(additional) !== undefined) return { column, name: additional, type: text, change: { kind: 'keep' } }
  return { column, name, type: text, change: { kind: 'widen', from: existing, rewrites: true, retyped: true } }
}

/** How a database spells the changes of a table. */
export interface AlterSyntax<Existing> {
  add(name: string, type: string): string
  widen(from: Existing, type: string): string
}

export function alterActions<Existing extends ExistingColumn>(
  columns: readonly ColumnPlan<Existing>[],
  syntax: AlterSyntax<Existing>,
): readonly string[] {
  return columns.flatMap(({ name, type, change }) => {
    if (change.kind === 'keep') return []
    return change.kind === 'add' ? [syntax.add(name, type)] : [syntax.widen(change.from, type)]
  })
}

/** A table of a stream as it is, or would be, and its changes. */
export interface TargetTablePlan<Existing extends ExistingColumn> {
  readonly target: TargetTable
  readonly columns: readonly ColumnPlan<Existing>[]
  /** Empty where the table does not exist yet. */
  readonly existing: readonly Existing[]
  /** Whether the name belongs to this table already. */
  readonly isClaimed: boolean
}

/** Key columns in any order: true where the existing key consists of the same columns as the wanted one. */
export function hasSameKeyColumns(existing: readonly ExistingColumn[], key: readonly string[]): boolean {
  const keyNames = existing.filter((column) => column.isKey).map((column) => column.name)
  return keyNames.toSorted().join('\t') === key.toSorted().join('\t')
}

type AnyPlan = TargetTablePlan<ExistingColumn>

/** The changes of a table as they are reported. A new table is one change. */
export function listChanges(plan: AnyPlan): readonly TargetSchemaChange[] {
  const changes = listPlannedChanges(plan).map(({ table, column, before, after }) => ({ table, column, before, after }))
  return plan.existing.length === 0 ? changes.slice(0, 1) : changes
}

/** The changes of a table before they are made. A new table is one change, followed by its columns. */
export function listPlannedChanges({ target, columns, existing }: AnyPlan): readonly PlannedSchemaChange[] {
  const { name, table } = target
  const isNew = {
    table: name,
    column: null,
    before: null,
    after: 'new table',
    sourceName: { table: table.name, column: null },
  }
  const changes = columns.flatMap((plan) =>
    changeOf(name, plan).map((change) => ({
      ...change,
      sourceName: { table: table.name, column: plan.column.name },
      ...(isRetyped(plan) && { isRetyped: true as const }),
    })),
  )
  return existing.length === 0 ? [isNew, ...changes] : changes
}

function changeOf(table: string, { name, type, change }: ColumnPlan<ExistingColumn>): readonly TargetSchemaChange[] {
  if (change.kind === 'keep') return []
  if (change.kind === 'add') return [{ table, column: name, before: null, after: type }]
  return [{ table, column: change.from.name, before: change.from.type, after: type }]
}

/** Existing rows lack the values of a new column, or spell those of a retyped one differently: the stream is read from its beginning. */
export function needsBackfill({ columns }: AnyPlan): boolean {
  return columns.some(({ change }) => change.kind === 'add' || (change.kind === 'widen' && change.rewrites === true))
}

function isRetyped({ change }: ColumnPlan<ExistingColumn>): boolean {
  return change.kind === 'widen' && change.retyped === true
}

/** The columns whose name differs from that in the source. */
export function listRenamedColumns(tables: readonly TargetTable[]): readonly RenamedColumn[] {
  return tables.flatMap(({ table, name, columns }) =>
    columns.flatMap((target, at) => {
      const column = table.columns[at]?.name ?? target.name
      return target.name === column ? [] : [{ table: name, column, name: target.name }]
    }),
  )
}
