/** Applies the parameters of a list request: filters, order and page. */
import { RequestError } from './responses.ts'
import type { SimulatedEndpoint, XeroFilterName, XeroRecord } from './records.ts'
import { filterOf } from './where-filter.ts'
import type { RecordFacts, FilterValue } from './where-filter.ts'

/** Parameters by name in lower case. */
export type XeroQueryParameters = Readonly<Record<string, string>>

export interface RecordsRequest {
  readonly query: XeroQueryParameters
  /** The If-Modified-Since header. */
  readonly since: string | undefined
}

/** The limit on the number of documents that a query may search. */
export interface DocumentsLimit {
  readonly documentsMax: number
}

export function recordsFor(
  endpoint: SimulatedEndpoint,
  records: readonly XeroRecord[],
  { query, since }: RecordsRequest,
  { documentsMax }: DocumentsLimit,
): readonly XeroRecord[] {
  const isWhole = endpoint.breaksOnOrder === true && query['order'] !== undefined
  const changed = isWhole ? records : changedSince(endpoint, records, since)
  const wanted = changed.filter(allOf(testsOf(endpoint, query)))
  if (endpoint.isSmall !== true && wanted.length > documentsMax)
    throw new RequestError(
      'The query would return too much data. Narrow it by date, type or status.',
      51,
      'HighVolumeException',
    )
  return isWhole ? wanted : ordered(wanted, endpoint, query['order'])
}

const secondForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/

/** Compares whole seconds: a record that changed within the given second counts as unchanged. */
function changedSince(
  { tellsChanges }: SimulatedEndpoint,
  records: readonly XeroRecord[],
  since: string | undefined,
): readonly XeroRecord[] {
  if (since === undefined || !tellsChanges) return records
  const at = secondForm.test(since) ? Date.parse(`${since}Z`) : Number.NaN
  if (Number.isNaN(at)) throw new RequestError(`If-Modified-Since '${since}' is not a valid date`)
  return records.filter(({ updatedAt }) => updatedAt !== null && Math.floor(updatedAt / 1_000) * 1_000 > at)
}

type RecordFilter = (record: XeroRecord) => boolean

const allOf =
  (tests: readonly RecordFilter[]): RecordFilter =>
  (record) =>
    tests.every((test) => test(record))

function testsOf(endpoint: SimulatedEndpoint, query: XeroQueryParameters): RecordFilter[] {
  const { filters = [], hides } = endpoint
  const tests = filters.flatMap((name) => {
    const test = makers[name](query, endpoint)
    return test === null ? [] : [test]
  })
  const names = statusesNamed(query)
  if (hides === undefined || query['ids'] !== undefined) return tests
  const isShown =
    hides.unless === 'statuses' ? (status: string) => names.includes(status) : () => query[hides.unless] === 'true'
  return [...tests, ({ status }) => !hides.statuses.includes(status) || isShown(status)]
}

/** The statuses that the `statuses` parameter or the filter names. */
function statusesNamed({ statuses = '', where = '' }: XeroQueryParameters): readonly string[] {
  return [...statuses.split(','), ...where.matchAll(/status\s*==?\s*"(\w+)"/gi).map(([, name = '']) => name)]
}

const listOf = (query: XeroQueryParameters, name: string): readonly string[] | null =>
  query[name]?.split(',').map((item) => item.trim().toLowerCase()) ?? null

const among =
  (name: string, value: (record: XeroRecord) => FilterValue | undefined) =>
  (query: XeroQueryParameters): RecordFilter | null => {
    const wanted = listOf(query, name)
    return wanted === null ? null : (record) => wanted.includes(String(value(record)).toLowerCase())
  }

const makers: Readonly<
  Record<XeroFilterName, (query: XeroQueryParameters, endpoint: SimulatedEndpoint) => RecordFilter | null>
