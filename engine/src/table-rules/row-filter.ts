/** Decides which rows the conditions of a table keep. */
import type { Column, Table } from '../ports/model.ts'
import { operatorsOf, type RowCondition } from '../ports/table-rules.ts'
import { orderBy, valueForms, type ValueOrder } from './comparable-values.ts'

export interface RowFilter {
  /** Columns whose values decide, in order. */
  readonly columns: readonly Column[]
  /** @param values canonical texts of `columns`, in their order */
  keeps(values: readonly (string | null)[]): boolean
}

type Test = (value: string | null) => boolean

/** Returns the filter, or a sentence that says why the conditions cannot be applied to this table. */
export function createRowFilter(table: Table, conditions: readonly RowCondition[]): RowFilter | string {
  const columns: Column[] = []
  const tests: { readonly at: number; readonly test: Test }[] = []
  for (const condition of conditions) {
    const column = table.columns.find(({ name }) => name === condition.column)
    if (column === undefined)
      return `The filter of the table ${table.name} uses the column ${condition.column}, which the source does not have. Change the filter.`
    const test = createTest(column, condition)
    if (typeof test === 'string') return `The filter of the table ${table.name} cannot be applied: ${test}`
    if (!columns.includes(column)) columns.push(column)
    tests.push({ at: columns.indexOf(column), test })
  }
  return { columns, keeps: (values) => tests.every(({ at, test }) => test(values[at] ?? null)) }
}

function createTest({ name, type }: Column, { operator, values }: RowCondition): Test | string {
  if (!operatorsOf[type.kind].includes(operator)) return `${name} does not allow this comparison. Choose another one.`
  if (operator === 'isEmpty') return (value) => value === null || (type.kind === 'text' && value === '')
  if (operator === 'isNotEmpty') return (value) => value !== null && (type.kind !== 'text' || value !== '')
  if (values.length === 0) return `${name} needs a value to be compared with.`
  const [first = ''] = values
  if (operator === 'startsWith') return (value) => value?.startsWith(first) === true
  if (operator === 'contains') return (value) => value?.includes(first) === true
  const orders: ValueOrder[] = []
  for (const value of values) {
    const order = orderBy(type.kind, value)
    if (order === null) return `‘${value}’ is not ${valueForms[type.kind]}, which ${name} needs. Correct the value.`
    orders.push(order)
  }
  return compare(operator, orders)
}

/** A row without a value differs from every value, and is neither less nor greater. */
function compare(operator: RowCondition['operator'], orders: readonly ValueOrder[]): Test {
  const equalsOne: Test = (value) => value !== null && orders.some((order) => order(value) === 0)
  const [order = () => null] = orders
  const place = (value: string | null): number => (value === null ? Number.NaN : (order(value) ?? Number.NaN))
  switch (operator) {
    case 'isNot':
    case 'isNotOneOf':
      return (value) => !equalsOne(value)
    case 'isLess':
      return (value) => place(value) < 0
    case 'isAtMost':
      return (value) => place(value) <= 0
    case 'isGreater':
      return (value) => place(value) > 0
    case 'isAtLeast':
      return (value) => place(value) >= 0
    default:
      return equalsOne
  }
}
