/** Opens the API of a description: sign-in, pace, and what its errors mean. */
import { Fault } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import type { AccessTokenProvider } from '../../ports/oauth.ts'
import { type ApiClient, type ApiDefinition, openApiClient } from '../http/client.ts'
import { parseExactJson } from '../http/exact-json.ts'
import type { ResponseVerdict } from '../http/response-verdict.ts'
import { clientTokens } from '../http/token-request.ts'
import { type AddressFinder, companyAddressFinder } from './company-address.ts'
import { countCalls } from './call-count.ts'
import type { DescribedApi, Query } from './calls.ts'
import { fillPlaceholders } from './description/placeholders.ts'
import type { DescriptionParts, ErrorRule } from './description/schema.ts'
import type { SourceDescription } from './description/source-description.ts'
import { faultOfStatus } from './odata/faults.ts'
import { pointerReader } from './pointer.ts'
import { type DescribedSettings, isLoopback } from './settings.ts'

const timeoutMs = 120_000

export function openDescribedApi(
  description: SourceDescription,
  settings: DescribedSettings,
  around: ConnectionContext,
): DescribedApi {
  const { title, type } = description
  const credentials = credentialsOf(description, settings)
  const authorisation = tokensOf(description, settings, around)
  const openAt = (base: URL): ApiClient =>
    openApiClient(
      {
        title,
        code: type,
        base,
        headers: { accept: 'application/json', ...headersOf(description, settings), ...credentials.headers },
        rateLimitKey: rateLimitKey(description, settings),
        secrets: credentials.secrets,
        pace: paceOf(description),
        timeoutMs,
        judge: (status, text) => verdictOf(description, status, text),
        ...(authorisation !== undefined && { authorisation }),
      },
      around,
    )
  const client = lazyClient(openAt, settings.base, companyAddressFinder(description, settings, around))
  const count = countCalls(rateLimitKey(description, settings), around.clock, description)
  const open = openSettings(description, settings)
  return {
    title,
    code: type,
    withSettings: ({ path, query }) => ({ path: filledPath(path, open), query: filled(query, open) }),
    async get({ path, query }, { patience, headers } = {}) {
      count.add()
      return (await client.open()).get(path, { ...query, ...credentials.query }, patience, headers)
    },
    async getXml(path, patience) {
      count.add()
      return (await client.open()).getXml(path, patience)
    },
    warning: count.warning,
    now: () => around.clock.now(),
    [Symbol.dispose]: client.dispose,
  }
}

/** The client at the base address, or at an address that is found with the first call. A failed search is repeated with the next call. */
function lazyClient(
  openAt: (base: URL) => ApiClient,
  base: URL,
  find: AddressFinder,
): { open(): Promise<ApiClient>; dispose(): void } {
  const clients: ApiClient[] = []
  const openAndKeep = (at: URL): ApiClient => {
    const client = openAt(at)
    clients.push(client)
    return client
  }
  let opened: Promise<ApiClient> | null = find === null ? Promise.resolve(openAndKeep(base)) : null
  return {
    open() {
      if (opened !== null || find === null) return opened ?? Promise.resolve(openAndKeep(base))
      const opening = find().then(openAndKeep)
      opened = opening
      opening.catch(() => {
        opened = null
      })
      return opening
    },
    dispose() {
      for (const client of clients) client[Symbol.dispose]()
    },
  }
}

/** The tokens of people are renewed outside of the engine. */
function tokensOf(
  { signIn, title, type }: DescriptionParts,
  { values, base }: DescribedSettings,
  around: ConnectionContext,
): AccessTokenProvider | undefined {
  if (signIn.kind !== 'oauthClient') return around.accessTokens
  const { token, client, secret, clientIn, scopes, parameters = {} } = signIn
  const address = fillPlaceholders(token, (name) => encodeURIComponent(values[name] ?? ''))
  return clientTokens(
    {
      title,
      code: type,
      token: tokenAddress(new URL(address), base),
      client: values[client] ?? '',
      secret: values[secret] ?? '',
      clientIn,
      scopes,
      parameters,
    },
    around,
  )
}

/** A simulator on this computer has the tokens, too. */
function tokenAddress(token: URL, base: URL): URL {
  return isLoopback(base) && !isLoopback(token) ? new URL(token.pathname, base) : token
}

/** The values that may be in addresses, which are written into logs. */
function openSettings({ settings }: DescriptionParts, { values }: DescribedSettings): Query {
  return Object.fromEntries(Object.entries(values).filter(([name]) => settings[name]?.kind !== 'secret'))
}

function filledPath(path: string, values: Query): string {
  return fillPlaceholders(path, (name) => (values[name] === undefined ? undefined : encodeURIComponent(values[name])))
}

function filled(query: Query, values: Query): Query {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, fillPlaceholders(value, (setting) => values[setting])]),
  )
}

function headersOf({ headers = {} }: DescriptionParts, { values }: DescribedSettings): Query {
  return filled(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), values)
}

interface Credentials {
  readonly headers: Query
  readonly query: Query
  /** Cut out of every error message. */
  readonly secrets: readonly string[]
}

