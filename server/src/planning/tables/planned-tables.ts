/** Definitions of the tables that users load from Excel. Pure. */
import { sqlTableName } from '@tributary/contract/derived-names'
import type { LogicalType } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'

const name: LogicalType = { kind: 'text', maxLength: 200 }
const email: LogicalType = { kind: 'text', maxLength: 320 }
const truth: LogicalType = { kind: 'boolean' }

type ColumnTypes = Readonly<Record<string, LogicalType>>

/** System columns: who loaded a row, when, in which load, and its slice. */
const loadColumns: ColumnTypes = {
  LoadedBy: email,
  LoadedAtUtc: { kind: 'instant', digits: 3 },
  LoadId: { kind: 'guid' },
  SliceId: { kind: 'guid' },
}

export interface PlannedTable {
  readonly stream: Stream
  readonly kind: 'version' | 'helperTable'
}

/** Loads add the columns of their sheets later. */
export function versionTable({ id, name: version }: { readonly id: string; readonly name: string }): PlannedTable {
  const columns = { Entity: name, Area: name, Subarea: name, Milestone: name, ...loadColumns }
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
  pairs: rightTable('tributary_pair_right', { Email: email, Area: name, Subarea: name }),
  milestones: rightTable('tributary_milestone_right', {
    Email: email,
    TableName: name,
    Version: name,
    Milestone: name,
    MayWrite: truth,
  }),
  helperTables: rightTable('tributary_helper_table_right', {
    Email: email,
    TableName: name,
    HelperTable: name,
    MayWrite: truth,
  }),
  entities: rightTable('tributary_entity_right', { Email: email, Entity: name }),
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

function rightTable(table: string, types: ColumnTypes): Stream {
  return streamOf(table, table, types)
}

/** The stream is named by the record id, so that a table belongs to one version permanently. Its columns are nullable. */
function streamOf(id: string, table: string, types: ColumnTypes): Stream {
  const columns = Object.entries(types).map(([column, type]) => ({ name: column, type, nullable: true }))
  return { name: id, table: { name: table, columns, key: [] }, children: [], reads: 'whole', hasDistinctKeys: true }
}
