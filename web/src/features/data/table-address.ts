/** What a table shows, in the address, so that a view can be shared: filters, order and the described column. */
import type { DataFilter } from '@tributary/contract/data'
import { type DataFilterOperator, dataFilterOperators } from '@tributary/contract/limits'

export interface TableView {
  readonly filters: readonly DataFilter[]
  /** Null: the order of the key. */
  readonly sort: string | null
  readonly isDescending: boolean
  /** The moment at which the rows are shown, in UTC. Null: now. */
  readonly asOf: string | null
}

export const defaultView: TableView = { filters: [], sort: null, isDescending: false, asOf: null }

/** What cannot be read is left out: the address may hold any text. */
export function parseView(params: URLSearchParams): TableView {
  return {
    filters: parseFilters(params.get('filters')),
    sort: params.get('sort'),
    isDescending: params.get('descending') === 'true',
    asOf: params.get('asOf'),
  }
}

function parseFilters(text: string | null): readonly DataFilter[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isFilter) : []
  } catch {
    return []
  }
}

function isFilter(value: unknown): value is DataFilter {
  if (typeof value !== 'object' || value === null) return false
  const { column, operator, values } = value as Readonly<Record<string, unknown>>
  const isKnown = dataFilterOperators.includes(operator as DataFilterOperator)
  return typeof column === 'string' && isKnown && (values === undefined || isTextList(values))
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** The parameters of the calls that read rows. */
export function toRowsQuery({ filters, sort, isDescending, asOf }: TableView) {
  return {
    ...(filters.length > 0 && { filters: JSON.stringify(filters) }),
    ...(sort !== null && { sort }),
    ...(isDescending && { descending: 'true' as const }),
    ...(asOf !== null && { asOf }),
  }
}

/** The query of an address. */
export function toAddress(view: TableView): string {
  return new URLSearchParams(toRowsQuery(view)).toString()
}
