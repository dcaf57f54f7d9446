/**
 * Relationships of a semantic model. Power BI relates single columns, refuses a second active way by which a filter
 * could reach a table, and lets a filter flow from the one side to the many side.
 */
import type { ReportColumnKind } from '../report-model.ts'
import { dateColumnName, dateTableName } from './date-table.ts'
import type { NamedTable } from './named-table.ts'

export interface ModelRelationship {
  readonly from: { readonly table: string; readonly column: string }
  /** The one side. */
  readonly to: { readonly table: string; readonly column: string }
  /** An inactive relationship is used only by measures that name it. */
  readonly isActive: boolean
}

type Candidate = Omit<ModelRelationship, 'isActive'>

/** Relations that the source declares come before dates: an invoice line gets its date from its invoice. */
export function relate(tables: readonly NamedTable[]): readonly ModelRelationship[] {
  const candidates = [...declaredRelations(tables), ...dateRelations(tables)]
  const ways = new FilterWays()
  const pairs = new Set<string>()
  return candidates.flatMap((candidate) => {
    const { from, to } = candidate
    const pair = JSON.stringify([from, to])
    if (from.table === to.table || pairs.has(pair)) return []
    pairs.add(pair)
    return [{ ...candidate, isActive: ways.add(to.table, from.table) }]
  })
}

function declaredRelations(tables: readonly NamedTable[]): readonly Candidate[] {
  return tables.flatMap((table) =>
    table.source.relations.flatMap(({ columns, toSchema, toTable, toColumns }): readonly Candidate[] => {
      const target = tables.find(({ source }) => source.schema === toSchema && source.name === toTable)
      const [column, toColumn] = [columns[0], toColumns[0]]
      if (target === undefined || column === undefined || toColumn === undefined) return []
      if (columns.length !== 1 || !isKey(target, toColumn)) return []
      const [from, to] = [findColumn(table, column), findColumn(target, toColumn)]
      if (from === undefined || to === undefined || modelType(from.source.kind) !== modelType(to.source.kind)) return []
      return [{ from: { table: table.name, column: from.name }, to: { table: target.name, column: to.name } }]
    }),
  )
}

/** The one side must be unique. */
function isKey({ source }: NamedTable, column: string): boolean {
  return source.key.length === 1 && source.key[0] === column
}

function findColumn({ columns }: NamedTable, name: string) {
  return columns.find(({ source }) => source.name === name)
}

/** Of several dates of a table the one called `as_of`, `date` or `month` comes first; the relationships of the others are inactive. */
function dateRelations(tables: readonly NamedTable[]): readonly Candidate[] {
  return tables.flatMap((table) => {
    const dates = table.columns.filter(({ source }) => source.kind === 'date')
    const rank = ({ name }: { readonly name: string }) => {
      const at = ['as_of', 'date', 'month', 'month_end'].indexOf(name.toLowerCase())
      return at === -1 ? Infinity : at
    }
    return dates
      .toSorted((one, other) => Math.sign(rank(one) - rank(other)) || 0)
      .map(({ name }) => ({
        from: { table: table.name, column: name },
        to: { table: dateTableName, column: dateColumnName },
      }))
  })
}

/** The ways by which filters reach tables. */
class FilterWays {
  readonly #reached = new Map<string, Set<string>>()

  /** Adds the way unless a filter would then reach a table in two ways, or itself. */
  add(one: string, many: string): boolean {
    const sources = [one, ...[...this.#reached].filter(([, reached]) => reached.has(one)).map(([source]) => source)]
    const targets = [many, ...(this.#reached.get(many) ?? [])]
    const isTaken = sources.some((source) =>
      targets.some((target) => source === target || this.#reached.get(source)?.has(target) === true),
    )
    if (isTaken) return false
    for (const source of sources) {
      const reached = this.#reached.get(source) ?? new Set()
      for (const target of targets) reached.add(target)
      this.#reached.set(source, reached)
    }
    return true
  }
}

/** The data type of a column: https://learn.microsoft.com/dotnet/api/microsoft.analysisservices.tabular.datatype */
export function modelType(kind: ReportColumnKind): string {
  return modelTypes[kind]
}

const modelTypes: Readonly<Record<ReportColumnKind, string>> = {
  text: 'string',
  whole: 'int64',
  money: 'decimal',
  number: 'double',
  boolean: 'boolean',
  date: 'dateTime',
  dateTime: 'dateTime',
  instant: 'dateTime',
  time: 'dateTime',
}
