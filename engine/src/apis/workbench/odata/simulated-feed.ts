/** The feed of changes of a simulated OData service: a list whose last page has a link to what changes from then on. */
import type { Reply } from '../simulator/simulated-api.ts'
import type { SimulatedObject } from '../simulator/simulated-json.ts'
import type { SimulatedRecord, SimulatedRecords } from '../simulator/simulated-records.ts'
import { type ODataServiceOptions, rowsMax } from './service-options.ts'

const delta = '$deltatoken'
/** The number of changes when the list began. */
const begun = 'simulated_begun'
const position = '$skiptoken'

export function isFeedCall(url: URL, prefer: string): boolean {
  return prefer.includes('odata.track-changes') || [delta, begun].some((name) => url.searchParams.has(name))
}

export interface FeedCall {
  readonly url: URL
  readonly records: SimulatedRecords
  row(record: SimulatedRecord): SimulatedObject
}

export function feedOf(options: ODataServiceOptions, call: FeedCall): Reply {
  const since = call.url.searchParams.get(delta)
  return { status: 200, json: since === null ? listPage(call) : changesPage(options, call, Number(since)) }
}

function listPage({ url, records, row }: FeedCall): SimulatedObject {
  const after = Number(url.searchParams.get(position) ?? 0)
  const began = url.searchParams.get(begun) ?? String(records.change)
  const rest = records.present().filter(({ id }) => id > after)
  const page = rest.slice(0, rowsMax)
  const isLast = page.length === rest.length
  const link = new URL(url)
  link.searchParams.delete(position)
  link.searchParams.delete(begun)
  if (isLast) link.searchParams.set(delta, began)
  else {
    link.searchParams.set(begun, began)
    link.searchParams.set(position, String(page.at(-1)?.id ?? 0))
  }
  return { value: page.map(row), [isLast ? '@odata.deltaLink' : '@odata.nextLink']: link.href }
}

/** Deleted rows have only their key, and some changed rows only the properties that changed. */
function changesPage(
  { simulated }: ODataServiceOptions,
  { url, records, row }: FeedCall,
  since: number,
): SimulatedObject {
  const changed = [...records.records.values()]
    .filter(({ change }) => change > since)
    .toSorted((one, other) => one.change - other.change)
  const page = changed.slice(0, rowsMax)
  const isLast = page.length === changed.length
  const link = new URL(url)
  link.searchParams.set(delta, String(page.at(-1)?.change ?? since))
  const value = page.map((record): SimulatedObject => {
    const all = row(record)
    const key = Object.fromEntries(simulated.key.map((name) => [name, all[name] ?? null]))
    if (record.isDeleted) return { '@removed': { reason: 'deleted' }, ...key }
    return record.id % 3 === 0 ? { ...key, SimulatedText: all['SimulatedText'] ?? null } : all
  })
  return { value, [isLast ? '@odata.deltaLink' : '@odata.nextLink']: link.href }
}
