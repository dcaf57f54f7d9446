/**
 * The objects of a semantic model: names that Power BI accepts, relationships that it accepts together, and measures.
 * Pure; the same input always gives the same model.
 */
import type { ReportColumn, ReportModel, ReportTable } from '../report-model.ts'
import { dateTableName } from './date-table.ts'
import { type ModelMeasure, measuresOf } from './measures.ts'
import { modelName, UniqueNames } from './names.ts'
import type { ModelColumn, NamedTable } from './named-table.ts'
import { type ModelRelationship, relate } from './relationships.ts'

export interface ModelTable extends NamedTable {
  readonly measures: readonly ModelMeasure[]
}

export interface SemanticModel {
  readonly tables: readonly ModelTable[]
  readonly relationships: readonly ModelRelationship[]
}

export function createSemanticModel(model: ReportModel): SemanticModel {
  const named = nameTables(model.tables)
  const relationships = relate(named)
  const measureNames = new UniqueNames()
  const tables = named.map((table) => {
    const activeDate = relationships.find(
      ({ from, to, isActive }) => isActive && from.table === table.name && to.table === dateTableName,
    )
    const columns = new UniqueNames(table.columns.map(({ name }) => name))
    return {
      ...table,
      measures: measuresOf(table, { hasDate: activeDate !== undefined, names: measureNames, columns }),
    }
  })
  return { tables, relationships }
}

/** A table keeps its name if no other has it; otherwise its schema follows in parentheses. */
function nameTables(tables: readonly ReportTable[]): readonly NamedTable[] {
  const counts = new Map<string, number>()
  const plainName = ({ name }: ReportTable) => modelName(name, 'table')
  for (const table of tables) {
    const key = plainName(table).toLowerCase()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const taken = new UniqueNames([dateTableName])
  return tables.map((source) => {
    const plain = plainName(source)
    const isUnique = counts.get(plain.toLowerCase()) === 1 && !taken.has(plain)
    const name = taken.take(isUnique ? plain : `${plain} (${modelName(source.schema, 'schema')})`)
    return { source, name, columns: nameColumns(source.columns) }
  })
}

function nameColumns(columns: readonly ReportColumn[]): readonly ModelColumn[] {
  const taken = new UniqueNames()
  return columns.map((source) => ({ source, name: taken.take(modelName(source.name, 'column')) }))
}
