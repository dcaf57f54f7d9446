/** A paced, patient JSON client for an API source. Here, and only here, an HTTP status becomes a fault. */
import { createHash } from 'node:crypto'
import type { AccessTokenProvider } from '../../ports/oauth.ts'
import { Fault } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { parseExactly } from './exact-json.ts'
import type { Json } from './exact-json.ts'
import { exchange, Line } from './exchange.ts'
import type { Reply } from './exchange.ts'
import { combineRateLimiters, processRateLimiter } from '../../ports/rate-limit.ts'
import type { RateLimiter, RateLimitRule } from '../../ports/rate-limit.ts'
import { isWebPage, judgeByTable, retryAfter } from './verdict.ts'
import type { Verdict } from './verdict.ts'

export interface Api {
  /** For people: `Cin7 Core`. */
  readonly title: string
  /** Begins the codes of its faults: `cin7`. */
  readonly code: string
  /** Paths hang below it. */
  readonly base: URL
  /** Sent with every call. Their values never appear in a fault. */
  readonly headers: Readonly<Record<string, string>>
  /** The secret that the API counts calls by. */
  readonly pacedBy: string
  /** What else must never appear in a fault. */
  readonly secrets?: readonly string[]
  readonly pace: RateLimitRule
  /** A second count for the calls of several secrets together; `by` names it. */
  readonly pacedTogether?: { readonly by: string; readonly pace: RateLimitRule }
  /** Lends the bearer token of each call. One that has expired is renewed once, and the call repeated. */
  readonly authorisation?: AccessTokenProvider
  readonly allowance?: Allowance
  readonly timeoutMs: number
  /** Where this API differs from the table of statuses; null leaves it to the table. */
  readonly judge?: (status: number, text: string, reply: Reply) => Verdict | null
}

/** What an API allows beyond what waiting a minute would mend. */
export interface Allowance {
  /** Throws a `busy` Fault where no call may be sent for now. */
  check(): void
  /** Looks at the headers of every answer. */
  learn(headers: Reply['headers']): void
}

export interface Answer {
  /** Null for an empty body. */
  readonly json: Json
  /** The server's own clock in milliseconds since 1970, where it told. */
  readonly servedAt: number | null
}

export interface ApiClient extends Disposable {
  /** Throws a Fault; `busy` when the API has refused for longer than is worth waiting within one call. */
  get(path: string, query?: Readonly<Record<string, string>>, patience?: Patience, headers?: Headers): Promise<Answer>
  /** The same for a document in XML, as it came. */
  getXml(path: string, patience?: Patience): Promise<string>
}

/** `once`: a person is waiting for the answer. */
export type Patience = 'patient' | 'once'

type Headers = Readonly<Record<string, string>>

const bodyMax = 64 * 1_048_576
const triesMax = { limited: 6, unreachable: 5, failing: 3 } as const
/** When a limit has outlasted every pause, it is a daily one: look again after this. */
const limitWaitMs = 15 * 60_000

export function openApi(api: Api, around: ConnectionContext): ApiClient {
  const line = new Line(api.base, around.network, around.signal)
  const call: Call = { api, around, line, ...pacesOf(api, around) }
  return {
    async get(path, query = {}, patience = 'patient', headers = {}) {
      const url = below(api, path)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return answerOf(api, await ask(call, { url, headers, patience, isFine: isLargeAnswer }))
    },
    async getXml(path, patience = 'patient') {
      const reply = await ask(call, { url: below(api, path), headers: {}, patience, isFine: isXml })
      return reply.body.toString('utf8')
    },
    [Symbol.dispose]: () => line.destroy(),
  }
}

function pacesOf(
  { pacedBy, pace: rule, pacedTogether }: Api,
  { clock, rateLimiters }: ConnectionContext,
): Pick<Call, 'pace' | 'told'> {
  const open = (key: string, of: RateLimitRule) => rateLimiters?.of(key, of) ?? processRateLimiter(key, of, clock)
  const own = open(createHash('sha256').update(pacedBy).digest('hex'), rule)
  if (pacedTogether === undefined) return { pace: own, told: [{ rule, pace: own }] }
  const shared = open(pacedTogether.by, pacedTogether.pace)
  const told = [
    { rule, pace: own },
    { rule: pacedTogether.pace, pace: shared },
  ]
  return { pace: combineRateLimiters(own, shared), told }
}

/** A path can be another host's address in disguise: `//elsewhere.example/`. */
function below(api: Api, path: string): URL {
  const url = URL.parse(path, api.base.href)
  if (url?.origin === api.base.origin) return url
  throw new Fault('passing', {
    code: `${api.code}.unreadable_reply`,
    notice: `${api.title} pointed to an address that is not its own, which was not followed. Tributary tries again with the next run.`,
  })
}

interface Call {
  readonly api: Api
  readonly around: ConnectionContext
  readonly line: Line
  readonly pace: RateLimiter
  /** Which pace learns from which header. */
  readonly told: readonly { readonly rule: RateLimitRule; readonly pace: RateLimiter }[]
}

interface Asking {
  readonly url: URL
  readonly headers: Headers
  readonly patience: Patience
  /** What needs no verdict. */
  readonly isFine: (reply: Reply) => boolean
}

async function ask(call: Call, asking: Asking): Promise<Reply> {
  const { api, around } = call
  let refused: string | undefined
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptPaced(call, asking, refused)
    if (outcome.is === 'fine') return outcome.reply
    if (outcome.is === 'fault') throw outcome.fault
    if (outcome.is === 'expired') {
      if (outcome.token === undefined || refused !== undefined) throw signedOut(api, outcome.cause)
      refused = outcome.token
      continue
    }
    if (asking.patience === 'once' || attempt >= triesMax[outcome.is]) throw givenUp(api, outcome)
    if (outcome.is !== 'limited') await around.clock.sleep(1_000 * 2 ** (attempt - 1), around.signal)
  }
}

