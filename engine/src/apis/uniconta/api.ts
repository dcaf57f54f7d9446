/** How Uniconta wants to be called, and what its answers mean. */
import { Fault } from '../../ports/faults.ts'
import { openApi } from '../http/client.ts'
import type { ApiClient, Patience } from '../http/client.ts'
import type { Json, JsonObject } from '../http/exact-json.ts'
import { isObject, member } from '../http/fields.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { countCall } from './call-count.ts'
import type { UnicontaSettings } from './settings.ts'

export interface Question {
  /** Null: the login's own, which is enough to list the companies. */
  readonly company: string | null
  readonly set: string
  readonly query?: Readonly<Record<string, string>>
  readonly patience?: Patience
}

export interface UnicontaApi extends Disposable {
  /** The rows, page by page, as the links from page to page lead. */
  pages(question: Question): AsyncGenerator<readonly JsonObject[]>
  /** The document that describes a company's entity sets, in XML. */
  metadata(company: string, patience?: Patience): Promise<string>
  /** What is to be said about the number of calls today, once. */
  warning(): string | null
}

/** Uniconta counts by the day, not by the minute; this only keeps a run from coming as a flood. */
const pace = { calls: 300, windowMs: 10_000, pausesMs: [5_000, 15_000, 45_000] }

export const noAccessCode = 'uniconta.no_access'
export const notFoundCode = 'uniconta.not_found'
export const badRequestCode = 'uniconta.bad_request'

export function openUniconta({ username, password, base }: UnicontaSettings, around: ConnectionContext): UnicontaApi {
  const coded = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
  const client = openApi(
    {
      title: 'Uniconta',
      code: 'uniconta',
      base,
      headers: { accept: 'application/json', authorization: `Basic ${coded}` },
      pacedBy: `${base.href} ${username}`,
      secrets: [password, coded],
      pace,
      timeoutMs: 120_000,
      judge: (status) => faultOf(status),
    },
    around,
  )
  const count = countCall(`${base.href} ${username}`, around.clock)
  return {
    pages: (question) => eachPage({ client, base, called: count.add }, question),
    metadata(company, patience) {
      count.add()
      return client.getXml(`${company}/$metadata`, patience)
    },
    warning: count.warning,
    [Symbol.dispose]: () => client[Symbol.dispose](),
  }
}

/** What Uniconta means by a status where that differs from what most mean. */
function faultOf(status: number): Fault | null {
  switch (status) {
    case 400:
      return new Fault('data', {
        code: badRequestCode,
        notice:
          'Uniconta did not accept the way this table is asked for. Take it off the list of tables, and please report this.',
      })
    case 401:
      return new Fault('signIn', {
        code: 'uniconta.refused',
        notice:
          'Uniconta refuses the user name or the password, or the user may not use the API. Enter both again; if they are right, ask whoever manages Uniconta for a server user that may read.',
      })
    case 403:
      return new Fault('settings', {
        code: noAccessCode,
        notice:
          'The user may not read this in Uniconta. Grant it the right to read, or take the table or the company off the list.',
      })
    case 404:
      return new Fault('settings', {
        code: notFoundCode,
        notice: 'Uniconta does not know this table or company. Check their names in the settings.',
      })
    default:
      return null
  }
}

interface Asking {
  readonly client: ApiClient
  readonly base: URL
  readonly called: () => void
}

async function* eachPage(
  asking: Asking,
  { company, set, query = {}, patience = 'patient' }: Question,
): AsyncGenerator<readonly JsonObject[]> {
  const options = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const place = company === null ? set : `${company}/${set}`
  const seen = new Set<string>()
  let path: string | null = options.length === 0 ? place : `${place}?${options.join('&')}`
  while (path !== null) {
    if (seen.has(path)) throw unreadable(`A link of ${set} leads back to a page that was read already.`)
    seen.add(path)
    const answer: Page = await getPage(asking, path, patience)
    yield answer.rows
    path = answer.next
  }
}

interface Page {
  readonly rows: readonly JsonObject[]
  readonly next: string | null
}

/** Uniconta is known to give null instead of rows at a first call, so such an answer is asked for again, and never taken for no rows. */
async function getPage({ client, base, called }: Asking, path: string, patience: Patience): Promise<Page> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    called()
    const { json } = await client.get(path, {}, patience)
    const rows = rowsIn(json)
    if (rows !== null) return { rows, next: linkIn(json, base) }
  }
  throw unreadable('The answer holds no rows, not even none.')
}

function rowsIn(json: Json): readonly JsonObject[] | null {
  const value = isObject(json) ? member(json, 'value') : json
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : null
}

/** Only the path of a link counts: credentials go to no other host than the one in the settings. */
function linkIn(json: Json, base: URL): string | null {
  const link = isObject(json) ? (member(json, '@odata.nextLink') ?? member(json, 'odata.nextLink')) : null
  if (typeof link !== 'string' || link === '') return null
  const url = URL.parse(link, base.href)
  return url === null ? null : url.pathname + url.search
}

export function unreadable(detail: string): Fault {
  return new Fault('passing', {
    code: 'uniconta.unreadable_reply',
    notice: 'A reply of Uniconta could not be read. Tributary tries again with the next run.',
    cause: new Error(detail),
  })
}
