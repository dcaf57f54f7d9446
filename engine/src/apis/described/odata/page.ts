/** A page of rows as OData services of all versions write it: as a list, or in `value`, `d` or `d.results`. */
import { Fault } from '../../../ports/faults.ts'
import type { ApiResponse } from '../../http/client.ts'
import type { ExactJson, JsonObject } from '../../http/exact-json.ts'
import { isObject, readMember } from '../../http/fields.ts'
import type { CallOptions, DescribedApi } from '../calls.ts'
import { hasCode } from './faults.ts'

export interface ODataPage {
  readonly rows: readonly JsonObject[]
  /** Path and query of the next page. */
  readonly next: string | null
  /** Path and query of the changes from now on. */
  readonly delta: string | null
  readonly count: number | null
  readonly reply: ApiResponse
}

/**
 * A service may return null instead of rows on the first call. Such a response is requested again, never taken as an empty page.
 * @param path with its query
 */
export async function readPage(api: DescribedApi, path: string, options: CallOptions = {}): Promise<ODataPage> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const reply = await api.get({ path, query: {} }, options)
    const rows = rowsIn(reply.json)
    if (rows !== null) return { rows: await completeRows(api, rows, options), reply, ...factsIn(reply.json) }
  }
  throw unreadableReply(api, 'The answer has no list of rows.')
}

const nestedLink = /^([^@]+)@(?:odata\.)?nextLink$/u

/** A list within a row can have further pages. */
async function completeRows(
  api: DescribedApi,
  rows: readonly JsonObject[],
  options: CallOptions,
): Promise<readonly JsonObject[]> {
  if (!rows.some((row) => Object.keys(row).some((member) => nestedLink.test(member)))) return rows
  const complete: JsonObject[] = []
  for (const row of rows) complete.push(...(await completeRow(api, row, options)))
  return complete
}

/** Empty if the row is gone by now. */
async function completeRow(api: DescribedApi, row: JsonObject, options: CallOptions): Promise<readonly JsonObject[]> {
  const lists: Record<string, readonly JsonObject[]> = {}
  for (const [member, link] of Object.entries(row)) {
    const [, name] = nestedLink.exec(member) ?? []
    if (name === undefined) continue
    const nested = [...(rowsIn(row[name] ?? null) ?? [])]
    const seen = new Set<string>()
    for (let next = pathOf(link ?? null); next !== null;) {
      if (seen.has(next)) throw unreadableReply(api, `A link of ${name} leads back to a page that was read already.`)
      seen.add(next)
      const page = await pageUnlessGone(api, next, options)
      if (page === null) return []
      nested.push(...page.rows)
      next = page.next
    }
    lists[name] = nested
  }
  return [{ ...row, ...lists }]
}

async function pageUnlessGone(api: DescribedApi, path: string, options: CallOptions): Promise<ODataPage | null> {
  try {
    return await readPage(api, path, options)
  } catch (error) {
    if (hasCode(error, api, ['not_found', 'gone'])) return null
    throw error
  }
}

/** Values stay as they are: an id or a filter of the caller must not lose a character. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const options = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return options.length === 0 ? path : `${path}?${options.join('&')}`
}

export function unreadableReply({ title, code }: Pick<DescribedApi, 'title' | 'code'>, detail: string): Fault {
  return new Fault('passing', {
    code: `${code}.unreadable_reply`,
    notice: `A reply of ${title} could not be read. Tributary tries again with the next run.`,
    cause: new Error(detail),
  })
}

function rowsIn(json: ExactJson): readonly JsonObject[] | null {
  const body = bodyOf(json)
  const list = isObject(body) ? (arrayIn(body, 'value') ?? arrayIn(body, 'results')) : body
  return Array.isArray(list) ? (list as readonly ExactJson[]).filter(isObject) : null
}

function arrayIn(body: JsonObject, member: string): ExactJson {
  const value = readMember(body, member)
  return Array.isArray(value) ? value : null
}

/** Version 2 wraps every reply in `d`. */
function bodyOf(json: ExactJson): ExactJson {
  const inner = isObject(json) ? json['d'] : undefined
  return inner === undefined ? json : inner
}

function factsIn(json: ExactJson): Pick<ODataPage, 'next' | 'delta' | 'count'> {
  const body = bodyOf(json)
  if (!isObject(body)) return { next: null, delta: null, count: null }
  const first = (...members: readonly string[]): ExactJson =>
    members.map((member) => readMember(body, member)).find((value) => value !== null && value !== '') ?? null
  const count = first('@odata.count', '@count', 'odata.count', '__count')
  return {
    next: pathOf(first('@odata.nextLink', '@nextLink', 'odata.nextLink', '__next')),
    delta: pathOf(first('@odata.deltaLink', '@deltaLink', '__delta')),
    count: count === null || !Number.isSafeInteger(Number(count)) ? null : Number(count),
  }
}

/**
 * Only path and query of a link, so that credentials go only to the configured host. A relative link is left to the client, which knows the
 * base address.
 */
function pathOf(link: ExactJson): string | null {
  if (typeof link !== 'string') return null
  const url = URL.parse(link)
  return url === null ? link : url.pathname + url.search
}
