/** Turns the options of a request into a query on the table of an entity set. */
import { type Expression, ExpressionError } from '../../../access/query/expression.ts'
import type { ColumnModel } from '../../../access/query/table-model.ts'
import { compileQuery, type QueryStep, columnsOf, type TableQuery } from '../../../access/query/table-query.ts'
import { badRequest, ODataError, withTarget } from '../odata-error.ts'
import type { QueryOptions } from '../parse/address.ts'
import { parseApply, type Transformation } from '../parse/apply.ts'
import { parseBoolean, parseFilter, parseOrderBy, parseRowCount, parseSelect } from '../parse/options.ts'
import { parseSearch } from '../parse/search.ts'
import type { EntitySet, FeedProperty } from '../../../access/feed/feed-model.ts'

export interface FeedQuery {
  readonly query: TableQuery
  /** The properties of the rows, in their order. */
  readonly properties: readonly FeedProperty[]
  /** The property that identifies a row, if it is among the properties of the reply; see `EntitySet`. */
  readonly rowProperty: string | null
  /** Whether the rows are those of the set and not groups, and whether they have all its properties. */
  readonly shape: 'entities' | 'selected' | 'groups'
  readonly top: number | undefined
  readonly counts: boolean
}

/** `$skip` reads all rows that it skips; following the next links does not. */
const skipMax = 10_000

/** Throws `ODataError` with the option and the position for anything that does not fit the set. */
export function buildQuery(set: EntitySet, options: QueryOptions): FeedQuery {
  const scope = new NameScope(set.properties)
  const steps = option(options, 'apply', (text) => applySteps(set, scope, parseApply(text))) ?? []
  const search = option(options, 'search', parseSearch)
  const filter = option(options, 'filter', (text) => {
    const condition = scope.bind(parseFilter(text))
    check({ table: set.table, steps, filter: condition })
    return condition
  })
  const orderBy = option(options, 'orderby', (text) => {
    const terms = parseOrderBy(text).map((item) => ({ ...item, expression: scope.bind(item.expression) }))
    check({ table: set.table, steps, orderBy: terms })
    return terms
  })
  const isGrouped = steps.some(({ type }) => type === 'group')
  const rowProperty = isGrouped ? null : set.rowProperty
  const selected = option(options, 'select', (text) => selectProperties(scope, rowProperty, parseSelect(text)))
  const properties = selected?.properties ?? scope.list(columnsOf({ table: set.table, steps }))
  const conditions = [search, filter].filter((condition) => condition !== undefined)
  return {
    query: {
      table: set.table,
      steps,
      filter: conditions.length < 2 ? conditions[0] : { type: 'and', operands: conditions },
      select: properties.map(({ column }) => column.name),
      orderBy: orderBy ?? [],
      offset: option(options, 'skip', parseSkip),
    },
    properties,
    rowProperty: selected === undefined || selected.hasRow ? rowProperty : null,
    shape: isGrouped ? 'groups' : selected === undefined ? 'entities' : 'selected',
    top: option(options, 'top', parseRowCount),
    counts: option(options, 'count', parseBoolean) ?? false,
  }
}

/** The names of properties and results, and the columns that they stand for. */
class NameScope {
  #properties: readonly FeedProperty[]

  constructor(properties: readonly FeedProperty[]) {
    this.#properties = properties
  }

  find(name: string, at: number | undefined): FeedProperty {
    const found = this.#properties.find((property) => property.name === name)
    if (found === undefined)
      throw badRequest(`There is no property “${name}” here.${this.#suggestion(name)}`, {
        position: at === undefined ? undefined : at + 1,
      })
    return found
  }

  #suggestion(name: string): string {
    const similar = this.#properties.find((property) => property.name.toLowerCase() === name.toLowerCase())
    return similar === undefined ? '' : ` Did you mean “${similar.name}”?`
  }

  replace(properties: readonly FeedProperty[]): void {
    this.#properties = properties
  }

  list(columns: readonly ColumnModel[]): FeedProperty[] {
    return columns.map((column) => ({
      name: this.#properties.find((property) => property.column.name === column.name)?.name ?? column.name,
      column,
    }))
  }

  /** Replaces the names of properties by those of columns. */
  bind(expression: Expression): Expression {
    switch (expression.type) {
      case 'column':
        return { ...expression, name: this.find(expression.name, expression.at).column.name }
      case 'compare':
      case 'arithmetic':
        return { ...expression, left: this.bind(expression.left), right: this.bind(expression.right) }
      case 'and':
      case 'or':
      case 'call':
        return { ...expression, operands: expression.operands.map((operand) => this.bind(operand)) }
      case 'not':
      case 'negate':
        return { ...expression, operand: this.bind(expression.operand) }
      case 'in':
        return {
          ...expression,
          operand: this.bind(expression.operand),
          values: expression.values.map((value) => this.bind(value)),
        }
      default:
        return expression
    }
  }
}

/** Afterwards the scope has the names of the result. */
function applySteps(set: EntitySet, scope: NameScope, transformations: readonly Transformation[]): QueryStep[] {
  const { table } = set
  const steps: QueryStep[] = []
  for (const transformation of transformations) {
    if (transformation.type === 'filter') {
      steps.push({ type: 'filter', condition: scope.bind(transformation.condition) })
      check({ table, steps })
      continue
    }
    const by = transformation.by.map(({ name, at }) => scope.find(name, at))
    const aggregates = transformation.aggregates.map((aggregate) =>
      aggregate.expression === undefined ? aggregate : { ...aggregate, expression: scope.bind(aggregate.expression) },
    )
    const declared = aggregates.find(({ name }) => set.properties.some((property) => property.name === name))
    if (declared !== undefined)
      throw badRequest(`“${declared.name}” is a property of the set. Give the result another name.`, {
        position: declared.at + 1,
      })
    const names = [...by, ...aggregates].map(({ name }) => name)
    const twice = aggregates.findLast(({ name }) => names.indexOf(name) !== names.lastIndexOf(name))
    if (twice !== undefined)
      throw badRequest(`“${twice.name}” is there twice. Give each result another name.`, { position: twice.at + 1 })
    steps.push({ type: 'group', by: by.map(({ column }) => column.name), aggregates })
    check({ table, steps })
    scope.replace(by)
    scope.replace(scope.list(columnsOf({ table, steps })))
  }
  return steps
}

function selectProperties(
  scope: NameScope,
  rowProperty: string | null,
  selected: ReturnType<typeof parseSelect>,
): { readonly properties: readonly FeedProperty[]; readonly hasRow: boolean } | undefined {
  if (selected === 'all') return undefined
  const names = selected.filter(({ name }) => name !== rowProperty)
  const properties = names.map(({ name, at }) => scope.find(name, at))
  return { properties: [...new Set(properties)], hasRow: names.length < selected.length }
}

function parseSkip(text: string): number {
  const rows = parseRowCount(text)
  if (rows > skipMax)
    throw new ODataError(
      400,
      'skipTooFar',
      `At most ${skipMax} rows can be skipped, because the rows before are read each time. Filter by the key instead, or follow @odata.nextLink.`,
    )
  return rows
}

function option<T>(
  options: QueryOptions,
  name: Exclude<keyof QueryOptions, 'asOf'>,
  read: (text: string) => T,
): T | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  try {
    return read(text)
  } catch (error) {
    throw withTarget(error, `$${name}`)
  }
}

function check(query: TableQuery): void {
  try {
    compileQuery(query)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw badRequest(error.message, { position: error.at === undefined ? undefined : error.at + 1, cause: error })
  }
}