function credentialsOf({ signIn }: DescriptionParts, { values }: DescribedSettings): Credentials {
  switch (signIn.kind) {
    case 'basic': {
      const password = signIn.password === undefined ? '' : (values[signIn.password] ?? '')
      const user = values[signIn.user] ?? ''
      const encoded = Buffer.from(`${user}:${password}`, 'utf8').toString('base64')
      return { headers: { authorization: `Basic ${encoded}` }, query: {}, secrets: [encoded, password].filter(Boolean) }
    }
    case 'bearer': {
      const token = values[signIn.token] ?? ''
      return { headers: { authorization: `Bearer ${token}` }, query: {}, secrets: [token] }
    }
    case 'apiKey': {
      const parts = signIn.keys.map((key) => ({ ...key, value: `${key.prefix ?? ''}${values[key.setting] ?? ''}` }))
      const of = (place: 'header' | 'query'): Query =>
        Object.fromEntries(parts.filter((key) => key.in === place).map(({ name, value }) => [name, value]))
      return { headers: of('header'), query: of('query'), secrets: parts.map(({ value }) => value) }
    }
    case 'oauthCode':
      return { headers: {}, query: {}, secrets: [] }
    case 'oauthClient':
      return { headers: {}, query: {}, secrets: [values[signIn.secret] ?? ''].filter(Boolean) }
  }
}

/** Calls as the same user share a pace, whatever else the connectors choose. */
function rateLimitKey({ type, signIn, settings }: DescriptionParts, { base, values }: DescribedSettings): string {
  const users =
    signIn.kind === 'basic'
      ? [signIn.user]
      : [...Object.keys(settings), ...(signIn.kind === 'oauthCode' ? ['company'] : [])]
  return [type, signIn.kind, base.href, ...users.map((name) => `${name}=${values[name] ?? ''}`)].join('\n')
}

function paceOf({
  pace: { calls, seconds, atOnce, remainingHeader, pauses },
}: DescriptionParts): ApiDefinition['pace'] {
  return {
    calls,
    windowMs: seconds * 1_000,
    pausesMs: pauses.map((pause) => pause * 1_000),
    ...(atOnce !== undefined && { atOnce }),
    ...(remainingHeader !== undefined && { leftHeader: remainingHeader }),
  }
}

/** A token that the API refuses is renewed once. */
function tokenVerdict({ signIn }: DescriptionParts, status: number): ResponseVerdict | null {
  return status === 401 && (signIn.kind === 'oauthCode' || signIn.kind === 'oauthClient') ? 'expired' : null
}

/** The first rule that fits. Null: as HTTP defines the status. */
function verdictOf(description: SourceDescription, status: number, text: string): ResponseVerdict | null {
  const { errors, title, type } = description
  const rule = errors.find((candidate) => fits(candidate, status, text))
  if (rule === undefined)
    return expiryOf(description, status) ?? tokenVerdict(description, status) ?? standardFault(description, status)
  const fault = (kind: Fault['kind'], code: string, standard: string): Fault =>
    new Fault(kind, { code: `${type}.${rule.code ?? code}`, notice: rule.notice ?? standard })
  switch (rule.verdict) {
    case 'wait':
      return 'limited'
    case 'signInAgain':
      return fault('signIn', 'refused', `${title} refuses the credentials. Enter them again.`)
    case 'skipRecord':
      return fault('data', recordGone, `${title} does not have the record any more.`)
    case 'positionGone':
      return fault('data', positionGone, `${title} does not have the record any more after which the next page begins.`)
    case 'failStream':
      return fault('data', 'stream_refused', `${title} refuses to give this table.`)
    case 'failRun':
      return fault('settings', 'run_refused', `${title} refuses the calls of this connector.`)
  }
}

/** The code of a record that a list names, and that cannot be read. */
export const recordGone = 'record_gone'

/** The code of a record after which a page should begin, and that is gone. */
export const positionGone = 'position_gone'

/** The code of a token of a feed that is too old. */
export const feedExpired = 'feed_expired'

function expiryOf(description: SourceDescription, status: number): Fault | null {
  const { title, type } = description
  const streams = description.engine === 'odata' ? description.sets : description.streams
  const isExpiry = Object.values(streams).some(
    ({ changes }) => changes?.kind === 'feed' && changes.expired.includes(status),
  )
  if (!isExpiry) return null
  return new Fault('data', {
    code: `${type}.${feedExpired}`,
    notice: `${title} no longer knows where the last read ended. The next run reads the whole table.`,
  })
}

function standardFault({ engine, title, type }: SourceDescription, status: number): Fault | null {
  return engine === 'odata' ? faultOfStatus({ title, code: type }, status) : null
}

function fits({ status, at, equals }: ErrorRule, found: number, text: string): boolean {
  if (!status.includes(found)) return false
  if (at === undefined) return true
  try {
    const value = pointerReader(at)(parseExactJson(text))
    return equals === undefined ? value !== undefined : equals.includes(String(value))
  } catch {
    return false
  }
}
