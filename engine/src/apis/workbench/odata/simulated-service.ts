/** An OData service that is made from a description: metadata, companies, pages of rows, lists within rows, and feeds of changes. */
import type { IncomingHttpHeaders } from 'node:http'
import { fillPlaceholders } from '../../described/description/placeholders.ts'
import { pathOf } from '../../described/odata/api.ts'
import type { SeededRandom } from '../simulator/seeded-random.ts'
import type { Reply, SimulatedService } from '../simulator/simulated-api.ts'
import type { SimulatedObject } from '../simulator/simulated-json.ts'
import type { SimulatedRecord } from '../simulator/simulated-records.ts'
import { feedOf, isFeedCall } from './simulated-feed.ts'
import { filterOf, ordered } from './simulated-filter.ts'
import { linesPage, rowOf } from './simulated-rows.ts'
import { type ODataServiceOptions, rowsMax, type SimulatedCompany } from './service-options.ts'
import { metadataOf } from './simulated-set.ts'

const linesPath = 'simulated-lines'
const skipToken = '$skiptoken'
const notFound: Reply = { status: 404, json: { error: { message: 'Not found.' } } }

export class SimulatedODataService implements SimulatedService {
  readonly basePath = '/simulated/'
  readonly random: SeededRandom
  readonly #options: ODataServiceOptions

  constructor(options: ODataServiceOptions) {
    this.#options = options
    this.random = options.random
  }

  trade(times: number): void {
    const { companies, deletes } = this.#options
    for (let index = 0; index < times; index += 1) this.random.pick(companies)?.records.trade(1, deletes)
  }

  to(url: URL, headers: IncomingHttpHeaders): Reply {
    const { description, name, companies } = this.#options
    const path = decodeURIComponent(url.pathname.slice(this.basePath.length))
    if (this.#isMetadata(path)) return { status: 200, json: null, xml: metadataOf(name, this.#options.simulated) }
    const inCompany = (set: string): SimulatedCompany | undefined =>
      companies.find(({ id }) => decodeURIComponent(pathOf(description, id === '' ? null : id, set)) === path)
    const found = inCompany(name)
    if (found !== undefined || path === name) return this.#set(found, url, String(headers['prefer'] ?? ''))
    if (path === description.companies?.set) return this.#listOfCompanies()
    const first = this.#firstSet()
    const ofFirst = first === null ? undefined : inCompany(first.set)
    if (first !== null && ofFirst !== undefined) return oldestRow(first.property, ofFirst)
    return this.#lines(path, url)
  }

  #isMetadata(path: string): boolean {
    const { description, companies } = this.#options
    const { metadata } = description.service
    return companies.some(({ id }) => fillPlaceholders(metadata, () => id) === path)
  }

  #firstSet(): { readonly set: string; readonly property: string } | null {
    const { changes } = this.#options.set
    return changes?.kind === 'months' ? changes.first : null
  }

  #listOfCompanies(): Reply {
    const { description, companies } = this.#options
    const { id = '', name = '' } = description.companies ?? {}
    return { status: 200, json: { value: companies.map((one) => ({ [id]: one.value, [name]: `Company ${one.id}` })) } }
  }

  /** @param company undefined: the set is that of the companies, and is read outside of them */
  #set(company: SimulatedCompany | undefined, url: URL, prefer: string): Reply {
    const { description, name, companies, set } = this.#options
    const isCompanies = description.companies?.set === name
    const of = isCompanies ? companies : company === undefined ? [] : [company]
    const write = (record: SimulatedRecord, at: number): SimulatedObject =>
      rowOf(this.#options, record, { url, linesAt: new URL(`${this.basePath}${linesPath}/${at}/${record.id}/`, url) })
    const at = company === undefined ? 0 : companies.indexOf(company)
    if (set.changes?.kind === 'feed' && company !== undefined && isFeedCall(url, prefer))
      return feedOf(this.#options, { url, records: company.records, row: (record) => write(record, at) })
    const keepsDeleted = set.deletes?.kind === 'status'
    const records = of.flatMap((one) =>
      [...one.records.records.values()]
        .filter(({ isDeleted }) => !isDeleted || keepsDeleted)
        .map((record) => ({ record, id: record.id, json: record.json, at: companies.indexOf(one) })),
    )
    try {
      return this.#page(url, records, ({ record, at: index }) => write(record, index))
    } catch (error) {
      return { status: 400, json: { error: { message: error instanceof Error ? error.message : '' } } }
    }
  }

  #page<Item extends { readonly id: number; readonly json: SimulatedObject }>(
    url: URL,
    items: readonly Item[],
    write: (item: Item) => SimulatedObject,
  ): Reply {
    const { description, simulated, set } = this.#options
    const ask = (parameter: string): string | null => url.searchParams.get(parameter)
    const test = filterOf(simulated.properties, ask('$filter'), set.filter)
    const found = ordered(
      simulated.properties,
      items.filter(({ json }) => test(json)),
      ask('$orderby'),
    )
    const after = ask(skipToken)
    const rest = after === null ? found.slice(Number(ask('$skip') ?? 0)) : found.filter(({ id }) => id > Number(after))
    const top = Number(ask('$top') ?? Infinity)
    // As services do, it gives smaller pages than asked for.
    const rows = rest.slice(0, Math.min(top, rowsMax))
    const hasLink = description.paging.kind === 'nextLink' && rows.length < Math.min(rest.length, top)
    const next = new URL(url)
    next.searchParams.set(skipToken, String(rows.at(-1)?.id ?? 0))
    const counts = ask('$count') === 'true' || ask('$inlinecount') !== null
    const json: SimulatedObject = {
      ...(counts && { '@odata.count': found.length }),
      value: rows.map(write),
      ...(hasLink && { '@odata.nextLink': next.href }),
    }
    return { status: 200, json }
  }

  /** The other pages of a list within a row. */
  #lines(path: string, url: URL): Reply {
    const [prefix, at = '', id = '', list = ''] = path.split('/')
    const record = this.#options.companies[Number(at)]?.records.records.get(Number(id))
    if (prefix !== linesPath || record === undefined || record.isDeleted) return notFound
    const address = new URL(url.pathname, url)
    return {
      status: 200,
      json: linesPage(this.#options, record, {
        list,
        address,
        skip: Number(url.searchParams.get('$skip')),
        name: 'value',
      }),
      isRecord: true,
    }
  }
}

/** The row by which the first month of a report is found. */
function oldestRow(property: string, { records }: SimulatedCompany): Reply {
  const days = records.present().map(({ datedAt }) => new Date(datedAt).toISOString().slice(0, 10))
  const [oldest] = days.toSorted()
  return { status: 200, json: { value: oldest === undefined ? [] : [{ [property]: oldest }] } }
}
