/** What a caller asks of a list: which records, in which order, which page. */
import { Refusal } from './answer.ts'
import type { Endpoint, FilterName, Listed } from './listed.ts'
import { filterOf } from './where-filter.ts'
import type { Facts, Value } from './where-filter.ts'

/** Parameters by their name in lower case. */
export type Query = Readonly<Record<string, string>>

export interface Asked {
  readonly query: Query
  /** What If-Modified-Since says. */
  readonly since: string | undefined
}

/** More documents than this behind a query are refused. */
export interface HighVolume {
  readonly documentsMax: number
}

export function recordsFor(
  endpoint: Endpoint,
  records: readonly Listed[],
  { query, since }: Asked,
  { documentsMax }: HighVolume,
): readonly Listed[] {
  const isWhole = endpoint.breaksOnOrder === true && query['order'] !== undefined
  const changed = isWhole ? records : changedSince(endpoint, records, since)
  const wanted = changed.filter(allOf(testsOf(endpoint, query)))
  if (endpoint.isSmall !== true && wanted.length > documentsMax)
    throw new Refusal(
      'The query would return too much data. Narrow it by date, type or status.',
      51,
      'HighVolumeException',
    )
  return isWhole ? wanted : ordered(wanted, endpoint, query['order'])
}

const secondForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/

/** To the second: a record that changed within the second named counts as not changed since. */
function changedSince(
  { tellsChanges }: Endpoint,
  records: readonly Listed[],
  since: string | undefined,
): readonly Listed[] {
  if (since === undefined || !tellsChanges) return records
  const at = secondForm.test(since) ? Date.parse(`${since}Z`) : Number.NaN
  if (Number.isNaN(at)) throw new Refusal(`If-Modified-Since '${since}' is not a valid date`)
  return records.filter(({ updatedAt }) => updatedAt !== null && Math.floor(updatedAt / 1_000) * 1_000 > at)
}

type Test = (record: Listed) => boolean

const allOf =
  (tests: readonly Test[]): Test =>
  (record) =>
    tests.every((test) => test(record))

function testsOf(endpoint: Endpoint, query: Query): Test[] {
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

/** A status is named by its list or in the filter. */
function statusesNamed({ statuses = '', where = '' }: Query): readonly string[] {
  return [...statuses.split(','), ...where.matchAll(/status\s*==?\s*"(\w+)"/gi).map(([, name = '']) => name)]
}

const listOf = (query: Query, name: string): readonly string[] | null =>
  query[name]?.split(',').map((item) => item.trim().toLowerCase()) ?? null

const among =
  (name: string, value: (record: Listed) => Value | undefined) =>
  (query: Query): Test | null => {
    const wanted = listOf(query, name)
    return wanted === null ? null : (record) => wanted.includes(String(value(record)).toLowerCase())
  }

const makers: Readonly<Record<FilterName, (query: Query, endpoint: Endpoint) => Test | null>> = {
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

function dayOf(text: string | undefined, missing: number): number {
  if (text === undefined) return missing
  const at = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(at)) throw new Refusal(`'${text}' is not a valid date`)
  return at
}

function factsOf({ id, status, date, updatedAt, facts }: Listed, { idKey }: Endpoint): Facts {
  return { [idKey.toLowerCase()]: id, status, date, updateddateutc: updatedAt, ...facts }
}

function ordered(records: readonly Listed[], endpoint: Endpoint, order: string | undefined): readonly Listed[] {
  if (order === undefined || order.trim() === '') return records
  const [name = '', direction = 'ASC'] = order.trim().split(/\s+/)
  const sign = direction.toUpperCase() === 'DESC' ? -1 : 1
  const keyed = records.map((record) => ({ record, key: factsOf(record, endpoint)[name.toLowerCase()] }))
  if (keyed.some(({ key }) => key === undefined))
    throw new Refusal(`No property or field '${name}' exists in type`, 16, 'QueryParseException')
  return keyed
    .toSorted((left, right) => sign * compared(left.key ?? null, right.key ?? null))
    .map(({ record }) => record)
}

function compared(left: Value, right: Value): number {
  if (left === right) return 0
  if (left === null || right === null) return left === null ? -1 : 1
  return left < right ? -1 : 1
}

export interface Page {
  readonly records: readonly Listed[]
  /** Without a page, a list leaves the lines out. */
  readonly isPaged: boolean
  readonly pagination: {
    readonly page: number
    readonly pageSize: number
    readonly pageCount: number
    readonly itemCount: number
  } | null
}

export function pageOf({ paging, breaksOnOrder }: Endpoint, records: readonly Listed[], query: Query): Page {
  const isWhole = paging === 'whole' || (breaksOnOrder === true && query['order'] !== undefined)
  if (paging === 'offset') return { records: afterNumber(records, query), isPaged: true, pagination: null }
  if (isWhole) return { records, isPaged: paging === 'whole' || query['page'] !== undefined, pagination: null }
  if (query['page'] === undefined)
    return {
      records: paging === 'hundred' ? records.slice(0, 100) : records,
      isPaged: paging === 'hundred',
      pagination: null,
    }
  const page = numberOf(query, 'page', { missing: 1, most: Infinity })
  const pageSize = paging === 'hundred' ? 100 : numberOf(query, 'pagesize', { missing: 100, most: 1_000 })
  const shown = records.slice((page - 1) * pageSize, page * pageSize)
  const pagination = { page, pageSize, pageCount: Math.ceil(records.length / pageSize), itemCount: records.length }
  return { records: shown, isPaged: true, pagination: paging === 'sized' ? pagination : null }
}

/** A hundred of those with a higher number. */
function afterNumber(records: readonly Listed[], query: Query): readonly Listed[] {
  const offset = numberOf(query, 'offset', { missing: 0, most: Infinity, least: 0 })
  return records.filter(({ facts }) => Number(facts?.['journalnumber']) > offset).slice(0, 100)
}

function numberOf(
  query: Query,
  name: string,
  { missing, most, least = 1 }: { missing: number; most: number; least?: number },
): number {
  const text = query[name]
  const value = text === undefined ? missing : Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Refusal(`The parameter ${name} must be between ${least} and ${most}`)
  return value
}
