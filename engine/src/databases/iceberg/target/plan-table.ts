/** What a table of a stream is in the lake, or would be, and what must change first. */
import type { Table } from '../../../ports/model.ts'
import { type ExistingColumn, planColumns, type TargetTablePlan } from '../../sql-target/table-layout.ts'
import { fitType } from '../../sql-target/type-widening.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { IcebergField, IcebergSchema } from '../catalog/metadata.ts'
import { columnType, isPromotion, logicalType } from '../format/column-types.ts'
import { schemaOf } from '../table/snapshot-writer.ts'
import { columnNames, facts } from './facts.ts'

export type LakeTablePlan = TargetTablePlan<ExistingColumn>

export interface TableToPlan {
  readonly table: Table
  readonly name: string
  readonly isClaimed: boolean
  /** Null if it does not exist yet. */
  readonly loaded: LoadedTable | null
}

export function planTable({ table, name, isClaimed, loaded }: TableToPlan): LakeTablePlan {
  const existing = loaded === null ? [] : schemaOf(loaded.metadata).fields.map(toColumn)
  const names = columnNames(table.columns)
  const nameOf = (column: string): string => names.get(column) ?? column
  const columns = planColumns({
    facts,
    table,
    name,
    wanted: table.columns,
    nameOf,
    find: (column) => existing.find((each) => each.name.toLowerCase() === column.toLowerCase()),
    fit: (have, want) => {
      const stored = logicalType(have.type)
      if (stored === null) return { kind: 'clash' }
      const fit = fitType(stored, want)
      if (fit.kind === 'clash') return fit
      if (fit.kind === 'keep') return { kind: 'keep', type: have.type }
      const type = columnType(fit.to)
      if (type === have.type) return { kind: 'keep', type }
      return { kind: 'widen', type, ...(fit.rewrites === true && { rewrites: true as const }) }
    },
  })
  return {
    target: {
      table,
      schema: '',
      name,
      columns: columns.map((plan) => ({
        name: existing.find((each) => each.name.toLowerCase() === plan.name.toLowerCase())?.name ?? plan.name,
        type: plan.type,
        values: plan.column.type,
        isKey: table.key.includes(plan.column.name),
      })),
      key: table.key.map(nameOf),
      parentKey: (table.parentKey ?? []).map(nameOf),
    },
    columns,
    existing,
    isClaimed,
  }
}

function toColumn({ name, type, required }: IcebergField): ExistingColumn {
  return { name, type: typeof type === 'string' ? type : type.type, isKey: required }
}

/** The schema of a new table. Iceberg does not allow doubles to identify rows. */
export function newSchema({ target }: LakeTablePlan): IcebergSchema {
  const fields = target.columns.map(({ name, type, isKey }, at): IcebergField => ({
    id: at + 1,
    name,
    required: isKey,
    type,
  }))
  const key = fields.filter(({ required }) => required)
  const identifies = key.length > 0 && key.every(({ type }) => type !== 'double')
  return {
    type: 'struct',
    'schema-id': 0,
    ...(identifies && { 'identifier-field-ids': key.map(({ id }) => id) }),
    fields,
  }
}

export interface SchemaEvolution {
  readonly schema: IcebergSchema
  /** Existing rows do not have the column's values in its new type: they are written again. */
  readonly rewrites: boolean
}

/**
 * The schema with the columns that were added or widened; null without a change. A type that Iceberg cannot promote is a new field of the
 * same name, into which the values of the former one are converted.
 */
export function evolveSchema({ metadata }: LoadedTable, { columns }: LakeTablePlan): SchemaEvolution | null {
  const before = schemaOf(metadata)
  let fields: readonly IcebergField[] = before.fields
  let nextId = metadata['last-column-id'] + 1
  let rewrites = false
  for (const { name, type, change } of columns) {
    if (change.kind === 'add') fields = [...fields, { id: nextId++, name, required: false, type }]
    if (change.kind !== 'widen') continue
    const isPromoted = isPromotion(change.from.type, type)
    rewrites ||= !isPromoted
    fields = fields.map((field) =>
      field.name === change.from.name ? { ...field, type, ...(!isPromoted && { id: nextId++ }) } : field,
    )
  }
  if (fields === before.fields) return null
  const ids = new Set(fields.map(({ id }) => id))
  const key = before['identifier-field-ids']?.filter((id) => ids.has(id)) ?? []
  const schemaId = 1 + Math.max(...metadata.schemas.map((schema) => schema['schema-id']))
  const { 'identifier-field-ids': _, ...rest } = before
  const schema = { ...rest, fields, ...(key.length > 0 && { 'identifier-field-ids': key }) }
  return { schema: { ...schema, 'schema-id': schemaId }, rewrites }
}
