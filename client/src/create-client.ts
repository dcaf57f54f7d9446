/** The typed client of the server's API. A call is named by its route: `call('GET /organisations')`. */
import type { Arguments, CallName, CallReply } from '@tributary/contract/calls'
import { unsearchedHeaders } from '@tributary/contract/limits'
import { isTokenExpiring } from './access-token.ts'
import { CallError } from './call-error.ts'
import { type CallArguments, formatAddress, formatRequest, readReply } from './http-message.ts'
import { synchroniseClock } from './server-clock.ts'
import type { SessionStore, TokenRenewal } from './token-renewal.ts'

/** `secondFactor`: the password is not enough. */
export type WantedProof = 'any' | 'secondFactor'

export interface ClientOptions {
  readonly session: SessionStore
  readonly renewal: TokenRenewal
  /** How long a call with this path may take. Without it, a call waits until it is aborted. */
  readonly timeoutMs?: (path: string) => number
  /** Asks the user to re-authenticate where the server requires it. Returns false if the user declines. */
  readonly reAuthenticate?: (wanted: WantedProof) => Promise<boolean>
  /** Replaces `fetch`, for example to use preloaded responses. */
  readonly fetch?: (address: string, init: RequestInit, token: string | null) => Promise<Response>
}

export interface ListPage<Rows> {
  readonly rows: Rows
  readonly total: number
  /** Present if a search has not examined everything: with which `beforeId` it continues, and the time of the newest that is left. */
  readonly unsearched?: { readonly beforeId: number; readonly newestAt: string }
}

/**
 * All methods throw a CallError unless the call succeeds. An access token that is about to expire is renewed before it
 * is sent, because browsers log every refused request. If the server refuses it nevertheless, it is renewed once and
 * the call repeated.
 */
export interface Client {
  call<Name extends CallName>(name: Name, ...args: Arguments<Name>): Promise<CallReply<Name>>
  /** One page of a list, with the total count of rows. */
  callPage<Name extends CallName>(name: Name, ...args: Arguments<Name>): Promise<ListPage<CallReply<Name>>>
  /** The body of the response as it arrives, for server-sent events. */
  callStream<Name extends CallName>(name: Name, ...args: Arguments<Name>): Promise<ReadableStream<Uint8Array>>
}

export function createClient(options: ClientOptions): Client {
  const send = <T>(name: string, args: readonly unknown[], read: (response: Response) => Promise<T>) =>
    callWithReAuthentication(options, { name, args: (args[0] as CallArguments | undefined) ?? {}, read })
  return {
    async call<Name extends CallName>(name: Name, ...args: Arguments<Name>) {
      return (await send(name, args, readReply)) as CallReply<Name>
    },
    callPage: (name, ...args) => send(name, args, readPage<CallReply<typeof name>>),
    callStream: (name, ...args) => send(name, args, readStream),
  }
}

async function readPage<Rows>(response: Response): Promise<ListPage<Rows>> {
  const { headers } = response
  const page = { rows: (await readReply(response)) as Rows, total: Number(headers.get('x-total-count') ?? 0) }
  const newestAt = headers.get(unsearchedHeaders.newestAt)
  if (newestAt === null) return page
  return { ...page, unsearched: { beforeId: Number(headers.get(unsearchedHeaders.continueBefore)), newestAt } }
}

async function readStream({ body }: Response): Promise<ReadableStream<Uint8Array>> {
  if (body === null) throw CallError.unreachable()
  return body
}

interface PendingCall<T> {
  readonly name: string
  readonly args: CallArguments
  readonly read: (response: Response) => Promise<T>
}

const wantedProofs: Readonly<Record<string, WantedProof>> = { proofNeeded: 'any', factorNeeded: 'secondFactor' }

/** Repeats a call that the server refuses until the user has re-authenticated. Asks for each proof once. */
async function callWithReAuthentication<T>(
  options: ClientOptions,
  pending: PendingCall<T>,
  given: readonly WantedProof[] = [],
): Promise<T> {
  try {
    return await callWithSession(options, pending)
  } catch (error) {
    const wanted = error instanceof CallError ? wantedProofs[error.code] : undefined
    if (wanted === undefined || given.includes(wanted) || pending.name === 'POST /me/proof') throw error
    if ((await options.reAuthenticate?.(wanted)) !== true) throw error
    return callWithReAuthentication(options, pending, [...given, wanted])
  }
}

/** For these, status 401 is about the entered credentials, not about the session. */
const takesCredentials = /verify|signin|signup|registration|login/

async function callWithSession<T>(options: ClientOptions, pending: PendingCall<T>): Promise<T> {
  if (takesCredentials.test(pending.name)) return attempt(options, pending, options.session.readToken())
  const token = await findValidToken(options)
  try {
    return await attempt(options, pending, token)
  } catch (error) {
    if (!isSignedOut(error)) throw error
    return repeatWithNewToken(options, pending, { token, error })
  }
}

/** Null for a visitor. Ends the session and throws if the token has expired and cannot be renewed. */
async function findValidToken({ session, renewal }: ClientOptions): Promise<string | null> {
  const token = session.readToken()
  if (token === null || !isTokenExpiring(token)) return token
  const renewed = await renewal.renewToken(token)
  if (renewed !== null) return renewed
  session.end?.()
  throw CallError.notSignedIn()
}

async function repeatWithNewToken<T>(
  options: ClientOptions,
  pending: PendingCall<T>,
  { token, error: refusal }: { token: string | null; error: CallError },
): Promise<T> {
  const renewed = token === null ? null : await options.renewal.renewToken(token)
  try {
    if (renewed === null) throw refusal
    return await attempt(options, pending, renewed)
  } catch (error) {
    if (isSignedOut(error)) options.session.end?.()
    throw error
  }
}

function isSignedOut(error: unknown): error is CallError {
  return error instanceof CallError && error.isSignedOut
}

async function attempt<T>(
  { timeoutMs, fetch: send = fetch }: ClientOptions,
  { name, args, read }: PendingCall<T>,
  token: string | null,
): Promise<T> {
  const [method = 'GET', path = ''] = name.split(' ')
  const limitMs = timeoutMs?.(path)
  const timeout = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs)
  try {
    const signal = AbortSignal.any([timeout, args.signal].filter((each) => each !== undefined))
    const init = { ...formatRequest(method, args, token), signal }
    const response = await send(formatAddress(path, args), init, token)
    synchroniseClock(response)
    if (!response.ok) throw await CallError.from(response)
    return await read(response)
  } catch (error) {
    if (args.signal?.aborted === true) throw error
    throw toCallError(error, timeout?.aborted === true ? limitMs : undefined)
  }
}

function toCallError(error: unknown, expiredMs: number | undefined): CallError {
  if (error instanceof CallError) return error
  return expiredMs === undefined ? CallError.unreachable() : CallError.timedOut(expiredMs)
}
