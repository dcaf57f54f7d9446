/** Calls of an OData service: paths of companies and sets, pages, metadata, and what errors of OData mean. */
import type { JsonObject } from '../../http/exact-json.ts'
import type { RetryMode } from '../../http/client.ts'
import type { Call, CallOptions, DescribedApi, Query } from '../calls.ts'
import type { ODataDescription, ODataPaging } from '../description/schema-odata.ts'
import { fillPlaceholders } from '../description/placeholders.ts'
import type { Paging } from '../description/schema-paging.ts'
import { walkPages } from '../paging.ts'
import { pointerTo } from '../pointer.ts'
import type { EdmProperty } from './metadata/edmx.ts'
import { literalOf } from './metadata/literals.ts'
import { type ODataPage, readPage, withQuery } from './page.ts'

/** Rows of an entity set. */
export interface EntityQuery {
  /** Null: the set is not below a company. */
  readonly company: string | null
  readonly set: string
  readonly query?: Query
  readonly patience?: RetryMode
}

/** A list that is read page by page. */
export interface EntityList extends EntityQuery {
  /** The properties of the key, for pages by key or count. */
  readonly key: readonly EdmProperty[]
}

export interface EntityPage {
  readonly rows: readonly JsonObject[]
  /** The list has changed, and is read from its beginning: rows that were returned are returned again. */
  readonly isRestart: boolean
}

export interface ODataApi {
  readonly described: DescribedApi
  readonly description: ODataDescription
  pages(list: EntityList): AsyncGenerator<EntityPage>
  /** The first page alone. */
  firstPage(query: EntityQuery): Promise<readonly JsonObject[]>
  /** The XML metadata of the service, or those of a company. */
  metadata(company: string | null, patience?: RetryMode): Promise<string>
}

export function openODataApi(description: ODataDescription, described: DescribedApi): ODataApi {
  return {
    described,
    description,
    async *pages({ company, set, query = {}, patience = 'patient', key }) {
      const api = pagedApi({ described, description, key, options: { patience } })
      const call = { path: pathOf(description, company, set), query: { ...orderOf(description.paging, key), ...query } }
      const list = { api, stream: set, records: '/value', keyOf: (record: JsonObject) => JSON.stringify(record) }
      for await (const { records, isRestart } of walkPages({
        list,
        call,
        paging: pagingOf(description, key),
        from: null,
      }))
        yield { rows: records, isRestart }
    },
    async firstPage({ company, set, query = {}, patience = 'patient' }) {
      return (await readPage(described, withQuery(pathOf(description, company, set), query), { patience })).rows
    },
    metadata(company, patience) {
      const { metadata } = description.service
      return described.getXml(company === null ? metadata : inCompany(metadata, company), patience)
    },
  }
}

export function pathOf({ companies }: ODataDescription, company: string | null, set: string): string {
  return companies === undefined || company === null ? set : `${inCompany(companies.path, company)}/${set}`
}

function inCompany(path: string, company: string): string {
  return fillPlaceholders(path, (name) => (name === 'company' ? encodeURIComponent(company) : undefined))
}

export interface PagedList {
  readonly described: DescribedApi
  readonly description: ODataDescription
  readonly key: readonly EdmProperty[]
  readonly options: CallOptions
  /** Changes the rows of each page before anything else sees them. */
  readonly prepare?: (page: ODataPage) => Promise<readonly JsonObject[]>
}

/** Parts of a condition, which are combined. */
const filterParts = ['$filter', '$filter.since', '$filter.after']

/** The API with pages in one form for all versions of OData: `value`, `next`, `delta` and `count`. */
export function pagedApi({ described, description, key, options, prepare }: PagedList): DescribedApi {
  return {
    ...described,
    async get(call) {
      const page = await readPage(described, pathWithQuery(description, key, call), options)
      const rows = prepare === undefined ? page.rows : await prepare(page)
      const { next, delta, count, reply } = page
      return { ...reply, json: { value: rows, next, delta, count } }
    },
  }
}

function pathWithQuery(
  { service, paging }: ODataDescription,
  key: readonly EdmProperty[],
  { path, query }: Call,
): string {
  const [only] = key
  const condition = (name: string): string[] => {
    const value = query[name]
    if (value === undefined || value === '') return []
    if (name !== '$filter.after' || only === undefined) return [value]
    return [`${only.name} gt ${literalOf(only, value, service.literals)}`]
  }
  const conditions = filterParts.flatMap(condition)
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !filterParts.includes(name)))
  const counts = 'count' in paging && paging.count && !path.includes('?')
  return withQuery(path, {
    ...(conditions.length > 0 && { $filter: allOf(conditions) }),
    ...rest,
    ...(counts && (service.literals === 'v3' ? { $inlinecount: 'allpages' } : { $count: 'true' })),
  })
}

/** A condition that all of these are fulfilled. */
export function allOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? '') : conditions.map((each) => `(${each})`).join(' and ')
}

/** Pages by key and by count need an order that rows keep. */
export function orderOf({ kind }: ODataPaging, key: readonly EdmProperty[]): Query {
  return kind === 'nextLink' || key.length === 0 ? {} : { $orderby: key.map(({ name }) => `${name} asc`).join(',') }
}

export function pagingOf({ paging }: ODataDescription, key: readonly EdmProperty[]): Paging {
  switch (paging.kind) {
    case 'nextLink':
      return { kind: 'nextLink', at: '/next', ...(paging.count && { total: '/count' }) }
    case 'offset':
      return {
        kind: 'offset',
        parameter: '$skip',
        size: { parameter: '$top', rows: paging.rows },
        ...(paging.count && { total: '/count' }),
      }
    case 'keyset':
      return {
        kind: 'keyset',
        parameter: '$filter.after',
        at: pointerTo(key[0]?.name ?? ''),
        size: { parameter: '$top', rows: paging.rows },
      }
  }
}
