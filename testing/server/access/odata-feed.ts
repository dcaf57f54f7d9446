/** Calls the OData feed of Harbour Trading, and fills its warehouse. Every reply must fit the metadata of its reader. */
import type { TestApp } from '../app/test-app.ts'
import { findViolations } from './check-feed-reply.ts'
import { type Csdl, readCsdlXml } from './feed-csdl.ts'
import { applyChanges, runAs, writerOf } from './warehouse-login.ts'

type FeedCaller = keyof TestApp['as']

export interface FeedReply<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  readonly body: T
}

export interface FeedBody {
  readonly value: readonly Record<string, unknown>[]
  readonly '@odata.nextLink'?: string
  readonly '@odata.count'?: number | string
  readonly '@odata.context'?: string
  readonly error?: { readonly code: string; readonly message: string; readonly target?: string }
}

export interface FeedOptions {
  readonly as?: FeedCaller
  readonly headers?: Readonly<Record<string, string>>
  readonly organisationId?: string
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'PUT'
}

/** Creates tables as the login that writes the warehouse, and lets the people read them who may. */
export async function fillWarehouse(app: TestApp, statements: string): Promise<void> {
  await runAs(await writerOf(app), statements)
  await applyChanges(app)
}

/** Throws if the reply does not fit the metadata. @param path below the feed, encoded */
export async function getFeed(app: TestApp, path: string, options: FeedOptions = {}): Promise<FeedReply<FeedBody>> {
  const reply = await sendToFeed(app, path, options)
  let violations = findViolations(await readKnownCsdl(app, options), reply)
  // Tables and rights may have changed since the metadata was read.
  if (violations.length > 0) violations = findViolations(await readKnownCsdl(app, options, 'again'), reply)
  if (violations.length > 0) throw new Error(`${path} does not fit the metadata:\n${violations.join('\n')}`)
  return reply
}

/** The metadata of each reader, as it was last read. */
const known = new WeakMap<TestApp, Map<string, Csdl>>()

async function readKnownCsdl(
  app: TestApp,
  { as = 'admin', headers: { authorization = '' } = {}, organisationId = '' }: FeedOptions,
  freshness: 'known' | 'again' = 'known',
): Promise<Csdl> {
  const own = known.get(app) ?? new Map<string, Csdl>()
  known.set(app, own)
  const key = JSON.stringify([as, authorization, organisationId])
  const found = own.get(key)
  if (found !== undefined && freshness === 'known') return found
  const { status, text } = await sendToFeed(app, '/$metadata', {
    as,
    ...(authorization !== '' && { headers: { authorization } }),
    ...(organisationId !== '' && { organisationId }),
  })
  const read: Csdl = status === 200 ? readCsdlXml(text) : new Map()
  own.set(key, read)
  return read
}

async function sendToFeed(
  app: TestApp,
  path: string,
  { as = 'admin', headers = {}, organisationId = app.harbour.id, method = 'GET' }: FeedOptions,
): Promise<FeedReply<FeedBody>> {
  const session = await app.as[as].session()
  const reply = await app.http.inject({
    method,
    url: path.startsWith('http') ? path.replace('http://localhost:3000', '') : `/odata/${organisationId}${path}`,
    headers: {
      host: 'localhost:3000',
      ...(session !== null && { authorization: `Bearer ${session.accessToken}` }),
      ...headers,
    },
  })
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: reply.body,
    body: (isJson && reply.body !== '' ? JSON.parse(reply.body) : {}) as FeedBody,
  }
}

/** Adds encoded query options to a path. */
export function withOptions(path: string, options: Readonly<Record<string, string>>): string {
  const parts = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${path}?${parts.join('&')}`
}

/** Reads every page. */
export async function readPages(
  app: TestApp,
  path: string,
  options: FeedOptions = {},
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, body, text } = await getFeed(app, next, options)
    if (status !== 200) throw new Error(`${status}: ${text}`)
    rows.push(...body.value)
    next = body['@odata.nextLink']
  }
  return rows
}
