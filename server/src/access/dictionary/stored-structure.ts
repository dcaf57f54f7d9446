/** The structure of a stream's tables as a run has seen it, stored with the stream. */
import type { LogicalType } from '@tributary/engine/ports/model'
import type { PreparedTable } from '@tributary/engine/ports/target'

/** The names of these properties are stored, so they must not change. */
export interface StoredTable {
  /** As the source, and references to it, name it. */
  readonly sourceName: string
  readonly schema: string
  readonly name: string
  readonly description: string | null
  readonly columns: readonly StoredColumn[]
  readonly references: readonly StoredReference[]
  /** Of a child: the columns that hold the key of the main table, in its order. Names in the target. */
  readonly parentKey?: readonly string[]
}

interface StoredColumn {
  readonly sourceName: string
  readonly sourceField: string
  readonly name: string
  /** As the target spells it. */
  readonly type: string
  readonly isKey: boolean
  readonly isNullable: boolean
  readonly description: string | null
  /** Of the values as they arrive. Absent in structures of earlier releases. */
  readonly kind?: LogicalType['kind']
}

/** Names of the source. */
interface StoredReference {
  readonly columns: readonly string[]
  readonly table: string
  readonly to: readonly string[]
  readonly isParent: boolean
}

export function toStoredStructure(tables: readonly PreparedTable[]): readonly StoredTable[] {
  return tables.map(({ table, schema, name, columns }) => ({
    sourceName: table.name,
    schema,
    name,
    description: table.description ?? null,
    columns: table.columns.map((column, at) => ({
      sourceName: column.name,
      sourceField: column.sourceField ?? column.name,
      name: columns[at]?.name ?? column.name,
      type: columns[at]?.type ?? column.type.kind,
      isKey: table.key.includes(column.name),
      isNullable: column.nullable,
      description: column.description ?? null,
      kind: column.type.kind,
    })),
    references: (table.references ?? []).map(({ columns: from, table: target, to, isParent }) => ({
      columns: from,
      table: target,
      to,
      isParent: isParent === true,
    })),
    ...(table.parentKey !== undefined && {
      parentKey: table.parentKey.map(
        (key) => columns[table.columns.findIndex(({ name: own }) => own === key)]?.name ?? key,
      ),
    }),
  }))
}