type Outcome =
  | { readonly is: 'fine'; readonly reply: Reply }
  | { readonly is: 'fault'; readonly fault: Fault }
  | { readonly is: 'expired'; readonly token: string | undefined; readonly cause: unknown }
  | Trouble
interface Trouble {
  readonly is: keyof typeof triesMax
  readonly waitMs?: number
  readonly cause: unknown
}

async function attemptPaced(call: Call, asking: Asking, refused: string | undefined): Promise<Outcome> {
  const { api, around, pace } = call
  api.allowance?.check()
  const sentAt = await pace.acquire(around.signal)
  try {
    const token = await api.authorisation?.token(refused)
    const outcome = await attemptOnce(call, asking, token)
    if (outcome.is === 'limited') pace.recordRefusal(sentAt, outcome.waitMs)
    else pace.recordReply(sentAt)
    return outcome
  } finally {
    pace.release()
  }
}

async function attemptOnce(
  call: Call,
  { url, headers: more, isFine }: Asking,
  token: string | undefined,
): Promise<Outcome> {
  const { api, around, line } = call
  const headers = { ...api.headers, ...more, ...bearing(token) }
  let reply: Reply
  try {
    reply = await exchange(line, { url, headers, timeoutMs: api.timeoutMs, bodyMax }, around.signal)
  } catch (error) {
    around.signal.throwIfAborted()
    if (error instanceof Fault && error.kind !== 'passing') return { is: 'fault', fault: error }
    return { is: 'unreachable', cause: error }
  }
  learn(call, reply)
  if (reply.status === 200 && isFine(reply)) return { is: 'fine', reply }

  const text = reply.body.toString('utf8')
  const verdict = api.judge?.(reply.status, text, reply) ?? judgeByTable(api, reply)
  if (verdict === 'fine') return { is: verdict, reply }
  const cause = new Error(`HTTP ${reply.status}: ${withoutSecrets(text, api, token)}`)
  if (verdict instanceof Fault) return { is: 'fault', fault: withCause(verdict, cause) }
  if (verdict === 'expired') return { is: verdict, token, cause }
  const waitMs = retryAfter(reply, around.clock.now())
  return { is: verdict, cause, ...(waitMs !== null && { waitMs }) }
}

function bearing(token: string | undefined): Headers {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function learn({ api, told }: Call, { headers }: Reply): void {
  api.allowance?.learn(headers)
  for (const { rule, pace } of told) {
    const header = rule.leftHeader === undefined ? undefined : headers[rule.leftHeader]
    if (typeof header === 'string' && /^\d+$/.test(header)) pace.recordRemaining(Number(header))
  }
}

/** Some APIs refuse with a sentence and status 200; an answer of any size is data. */
function isLargeAnswer(reply: Reply): boolean {
  return reply.body.length > 1_000 && !isWebPage(reply)
}

function isXml({ body }: Reply): boolean {
  return /^\uFEFF?\s*<(\?xml|[\w.]+:)/.test(body.subarray(0, 100).toString('utf8'))
}

function answerOf(api: Api, reply: Reply): Answer {
  const servedAt = Date.parse(reply.headers.date ?? '')
  const text = reply.body.toString('utf8').trim()
  try {
    return { json: text === '' ? null : parseExactly(text), servedAt: Number.isNaN(servedAt) ? null : servedAt }
  } catch (cause) {
    throw new Fault('passing', {
      code: `${api.code}.unreadable_reply`,
      notice: `A reply of ${api.title} could not be read. Tributary tries again with the next run.`,
      cause: new Error('The body is not JSON.', { cause: cause instanceof SyntaxError ? undefined : cause }),
    })
  }
}

function givenUp(api: Api, { is, cause, waitMs = limitWaitMs }: Trouble): Fault {
  if (is === 'limited') {
    return new Fault('busy', {
      code: `${api.code}.limit_reached`,
      notice: `${api.title} accepts no more calls with these credentials for now. What has been read is kept; the rest follows with the next run.`,
      waitMs,
      cause,
    })
  }
  if (is === 'failing') {
    return new Fault('passing', {
      code: `${api.code}.failing`,
      notice: `${api.title} has a problem of its own at the moment. Tributary tries again with the next run.`,
      cause,
    })
  }
  if (cause instanceof Fault) return cause
  return new Fault('passing', {
    code: `${api.code}.unreachable`,
    notice: `${api.title} could not be reached, or did not answer in time. Tributary tries again with the next run.`,
    cause,
  })
}

/** A token that was just renewed is refused like the former one. */
function signedOut({ title, code }: Api, cause: unknown): Fault {
  return new Fault('signIn', {
    code: `${code}.refused`,
    notice: `${title} no longer accepts the sign-in. Connect it again.`,
    cause,
  })
}

function withoutSecrets(text: string, api: Api, token = ''): string {
  const known = [api.pacedBy, token, ...Object.values(api.headers)].filter((value) => value.length >= 8)
  const secrets = [...known, ...(api.secrets ?? [])]
  return secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text.slice(0, 2_000)).slice(0, 500)
}

function withCause({ kind, code, notice, waitMs }: Fault, cause: Error): Fault {
  return new Fault(kind, { code, notice, cause, ...(waitMs !== undefined && { waitMs }) })
}
