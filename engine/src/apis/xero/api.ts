/** Opens the Xero API client and interprets its responses. */
import type { Clock } from '../../ports/clock.ts'
import { Fault } from '../../ports/faults.ts'
import { type ApiClient, openApiClient, type RetryMode } from '../http/client.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { isObject, readMember, readMembers } from '../http/fields.ts'
import type { ResponseVerdict } from '../http/response-verdict.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { allowanceOf, dailyLimitFault } from './daily-limit.ts'
import type { XeroSettings } from './settings.ts'
import type { XeroScope } from './tables/stream-kinds.ts'

export interface XeroQuery {
  /** Relative to the API's base: `Invoices`. */
  readonly path: string
  /** The OAuth scope that it needs. */
  readonly scope: XeroScope
  readonly query?: Readonly<Record<string, string>>
  /** Filters by last change, in milliseconds since 1970. Xero compares whole seconds. */
  readonly changedSince?: number | null
  readonly patience?: RetryMode
}

export interface XeroApi extends Disposable {
  readonly clock: Clock
  readonly tenantId: string
  /** Returns the whole response. Throws a Fault. */
  get(question: XeroQuery): Promise<JsonObject>
  /** Throws a `signIn` Fault unless the sign-in reaches the company. Does not count towards Xero's limits. */
  confirm(): Promise<void>
}

const pausesMs = [5_000, 15_000, 60_000]
/**
 * Xero's limits per company are 5 concurrent calls and 60 a minute; per application 10,000 a minute over all
 * companies.
 */
const concurrentMax = 5
const sharedCalls = 9_000

export function openXero({ tenantId, base, callsPerMinute }: XeroSettings, around: ConnectionContext): XeroApi {
  const { accessTokens, clock } = around
  if (accessTokens === undefined) throw new Error('Xero is opened with an authorisation.')
  const client = openApiClient(
    {
      title: 'Xero',
      code: 'xero',
      base,
      headers: { accept: 'application/json', 'user-agent': 'Tributary', 'xero-tenant-id': tenantId },
      rateLimitKey: `${base.origin} ${tenantId}`,
      pace: {
        calls: callsPerMinute,
        windowMs: 60_000,
        pausesMs,
        atOnce: concurrentMax,
        leftHeader: 'x-minlimit-remaining',
      },
      sharedLimit: {
        by: base.origin,
        pace: { calls: sharedCalls, windowMs: 60_000, pausesMs, leftHeader: 'x-appminlimit-remaining' },
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
    async get(question) {
      const json = await get(client, question).catch((error: unknown) => rethrowWithDetails(error, question, confirm))
      if (isObject(json)) return json
      throw unknownFormatFault(question.path)
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  }
}

async function get(client: ApiClient, { path, query, changedSince, patience }: XeroQuery): Promise<ExactJson> {
  const headers =
    changedSince === undefined || changedSince === null
      ? {}
      : { 'if-modified-since': formatIfModifiedSince(changedSince) }
  return (await client.get(path, query, patience, headers)).json
}

/** Xero accepts neither fractional seconds nor a zone. */
function formatIfModifiedSince(at: number): string {
  return new Date(at).toISOString().slice(0, 19)
}

interface JudgedResponse {
  readonly reply: HttpResponse
  readonly now: number
}

const noScopeCode = 'xero.no_scope'
const forbiddenCode = 'xero.forbidden'
const tooManyDocumentsCode = 'xero.too_much'

/** Verdicts for statuses that Xero uses in its own way. */
function judge(status: number, text: string, { reply, now }: JudgedResponse): ResponseVerdict | null {
  switch (status) {
    case 200:
      // A proxy's page, or the XML that Xero returns by default.
      return text.trimStart().startsWith('<') ? 'failing' : null
    case 400:
      return badRequestFault(text)
    case 401:
      return text.includes('AuthorizationUnsuccessful')
        ? new Fault('settings', { code: noScopeCode, notice: 'A right is missing.' })
        : 'expired'
    case 403:
      return new Fault('settings', {
        code: forbiddenCode,
        notice:
          'The person who signed in may not read this data of the company in Xero. Ask the company’s administrator in Xero for access, or connect the company again.',
      })
    case 404:
      return new Fault('data', {
        code: 'xero.not_found',
        notice: 'Xero no longer has a record that it listed before. It is left out until Xero lists it again.',
      })
    case 429:
    case 503:
      return dailyLimitFault(reply, now)
    default:
      return null
  }
}

function badRequestFault(text: string): Fault {
  if (/"ErrorNumber"\s*:\s*51\b/.test(text))
    return new Fault('data', {
      code: tooManyDocumentsCode,
      notice: 'Xero refuses to search so many documents at once, so their rows were not changed. Please report this.',
    })
  return new Fault('data', {
    code: 'xero.bad_request',
    notice: 'Xero rejected a request from Tributary, so no rows of this table were changed. Please report this.',
  })
}

/** True if the request covers more documents than Xero searches at once. */
export function isTooManyDocuments(error: unknown): boolean {
  return hasCode(error, tooManyDocumentsCode)
}

export function isNotFound(error: unknown): boolean {
  return hasCode(error, 'xero.not_found')
}

/** True if the sign-in, or Tributary's kind of application at Xero, lacks the scope. */
export function isNotAllowed(error: unknown): boolean {
  return hasCode(error, noScopeCode) || hasCode(error, forbiddenCode)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Fault && error.code === code
}

/** Adds details that the response lacks: the missing scope, and whether the company is still connected. */
async function rethrowWithDetails(
  error: unknown,
  { path, scope }: XeroQuery,
  confirm: () => Promise<void>,
): Promise<never> {
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
  if (!Array.isArray(json)) throw unknownFormatFault('connections')
  const isConnected = readMembers({ connections: json }, 'connections').some((connection) => {
    const id = readMember(connection, 'tenantId')
    return typeof id === 'string' && id.toLowerCase() === tenantId
  })
  if (!isConnected)
    throw new Fault('signIn', {
      code: 'xero.disconnected',
      notice: 'The company may have been disconnected from Tributary in Xero. Connect it again.',
    })
}

/** Treating such a response as an empty list would empty the table. */
export function unknownFormatFault(path: string): Fault {
  return new Fault('data', {
    code: 'xero.unknown_shape',
    notice: `Xero answered for ${path} in a form that Tributary does not know, so its rows were not changed. Please report this.`,
  })
}
