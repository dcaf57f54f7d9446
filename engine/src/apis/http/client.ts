/**
 * Rate-limited JSON client for API sources, with retries and backoff. The only place that turns an HTTP status into a
 * Fault.
 */
import { createHash } from 'node:crypto'
import { currentStream, type SourceCall } from '../../ports/call-meter.ts'
import type { AccessTokenProvider } from '../../ports/oauth.ts'
import { Fault } from '../../ports/faults.ts'
import type { ConnectionContext, ObservedExchange } from '../../ports/source.ts'
import { type ExactJson, parseExactJson } from './exact-json.ts'
import { type HttpResponse, OriginAgent, sendGet } from './exchange.ts'
import {
  combineRateLimiters,
  processRateLimiter,
  type RateLimiter,
  type RateLimitRule,
} from '../../ports/rate-limit.ts'
import { attemptsMax, faultAfterRetries, type RetryableFailure, signInFault } from './client-faults.ts'
import { isWebPage, judgeByStatus, parseRetryAfter, type ResponseVerdict } from './response-verdict.ts'

export interface ApiDefinition {
  /** Display name: `Cin7 Core`. */
  readonly title: string
  /** Prefix of its fault codes: `cin7`. */
  readonly code: string
  /** Base URL of all paths. */
  readonly base: URL
  /** Sent with every call. Their values are redacted from faults. */
  readonly headers: Readonly<Record<string, string>>
  /** The secret that the API's rate limit applies to. */
  readonly rateLimitKey: string
  /** Further values to redact from faults. */
  readonly secrets?: readonly string[]
  readonly pace: RateLimitRule
  /** A second rate limit, shared by the calls of several secrets; `by` is its key. */
  readonly sharedLimit?: { readonly by: string; readonly pace: RateLimitRule }
  /** Provides the bearer token of each call. An expired token is renewed once, and the call repeated. */
  readonly authorisation?: AccessTokenProvider
  readonly allowance?: CallAllowance
  readonly timeoutMs: number
  /** Overrides the verdict by status for this API; null keeps it. */
  readonly judge?: (status: number, text: string, reply: HttpResponse) => ResponseVerdict | null
}

/** A quota that waiting a minute does not restore, such as a daily one. */
export interface CallAllowance {
  /** Throws a `busy` Fault while no call may be sent. */
  check(): void
  /** Reads the quota headers of every response. */
  updateLimits(headers: HttpResponse['headers']): void
}

export interface ApiResponse {
  /** Null for an empty body. */
  readonly json: ExactJson
  /** The server's clock in milliseconds since 1970, if it sent a `Date` header. */
  readonly serverTime: number | null
  /** The `Link` header, with the addresses of other pages (RFC 8288). */
  readonly link: string | null
}

export interface ApiClient extends Disposable {
  /** Throws a Fault: `busy` if the rate limit outlasts all retries. */
  get(
    path: string,
    query?: Readonly<Record<string, string>>,
    patience?: RetryMode,
    headers?: RequestHeaders,
  ): Promise<ApiResponse>
  /** The same for an XML document, as its unparsed text. */
  getXml(path: string, patience?: RetryMode): Promise<string>
}

/** `once`: no retries, because a person is waiting for the result. */
export type RetryMode = 'patient' | 'once'

type RequestHeaders = Readonly<Record<string, string>>

const bodyMax = 64 * 1_048_576

