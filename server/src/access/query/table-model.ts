/** Tables and views of a warehouse as queries see them. */
import type { LogicalType } from '@tributary/engine/ports/model'

/** `other`: a type that is only read, compared and sorted as text, such as an array. */
export type ValueKind = LogicalType['kind'] | 'other'

export interface ColumnModel {
  readonly name: string
  readonly kind: ValueKind
  /** The type as `format_type` spells it, such as `numeric(12,2)`. */
  readonly sqlType: string
  readonly nullable: boolean
  /** The comment in the database. */
  readonly description: string | null
}

/** A foreign key: the columns here, and those of the table that it refers to, in the same order. */
export interface TableRelation {
  readonly columns: readonly string[]
  readonly schema: string
  readonly table: string
  readonly referencedColumns: readonly string[]
}

export interface TableModel {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly columns: readonly ColumnModel[]
  /** The columns of the primary key, in its order. Empty: the table has no key. */
  readonly key: readonly string[]
  readonly description: string | null
  readonly relations: readonly TableRelation[]
  /** The rows as of a moment, which a function in the schema of the table returns. Absent: the rows of today. */
  readonly rowsAsOf?: { readonly function: string; readonly moment: string }
}

export type TableName = Pick<TableModel, 'schema' | 'name'>

/** Identifies a table of a warehouse in a map. */
export function keyOf({ schema, name }: TableName): string {
  return JSON.stringify([schema, name])
}
