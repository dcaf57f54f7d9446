/** Opens the Uniconta OData client and interprets its responses. */
import { Fault } from '../../ports/faults.ts'
import { type ApiClient, openApiClient, type RetryMode } from '../http/client.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { isObject, readMember } from '../http/fields.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { countCall } from './call-count.ts'
import type { UnicontaSettings } from './settings.ts'

export interface UnicontaQuery {
  /** Null: the login's own data, which is enough to list the companies. */
  readonly company: string | null
  readonly set: string
  readonly query?: Readonly<Record<string, string>>
  readonly patience?: RetryMode
}

export interface UnicontaApi extends Disposable {
  /** Reads the rows page by page, following the `nextLink` of each page. */
  pages(question: UnicontaQuery): AsyncGenerator<readonly JsonObject[]>
  /** The XML metadata of a company's entity sets. */
  metadata(company: string, patience?: RetryMode): Promise<string>
  /** A warning about today's number of calls, reported once. */
  warning(): string | null
}

/** Uniconta has a daily limit, not one per minute. This pace only prevents bursts. */
const pace = { calls: 300, windowMs: 10_000, pausesMs: [5_000, 15_000, 45_000] }

export const noAccessCode = 'uniconta.no_access'
export const notFoundCode = 'uniconta.not_found'
export const badRequestCode = 'uniconta.bad_request'

export function openUniconta({ username, password, base }: UnicontaSettings, around: ConnectionContext): UnicontaApi {
  const basicCredentials = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
  const client = openApiClient(
    {
      title: 'Uniconta',
      code: 'uniconta',
      base,
      headers: { accept: 'application/json', authorization: `Basic ${basicCredentials}` },
      rateLimitKey: `${base.href} ${username}`,
      secrets: [password, basicCredentials],
      pace,
      timeoutMs: 120_000,
      judge: (status) => faultByStatus(status),
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

/** Faults for statuses that Uniconta uses in its own way. */
function faultByStatus(status: number): Fault | null {
  switch (status) {
    case 400:
      return new Fault('data', {
        code: badRequestCode,
        notice: 'Uniconta rejected the request for this table. Take it off the list of tables, and please report this.',
      })
    case 401:
      return new Fault('signIn', {
        code: 'uniconta.refused',
        notice:
          'Uniconta refuses the user name or the password, or the user may not use the API. Enter both again; if they are right, ask your Uniconta administrator for a server user that may read.',
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

interface UnicontaCalls {
  readonly client: ApiClient
  readonly base: URL
  readonly called: () => void
}

async function* eachPage(
  asking: UnicontaCalls,
  { company, set, query = {}, patience = 'patient' }: UnicontaQuery,
): AsyncGenerator<readonly JsonObject[]> {
  const options = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const rootPath = company === null ? set : `${company}/${set}`
  const seen = new Set<string>()
  let path: string | null = options.length === 0 ? rootPath : `${rootPath}?${options.join('&')}`
  while (path !== null) {
    if (seen.has(path)) throw unreadableReplyFault(`A link of ${set} leads back to a page that was read already.`)
    seen.add(path)
    const answer: UnicontaPage = await getPage(asking, path, patience)
    yield answer.rows
    path = answer.next
  }
}

interface UnicontaPage {
  readonly rows: readonly JsonObject[]
  readonly next: string | null
}

/**
 * Uniconta sometimes returns null instead of rows on the first call. Such a response is requested again, never taken
 * as an empty page.
 */
async function getPage(
  { client, base, called }: UnicontaCalls,
  path: string,
  patience: RetryMode,
): Promise<UnicontaPage> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    called()
    const { json } = await client.get(path, {}, patience)
    const rows = rowsIn(json)
    if (rows !== null) return { rows, next: linkIn(json, base) }
  }
  throw unreadableReplyFault('The answer holds no rows, not even none.')
}

function rowsIn(json: ExactJson): readonly JsonObject[] | null {
  const value = isObject(json) ? readMember(json, 'value') : json
  return Array.isArray(value) ? (value as readonly ExactJson[]).filter(isObject) : null
}

/** Uses only the path of a link, so that credentials go only to the configured host. */
function linkIn(json: ExactJson, base: URL): string | null {
  const link = isObject(json) ? (readMember(json, '@odata.nextLink') ?? readMember(json, 'odata.nextLink')) : null
  if (typeof link !== 'string' || link === '') return null
  const url = URL.parse(link, base.href)
  return url === null ? null : url.pathname + url.search
}

export function unreadableReplyFault(detail: string): Fault {
  return new Fault('passing', {
    code: 'uniconta.unreadable_reply',
    notice: 'A reply of Uniconta could not be read. Tributary tries again with the next run.',
    cause: new Error(detail),
  })
}
