/** How Xero wants to be called, and what its answers mean. */
import type { Clock } from '../../ports/clock.ts'
import { Fault } from '../../ports/faults.ts'
import { openApi } from '../http/client.ts'
import type { ApiClient, Patience } from '../http/client.ts'
import type { Json, JsonObject } from '../http/exact-json.ts'
import type { Reply } from '../http/exchange.ts'
import { isObject, member, members } from '../http/fields.ts'
import type { Verdict } from '../http/verdict.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { allowanceOf, dayUsedUp } from './allowance.ts'
import type { XeroSettings } from './settings.ts'
import type { Scope } from './tables/declare.ts'

export interface Question {
  /** Below the API's base: `Invoices`. */
  readonly path: string
  /** The right that it needs. */
  readonly scope: Scope
  readonly query?: Readonly<Record<string, string>>
  /** Only what has changed since this moment, in milliseconds; Xero counts in whole seconds. */
  readonly changedSince?: number | null
  readonly patience?: Patience
}

export interface XeroApi extends Disposable {
  readonly clock: Clock
  readonly tenantId: string
  /** The whole answer. Throws a Fault. */
  ask(question: Question): Promise<JsonObject>
  /** Throws a `signIn` Fault unless the sign-in reaches the company. Xero counts no call for it. */
  confirm(): Promise<void>
}

const pausesMs = [5_000, 15_000, 60_000]
/** Xero's limits for a company and for an application: 5 at once and 60 a minute, and 10,000 a minute for all its companies. */
const atOnce = 5
const callsOfAll = 9_000

export function openXero({ tenantId, base, callsPerMinute }: XeroSettings, around: ConnectionContext): XeroApi {
  const { accessTokens, clock } = around
  if (accessTokens === undefined) throw new Error('Xero is opened with an authorisation.')
  const client = openApi(
    {
      title: 'Xero',
      code: 'xero',
      base,
      headers: { accept: 'application/json', 'user-agent': 'Tributary', 'xero-tenant-id': tenantId },
      pacedBy: `${base.origin} ${tenantId}`,
      pace: { calls: callsPerMinute, windowMs: 60_000, pausesMs, atOnce, leftHeader: 'x-minlimit-remaining' },
      pacedTogether: {
        by: base.origin,
        pace: { calls: callsOfAll, windowMs: 60_000, pausesMs, leftHeader: 'x-appminlimit-remaining' },
      },
      authorisation: accessTokens,
      allowance: allowanceOf(`${base.origin} ${tenantId}`, clock),
      timeoutMs: 120_000,
      judge: (status, text, reply) => judge(status, text, { reply, now: clock.now() }),
    },
    around,
  )
  const confirm = () => confirmConnection(client, tenantId)
  return {
    clock,
    tenantId,
    confirm,
    async ask(question) {
      const json = await get(client, question).catch((error: unknown) => told(error, question, confirm))
      if (isObject(json)) return json
      throw unknownShape(question.path)
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  }
}

async function get(client: ApiClient, { path, query, changedSince, patience }: Question): Promise<Json> {
  const headers =
    changedSince === undefined || changedSince === null ? {} : { 'if-modified-since': stampOf(changedSince) }
  return (await client.get(path, query, patience, headers)).json
}

/** Neither a fraction of a second nor a zone is taken. */
function stampOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19)
}

interface Judged {
  readonly reply: Reply
  readonly now: number
}

const noScopeCode = 'xero.no_scope'
const forbiddenCode = 'xero.forbidden'
const tooMuchCode = 'xero.too_much'

/** Where Xero means something else by a status than most. */
function judge(status: number, text: string, { reply, now }: Judged): Verdict | null {
  switch (status) {
    case 200:
      // A proxy's page, or the XML that Xero gives by default.
      return text.trimStart().startsWith('<') ? 'failing' : null
    case 400:
      return badRequest(text)
    case 401:
      return text.includes('AuthorizationUnsuccessful')
        ? new Fault('settings', { code: noScopeCode, notice: 'A right is missing.' })
        : 'expired'
    case 403:
      return new Fault('settings', {
        code: forbiddenCode,
        notice:
          'Xero lets the person who signed in read nothing of this company here. Ask whoever manages the company in Xero, or connect it again.',
      })
    case 404:
      return new Fault('data', {
        code: 'xero.not_found',
        notice: 'Xero no longer has what it named before. It is left out until it is named again.',
      })
    case 429:
    case 503:
      return dayUsedUp(reply, now)
    default:
      return null
  }
}

function badRequest(text: string): Fault {
  if (/"ErrorNumber"\s*:\s*51\b/.test(text))
    return new Fault('data', {
      code: tooMuchCode,
      notice:
        'Xero refuses to look through so many documents at once, so nothing of them was changed. Please report this.',
    })
  return new Fault('data', {
    code: 'xero.bad_request',
    notice: 'Xero did not accept the way this was asked for, so nothing of it was changed. Please report this.',
  })
}

/** More documents than Xero looks through at once. */
export function isTooMuch(error: unknown): boolean {
  return hasCode(error, tooMuchCode)
}

export function isNotFound(error: unknown): boolean {
  return hasCode(error, 'xero.not_found')
}

/** The sign-in, or the kind of application that Tributary is at Xero, does not include it. */
export function isNotAllowed(error: unknown): boolean {
  return hasCode(error, noScopeCode) || hasCode(error, forbiddenCode)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Fault && error.code === code
}

/** Adds what the answer alone does not say: which right is missing, and whether the company is still connected. */
async function told(error: unknown, { path, scope }: Question, confirm: () => Promise<void>): Promise<never> {
  if (hasCode(error, forbiddenCode)) await confirm()
  if (!hasCode(error, noScopeCode)) throw error
  throw new Fault('settings', {
    code: noScopeCode,
    notice: `Xero does not let Tributary read ${path}: the right ‘${scope}’ is missing. Connect the company again and allow it, or take it off the list of tables.`,
    cause: error,
  })
}

async function confirmConnection(client: ApiClient, tenantId: string): Promise<void> {
  const { json } = await client.get('/connections')
  if (!Array.isArray(json)) throw unknownShape('connections')
  const isThere = members({ connections: json }, 'connections').some((connection) => {
    const id = member(connection, 'tenantId')
    return typeof id === 'string' && id.toLowerCase() === tenantId
  })
  if (!isThere)
    throw new Fault('signIn', {
      code: 'xero.disconnected',
      notice: 'The company may have been disconnected from Tributary in Xero. Connect it again.',
    })
}

/** Taken for an empty list, such an answer would empty the table. */
export function unknownShape(path: string): Fault {
  return new Fault('data', {
    code: 'xero.unknown_shape',
    notice: `Xero answered for ${path} in a form that Tributary does not know, so nothing of it was changed. Please report this.`,
  })
}
