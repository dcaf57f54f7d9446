/** Definitions of the tables that users load from Excel. Pure. */
import { sqlTableName } from '@tributary/contract/derived-names'
import type { Column, LogicalType } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'

const name: LogicalType = { kind: 'text', maxLength: 200 }
const email: LogicalType = { kind: 'text', maxLength: 320 }
const truth: LogicalType = { kind: 'boolean' }

/** System columns: who loaded a row, when, in which load, and its slice. */
const loadColumns: readonly Column[] = [
  nullableColumn('LoadedBy', email),
  nullableColumn('LoadedAtUtc', { kind: 'instant', digits: 3 }),
  nullableColumn('LoadId', { kind: 'guid' }),
  nullableColumn('SliceId', { kind: 'guid' }),
]

export interface PlannedTable {
  readonly stream: Stream
  readonly kind: 'version' | 'helperTable'
}

/** Loads add the columns of their sheets later. */
export function versionTable({ id, name: version }: { readonly id: string; readonly name: string }): PlannedTable {
  const columns = [
    nullableColumn('Entity', name),
    nullableColumn('Area', name),
    nullableColumn('Subarea', name),
    nullableColumn('Milestone', name),
    ...loadColumns,
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
  return { kind: 'helperTable', stream: streamOf(id, sqlTableName.helperTable(inputTableName), loadColumns) }
}

export const rightTables = {
  pairs: rightTable('tributary_pair_right', [
    nullableColumn('Email', email),
    nullableColumn('Area', name),
    nullableColumn('Subarea', name),
  ]),
  milestones: rightTable('tributary_milestone_right', [
    nullableColumn('Email', email),
    nullableColumn('TableName', name),
    nullableColumn('Version', name),
    nullableColumn('Milestone', name),
    nullableColumn('MayWrite', truth),
  ]),
  helperTables: rightTable('tributary_helper_table_right', [
    nullableColumn('Email', email),
    nullableColumn('TableName', name),
    nullableColumn('HelperTable', name),
    nullableColumn('MayWrite', truth),
  ]),
  entities: rightTable('tributary_entity_right', [nullableColumn('Email', email), nullableColumn('Entity', name)]),
} as const
export type RightTable = keyof typeof rightTables

/** Rows of version tables that each user may see, by email address; roles in Power BI filter by it. */
export const rowRightView = 'tributary_row_right'

export function rowRightsQuery({ table, quote }: { table(name: string): string; quote(name: string): string }): string {
  const [pair, milestone, entity] = [rightTables.pairs, rightTables.milestones, rightTables.entities].map((each) =>
    table(each.table.name),
  )
  const of = (alias: string, ...columns: readonly string[]) =>
    columns.map((each) => `${alias}.${quote(each)}`).join(', ')
  return `SELECT ${of('p', 'Email')}, ${of('m', 'TableName')}, ${of('e', 'Entity')}, ${of('p', 'Area', 'Subarea')}, ${of('m', 'Milestone', 'MayWrite')}
    FROM ${pair} p JOIN ${milestone} m ON m.${quote('Email')} = p.${quote('Email')} JOIN ${entity} e ON e.${quote('Email')} = p.${quote('Email')}`
}

function nullableColumn(called: string, type: LogicalType): Column {
  return { name: called, type, nullable: true }
}

function rightTable(table: string, columns: readonly Column[]): Stream {
  return streamOf(table, table, columns)
}

/** The stream is named by the record id, so that a table belongs to one version permanently. */
function streamOf(id: string, table: string, columns: readonly Column[]): Stream {
  return { name: id, table: { name: table, columns, key: [] }, children: [], reads: 'whole', hasDistinctKeys: true }
}