export function openApiClient(api: ApiDefinition, around: ConnectionContext): ApiClient {
  const agent = new OriginAgent(api.base, around.network, around.signal)
  const context: ApiContext = { api, around, agent, ...openPaces(api, around) }
  return {
    async get(path, query = {}, patience = 'patient', headers = {}) {
      const url = resolvePath(api, path)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return parseResponse(api, await getWithRetries(context, { url, headers, patience, isAccepted: isLargeResponse }))
    },
    async getXml(path, patience = 'patient') {
      const reply = await getWithRetries(context, {
        url: resolvePath(api, path),
        headers: {},
        patience,
        isAccepted: isXml,
      })
      return reply.body.toString('utf8')
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

function openPaces(
  { rateLimitKey, pace: rule, sharedLimit }: ApiDefinition,
  { clock, rateLimiters }: ConnectionContext,
): Pick<ApiContext, 'limitKey' | 'pace' | 'headerPaces'> {
  const open = (key: string, of: RateLimitRule) => rateLimiters?.of(key, of) ?? processRateLimiter(key, of, clock)
  const limitKey = createHash('sha256').update(rateLimitKey).digest('hex')
  const own = open(limitKey, rule)
  if (sharedLimit === undefined) return { limitKey, pace: own, headerPaces: [{ rule, pace: own }] }
  const shared = open(sharedLimit.by, sharedLimit.pace)
  const headerPaces = [
    { rule, pace: own },
    { rule: sharedLimit.pace, pace: shared },
  ]
  return { limitKey, pace: combineRateLimiters(own, shared), headerPaces }
}

/** Rejects a path that leads to another host, such as `//elsewhere.example/`. */
function resolvePath(api: ApiDefinition, path: string): URL {
  const url = URL.parse(path, api.base.href)
  if (url?.origin === api.base.origin) return url
  throw new Fault('passing', {
    code: `${api.code}.unreadable_reply`,
    notice: `${api.title} pointed to an address that is not its own, which was not followed. Tributary tries again with the next run.`,
  })
}

interface ApiContext {
  readonly api: ApiDefinition
  readonly around: ConnectionContext
  readonly agent: OriginAgent
  readonly limitKey: string
  readonly pace: RateLimiter
  /** The paces to update from each rule's response header. */
  readonly headerPaces: readonly { readonly rule: RateLimitRule; readonly pace: RateLimiter }[]
}

interface GetRequest {
  readonly url: URL
  readonly headers: RequestHeaders
  readonly patience: RetryMode
  /** Accepts a reply without judging it. */
  readonly isAccepted: (reply: HttpResponse) => boolean
}

async function getWithRetries(context: ApiContext, request: GetRequest): Promise<HttpResponse> {
  const { api, around } = context
  let refused: string | undefined
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptWithinPace(context, request, refused)
    if (outcome.is === 'fine') return outcome.reply
    if (outcome.is === 'fault') throw outcome.fault
    if (outcome.is === 'expired') {
      if (outcome.token === undefined || refused !== undefined) throw signInFault(api, outcome.cause)
      refused = outcome.token
      continue
    }
    if (request.patience === 'once' || attempt >= attemptsMax[outcome.is]) throw faultAfterRetries(api, outcome)
    if (outcome.is !== 'limited') await around.clock.sleep(1_000 * 2 ** (attempt - 1), around.signal)
  }
}

type AttemptOutcome =
  | { readonly is: 'fine'; readonly reply: HttpResponse }
  | { readonly is: 'fault'; readonly fault: Fault }
  | { readonly is: 'expired'; readonly token: string | undefined; readonly cause: unknown }
  | RetryableFailure

async function attemptWithinPace(
  context: ApiContext,
  request: GetRequest,
  refused: string | undefined,
): Promise<AttemptOutcome> {
  const { api, around, pace } = context
  api.allowance?.check()
  await around.calls?.admit(callOf(context))
  const sentAt = await pace.acquire(around.signal)
  try {
    const token = await api.authorisation?.token(refused)
    around.calls?.sent(callOf(context))
    const outcome = await attemptOnce(context, request, token)
    if (outcome.is === 'limited') pace.recordRefusal(sentAt, outcome.waitMs)
    else pace.recordReply(sentAt)
    return outcome
  } finally {
    pace.release()
  }
}

async function attemptOnce(
  context: ApiContext,
  { url, headers: requestHeaders, isAccepted }: GetRequest,
  token: string | undefined,
): Promise<AttemptOutcome> {
  const { api, around, agent } = context
  const headers = { ...api.headers, ...requestHeaders, ...bearerHeader(token) }
  let reply: HttpResponse
  try {
    reply = await sendGet(agent, { url, headers, timeoutMs: api.timeoutMs, bodyMax }, around.signal)
  } catch (error) {
    reportExchange(around, { url, headers, reply: null })
    around.signal.throwIfAborted()
    if (error instanceof Fault && error.kind !== 'passing') return { is: 'fault', fault: error }
    return { is: 'unreachable', cause: error }
  }
  reportExchange(around, { url, headers, reply })
  recordReply(context, reply)
  if (reply.status === 200 && isAccepted(reply)) return { is: 'fine', reply }

  const text = reply.body.toString('utf8')
  const verdict = api.judge?.(reply.status, text, reply) ?? judgeByStatus(api, reply)
  if (verdict === 'fine') return { is: verdict, reply }
  const cause = new Error(`HTTP ${reply.status}: ${redactSecrets(text, api, token)}`)
  if (verdict instanceof Fault) return { is: 'fault', fault: withCause(verdict, cause) }
  if (verdict === 'expired') return { is: verdict, token, cause }
  const waitMs = parseRetryAfter(reply, around.clock.now())
  return { is: verdict, cause, ...(waitMs !== null && { waitMs }) }
}

/** To a person who tries a description. Runs have no observer. */
function reportExchange({ observe }: ConnectionContext, exchange: ObservedExchange): void {
  observe?.(exchange)
}

function callOf({ limitKey }: ApiContext): SourceCall {
  return { limitKey, stream: currentStream() }
}

function bearerHeader(token: string | undefined): RequestHeaders {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function recordReply(context: ApiContext, { headers, transferred }: HttpResponse): void {
  const { api, around, headerPaces } = context
  around.calls?.received(callOf(context), transferred)
  api.allowance?.updateLimits(headers)
  for (const { rule, pace } of headerPaces) {
    const header = rule.leftHeader === undefined ? undefined : headers[rule.leftHeader]
    if (typeof header === 'string' && /^\d+$/.test(header)) pace.recordRemaining(Number(header))
  }
}

/** Some APIs refuse with a short sentence and status 200. Anything larger is data. */
function isLargeResponse(reply: HttpResponse): boolean {
  return reply.body.length > 1_000 && !isWebPage(reply)
}

function isXml({ body }: HttpResponse): boolean {
  return /^\uFEFF?\s*<(\?xml|[\w.]+:)/.test(body.subarray(0, 100).toString('utf8'))
}

function parseResponse(api: ApiDefinition, reply: HttpResponse): ApiResponse {
  const servedAt = Date.parse(reply.headers.date ?? '')
  const text = reply.body.toString('utf8').trim()
  try {
    return {
      json: text === '' ? null : parseExactJson(text),
      serverTime: Number.isNaN(servedAt) ? null : servedAt,
      link: linkOf(reply.headers),
    }
  } catch (cause) {
    throw new Fault('passing', {
      code: `${api.code}.unreadable_reply`,
      notice: `A reply of ${api.title} could not be read. Tributary tries again with the next run.`,
      cause: new Error('The body is not JSON.', { cause: cause instanceof SyntaxError ? undefined : cause }),
    })
  }
}

function linkOf({ link }: HttpResponse['headers']): string | null {
  return typeof link === 'string' ? link : null
}

function redactSecrets(text: string, api: ApiDefinition, token = ''): string {
  const known = [api.rateLimitKey, token, ...Object.values(api.headers)].filter((value) => value.length >= 8)
  const secrets = [...known, ...(api.secrets ?? [])]
  return secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text.slice(0, 2_000)).slice(0, 500)
}

function withCause({ kind, code, notice, waitMs }: Fault, cause: Error): Fault {
  return new Fault(kind, { code, notice, cause, ...(waitMs !== undefined && { waitMs }) })
}
