/** The tables that people load from Excel, as the engine makes them. Pure. */
import { sqlTableName } from '@tributary/contract/derived-names'
import type { Column, LogicalType } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'

const name: LogicalType = { kind: 'text', maxLength: 200 }
const email: LogicalType = { kind: 'text', maxLength: 320 }
const truth: LogicalType = { kind: 'boolean' }

/** Who loaded a row, when, in which load, and to which slice it belongs. */
const loaded: readonly Column[] = [
  column('LoadedBy', email),
  column('LoadedAtUtc', { kind: 'instant', digits: 3 }),
  column('LoadId', { kind: 'guid' }),
  column('SliceId', { kind: 'guid' }),
]

export interface PlannedTable {
  readonly stream: Stream
  readonly kind: 'version' | 'helperTable'
}

/** The sheet's own columns are added by the first load that has them. */
export function versionTable({ id, name: version }: { readonly id: string; readonly name: string }): PlannedTable {
  const columns = [
    column('Entity', name),
    column('Area', name),
    column('Subarea', name),
    column('Milestone', name),
    ...loaded,
  ]
  return { kind: 'version', stream: streamOf(id, sqlTableName.version(version), columns) }
}

export function helperTable({
  id,
  inputTableName,
}: {
  readonly id: string
  readonly inputTableName: string
}): PlannedTable {
  return { kind: 'helperTable', stream: streamOf(id, sqlTableName.helperTable(inputTableName), loaded) }
}

export const rightTables = {
  pairs: rights('tributary_pair_right', [column('Email', email), column('Area', name), column('Subarea', name)]),
  milestones: rights('tributary_milestone_right', [
    column('Email', email),
    column('TableName', name),
    column('Version', name),
    column('Milestone', name),
    column('MayWrite', truth),
  ]),
  helperTables: rights('tributary_helper_table_right', [
    column('Email', email),
    column('TableName', name),
    column('HelperTable', name),
    column('MayWrite', truth),
  ]),
  entities: rights('tributary_entity_right', [column('Email', email), column('Entity', name)]),
} as const
export type RightTable = keyof typeof rightTables

/** Every row of a version's table that somebody may see, by address: what a role of Power BI filters by. */
export const rowRightView = 'tributary_row_right'

export function rowRights({ table, quote }: { table(name: string): string; quote(name: string): string }): string {
  const [pair, milestone, entity] = [rightTables.pairs, rightTables.milestones, rightTables.entities].map((each) =>
    table(each.table.name),
  )
  const of = (alias: string, ...columns: readonly string[]) =>
    columns.map((each) => `${alias}.${quote(each)}`).join(', ')
  return `SELECT ${of('p', 'Email')}, ${of('m', 'TableName')}, ${of('e', 'Entity')}, ${of('p', 'Area', 'Subarea')}, ${of('m', 'Milestone', 'MayWrite')}
    FROM ${pair} p JOIN ${milestone} m ON m.${quote('Email')} = p.${quote('Email')} JOIN ${entity} e ON e.${quote('Email')} = p.${quote('Email')}`
}

function column(called: string, type: LogicalType): Column {
  return { name: called, type, nullable: true }
}

function rights(table: string, columns: readonly Column[]): Stream {
  return streamOf(table, table, columns)
}

/** Known by its record, so that a table belongs to one version for good. */
function streamOf(id: string, table: string, columns: readonly Column[]): Stream {
  return { name: id, table: { name: table, columns, key: [] }, children: [], reads: 'whole', hasDistinctKeys: true }
}
