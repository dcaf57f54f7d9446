/** A paced, patient JSON client for an API source. Here, and only here, an HTTP status becomes a fault. */
import { createHash } from 'node:crypto'
import { Fault } from '../faults.ts'
import type { Surroundings } from '../source.ts'
import { parseExactly } from './exact-json.ts'
import type { Json } from './exact-json.ts'
import { exchange, Line } from './exchange.ts'
import type { Reply } from './exchange.ts'
import { paceOf } from './pace.ts'
import type { Pace, PaceRule } from './pace.ts'
import { isWebPage, judgeByTable } from './verdict.ts'
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
  readonly pace: PaceRule
  readonly timeoutMs: number
  /** Where this API differs from the table of statuses; null leaves it to the table. */
  readonly judge?: (status: number, text: string) => Verdict | null
}

export interface Answer {
  /** Null for an empty body. */
  readonly json: Json
  /** The server's own clock in milliseconds since 1970, where it told. */
  readonly servedAt: number | null
}

export interface ApiClient extends Disposable {
  /** Throws a Fault; `busy` when the API has refused for longer than is worth waiting within one call. */
  get(path: string, query?: Readonly<Record<string, string>>, patience?: Patience): Promise<Answer>
}

/** `once`: a person is waiting for the answer. */
export type Patience = 'patient' | 'once'

const bodyMax = 64 * 1_048_576
const triesMax = { limited: 6, unreachable: 5, failing: 3 } as const
/** When a limit has outlasted every pause, it is a daily one: look again after this. */
const limitWaitMs = 15 * 60_000

export function openApi(api: Api, around: Surroundings): ApiClient {
  const line = new Line(api.base, around.network, around.signal)
  const pace = paceOf(createHash('sha256').update(api.pacedBy).digest('hex'), api.pace, around.clock)
  const call: Call = { api, around, line, pace }
  return {
    get(path, query = {}, patience = 'patient') {
      const url = new URL(path, api.base)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return get(call, url, patience)
    },
    [Symbol.dispose]: () => line.destroy(),
  }
}

interface Call {
  readonly api: Api
  readonly around: Surroundings
  readonly line: Line
  readonly pace: Pace
}

async function get(call: Call, url: URL, patience: Patience): Promise<Answer> {
  const { api, around, pace } = call
  for (let attempt = 1; ; attempt += 1) {
    const sentAt = await pace.take(around.signal)
    const outcome = await attemptOnce(call, url)
    if (outcome.is === 'limited') pace.refused(sentAt, outcome.waitMs)
    else pace.answered(sentAt)
    if (outcome.is === 'fine') return answerOf(api, outcome.reply)
    if (outcome.is === 'fault') throw outcome.fault

    if (patience === 'once' || attempt >= triesMax[outcome.is]) throw givenUp(api, outcome)
    if (outcome.is !== 'limited') await around.clock.sleep(1_000 * 2 ** (attempt - 1), around.signal)
  }
}

type Outcome = { readonly is: 'fine'; readonly reply: Reply } | { readonly is: 'fault'; readonly fault: Fault } | Trouble
interface Trouble {
  readonly is: keyof typeof triesMax
  readonly waitMs?: number
  readonly cause: unknown
}

async function attemptOnce({ api, around, line }: Call, url: URL): Promise<Outcome> {
  let reply: Reply
  try {
    reply = await exchange(line, { url, headers: api.headers, timeoutMs: api.timeoutMs, bodyMax }, around.signal)
  } catch (error) {
    around.signal.throwIfAborted()
    if (error instanceof Fault && error.kind !== 'passing') return { is: 'fault', fault: error }
    return { is: 'unreachable', cause: error }
  }
  // Some APIs refuse with a sentence and status 200; an answer of any size is data.
  if (reply.status === 200 && reply.body.length > 1_000 && !isWebPage(reply)) return { is: 'fine', reply }

  const text = reply.body.toString('utf8')
  const verdict = api.judge?.(reply.status, text) ?? judgeByTable(api, reply)
  if (verdict === 'fine') return { is: verdict, reply }
  const cause = new Error(`HTTP ${reply.status}: ${withoutSecrets(text, api)}`)
  if (verdict instanceof Fault) return { is: 'fault', fault: withCause(verdict, cause) }
  const waitMs = retryAfter(reply, around.clock.now())
  return { is: verdict, cause, ...(waitMs !== null && { waitMs }) }
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

/** Seconds or an HTTP date, in milliseconds from now. */
function retryAfter(reply: Reply, now: number): number | null {
  const header = reply.headers['retry-after']
  if (header === undefined) return null
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

function withoutSecrets(text: string, api: Api): string {
  const secrets = [api.pacedBy, ...Object.values(api.headers)].filter((value) => value.length >= 8)
  return secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text.slice(0, 2_000)).slice(0, 500)
}

function withCause({ kind, code, notice }: Fault, cause: Error): Fault {
  return new Fault(kind, { code, notice, cause })
}