> = {
  ids: among('ids', ({ id }) => id),
  statuses: among('statuses', ({ status }) => status),
  status: among('status', ({ status }) => status),
  invoicenumbers: among('invoicenumbers', ({ facts }) => facts?.['invoicenumber']),
  contactids: among('contactids', ({ facts }) => facts?.['contact.contactid']),
  contactid: among('contactid', ({ facts }) => facts?.['contact.contactid']),
  sourcetransactionid: among('sourcetransactionid', ({ facts }) => facts?.['sourcetransactionid']),
  searchterm: ({ searchterm }) =>
    searchterm === undefined
      ? null
      : ({ facts }) => String(facts?.['name']).toLowerCase().includes(searchterm.toLowerCase()),
  summaryonly: () => null,
  dates: ({ datefrom, dateto }) => {
    const [from, to] = [dayOf(datefrom, -Infinity), dayOf(dateto, Infinity)]
    return from === -Infinity && to === Infinity ? null : ({ date }) => date !== null && date >= from && date <= to
  },
  where: ({ where }, endpoint) => {
    if (where === undefined || where.trim() === '') return null
    const filter = filterOf(where)
    return (record) => filter(factsOf(record, endpoint))
  },
}

function dayOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const at = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(at)) throw new RequestError(`'${text}' is not a valid date`)
  return at
}

function factsOf({ id, status, date, updatedAt, facts }: XeroRecord, { idKey }: SimulatedEndpoint): RecordFacts {
  return { [idKey.toLowerCase()]: id, status, date, updateddateutc: updatedAt, ...facts }
}

function ordered(
  records: readonly XeroRecord[],
  endpoint: SimulatedEndpoint,
  order: string | undefined,
): readonly XeroRecord[] {
  if (order === undefined || order.trim() === '') return records
  const [name = '', direction = 'ASC'] = order.trim().split(/\s+/)
  const sign = direction.toUpperCase() === 'DESC' ? -1 : 1
  const keyed = records.map((record) => ({ record, key: factsOf(record, endpoint)[name.toLowerCase()] }))
  if (keyed.some(({ key }) => key === undefined))
    throw new RequestError(`No property or field '${name}' exists in type`, 16, 'QueryParseException')
  return keyed
    .toSorted((left, right) => sign * compared(left.key ?? null, right.key ?? null))
    .map(({ record }) => record)
}

function compared(left: FilterValue, right: FilterValue): number {
  if (left === right) return 0
  if (left === null || right === null) return left === null ? -1 : 1
  return left < right ? -1 : 1
}

export interface RecordPage {
  readonly records: readonly XeroRecord[]
  /** Without a page, a list omits the lines. */
  readonly isPaged: boolean
  readonly pagination: {
    readonly page: number
    readonly pageSize: number
    readonly pageCount: number
    readonly itemCount: number
  } | null
}

export function pageOf(
  { paging, breaksOnOrder }: SimulatedEndpoint,
  records: readonly XeroRecord[],
  query: XeroQueryParameters,
): RecordPage {
  const isWhole = paging === 'whole' || (breaksOnOrder === true && query['order'] !== undefined)
  if (paging === 'offset') return { records: afterNumber(records, query), isPaged: true, pagination: null }
  if (isWhole) return { records, isPaged: paging === 'whole' || query['page'] !== undefined, pagination: null }
  if (query['page'] === undefined)
    return {
      records: paging === 'hundred' ? records.slice(0, 100) : records,
      isPaged: paging === 'hundred',
      pagination: null,
    }
  const page = numberOf(query, 'page', { fallback: 1, maximum: Infinity })
  const pageSize = paging === 'hundred' ? 100 : numberOf(query, 'pagesize', { fallback: 100, maximum: 1_000 })
  const shown = records.slice((page - 1) * pageSize, page * pageSize)
  const pagination = { page, pageSize, pageCount: Math.ceil(records.length / pageSize), itemCount: records.length }
  return { records: shown, isPaged: true, pagination: paging === 'sized' ? pagination : null }
}

/** The next hundred records by number. */
function afterNumber(records: readonly XeroRecord[], query: XeroQueryParameters): readonly XeroRecord[] {
  const offset = numberOf(query, 'offset', { fallback: 0, maximum: Infinity, least: 0 })
  return records.filter(({ facts }) => Number(facts?.['journalnumber']) > offset).slice(0, 100)
}

function numberOf(
  query: XeroQueryParameters,
  name: string,
  { fallback, maximum, least = 1 }: { fallback: number; maximum: number; least?: number },
): number {
  const text = query[name]
  const value = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(value) || value < least || value > maximum)
    throw new RequestError(`The parameter ${name} must be between ${least} and ${maximum}`)
  return value
}
