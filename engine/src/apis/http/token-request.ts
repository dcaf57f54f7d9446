/** Access tokens by the client credentials of OAuth 2, for sources whose settings have an id and a secret. */
import type { AccessTokenProvider } from '../../ports/oauth.ts'
import { Fault } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { type HttpResponse, OriginAgent, sendForm } from './exchange.ts'

export interface ClientCredentials {
  readonly title: string
  /** Prefix of fault codes. */
  readonly code: string
  readonly token: URL
  readonly client: string
  readonly secret: string
  readonly clientIn: 'header' | 'body'
  readonly scopes: readonly string[]
  readonly parameters: Readonly<Record<string, string>>
}

interface CachedToken {
  readonly token: string
  /** In milliseconds since 1970. */
  readonly usableUntil: number
}

const timeoutMs = 20_000
const bodyMax = 1_048_576
/** A token whose reply does not say how long it lives. */
const defaultLifetimeS = 300
/** The share of its lifetime for which a token is used. */
const usableShare = 0.9

/** Runs of this process with the same credentials share a token, since some servers end the former one. */
const tokens = new Map<string, Promise<CachedToken>>()

export function clientTokens(credentials: ClientCredentials, around: ConnectionContext): AccessTokenProvider {
  const { token, client, secret, scopes } = credentials
  const key = JSON.stringify([token.href, client, secret, scopes])
  return {
    async token(refused) {
      const known = await tokens.get(key)?.catch(() => undefined)
      if (known !== undefined && known.token !== refused && around.clock.now() < known.usableUntil) return known.token
      const requested = requestToken(credentials, around)
      tokens.set(key, requested)
      try {
        return (await requested).token
      } catch (error) {
        if (tokens.get(key) === requested) tokens.delete(key)
        throw error
      }
    },
  }
}

async function requestToken(credentials: ClientCredentials, around: ConnectionContext): Promise<CachedToken> {
  const { token: url, client, secret, clientIn, scopes, parameters, title, code } = credentials
  const form = new URLSearchParams({
    ...parameters,
    grant_type: 'client_credentials',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(clientIn === 'body' && { client_id: client, client_secret: secret }),
  })
  const headers = { accept: 'application/json', ...(clientIn === 'header' && { authorization: basic(client, secret) }) }
  const agent = new OriginAgent(url, around.network, around.signal)
  let reply: HttpResponse
  try {
    reply = await sendForm(agent, { url, headers, form, timeoutMs, bodyMax }, around.signal)
  } catch (error) {
    around.signal.throwIfAborted()
    throw error instanceof Fault ? error : tokenUnavailable(credentials, error)
  } finally {
    agent.destroy()
  }
  // As OAuth 2 says: 400 or 401 with an error that is about the client or what it asks for.
  if (reply.status === 400 || reply.status === 401 || reply.status === 403)
    throw new Fault('signIn', {
      code: `${code}.refused`,
      notice: `${title} refuses the client id and secret. Enter them again, and check what the app may read.`,
    })
  const { access_token: token, expires_in: lifetime = defaultLifetimeS } = parseReply(credentials, reply)
  return { token, usableUntil: around.clock.now() + lifetime * 1_000 * usableShare }
}

/** RFC 6749 encodes both parts like a form. */
function basic(client: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length)
  return `Basic ${Buffer.from(`${encode(client)}:${encode(secret)}`, 'utf8').toString('base64')}`
}

function parseReply(
  credentials: ClientCredentials,
  { status, body }: HttpResponse,
): { readonly access_token: string; readonly expires_in?: number } {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'))
    const { access_token: token, expires_in: lifetime } = json as Readonly<Record<string, unknown>>
    if (status === 200 && typeof token === 'string' && token !== '') {
      const seconds = Number(lifetime)
      return { access_token: token, ...(Number.isFinite(seconds) && seconds > 0 && { expires_in: seconds }) }
    }
  } catch {
    // Nothing of the body is shown: it may have a token.
  }
  throw tokenUnavailable(credentials, new Error(`HTTP ${status} without a token.`))
}

function tokenUnavailable({ title, code }: ClientCredentials, cause: unknown): Fault {
  return new Fault('passing', {
    code: `${code}.no_token`,
    notice: `${title} gave no access token. Tributary tries again with the next run.`,
    cause,
  })
}
