/** The one way to speak to the server: `call('GET /organisations')`. */
import { CallError } from './call-error.ts'
import { learnTime, now } from './server-clock.ts'
import { takeEarly } from './early-calls.ts'
import { askForProof } from './session/re-authentication.ts'
import { renewToken } from './session/token-renewal.ts'
import type { Arguments, CallName, Reply } from '@tributary/contract/calls'
import type { workbookType } from '@tributary/contract/route'
import { endSession, readToken, tokenEnd } from './session/session.ts'

/** Typed by the contract, whose module holds schemas that no browser loads. */
const workbook: typeof workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type LooseAsk = { params?: object; query?: object; body?: unknown; file?: Blob; signal?: AbortSignal }

/** On these a 401 is an answer about what was typed, not about the session. */
const answersForItself = /verify|signin|signup|registration|login/

/**
 * Throws a CallError for every answer that is not a success. A token that runs out is renewed before it is sent: a browser writes every
 * refused call into its console. One that is refused all the same is renewed once and the call repeated.
 */
export async function call<Name extends CallName>(name: Name, ...asked: Arguments<Name>): Promise<Reply<Name>> {
  return (await read(await request(name, asked[0] as LooseAsk | undefined))) as Reply<Name>
}

/** One page of a list, and how many there are in all. */
export async function callPage<Name extends CallName>(
  name: Name,
  ...asked: Arguments<Name>
): Promise<{ rows: Reply<Name>; total: number }> {
  const response = await request(name, asked[0] as LooseAsk | undefined)
  return { rows: (await read(response)) as Reply<Name>, total: Number(response.headers.get('x-total-count') ?? 0) }
}

/** The answer as it arrives, piece by piece: for events. */
export async function callStream<Name extends CallName>(
  name: Name,
  ...asked: Arguments<Name>
): Promise<ReadableStream<Uint8Array>> {
  const { body } = await request(name, asked[0] as LooseAsk | undefined)
  if (body === null) throw CallError.unreachable()
  return body
}

/** A call that asks for a fresh proof is made again once the person has given one. */
async function request(name: string, ask: LooseAsk = {}): Promise<Response> {
  try {
    return await requestOnce(name, ask)
  } catch (error) {
    const isProofNeeded = error instanceof CallError && error.code === 'proofNeeded' && name !== 'POST /me/proof'
    if (!isProofNeeded || !(await askForProof())) throw error
    return requestOnce(name, ask)
  }
}

async function requestOnce(name: string, ask: LooseAsk): Promise<Response> {
  const isForItself = answersForItself.test(name)
  const token = isForItself ? readToken() : await currentToken()
  const first = await attempt(name, ask, token)
  if (first.ok) return first
  const error = await CallError.from(first)
  if (!isSignedOut(error) || isForItself) throw error

  const renewed = token === null ? null : await renewToken(token)
  const second = renewed === null ? first : await attempt(name, ask, renewed)
  if (second.ok) return second
  const last = renewed === null ? error : await CallError.from(second)
  if (isSignedOut(last)) endSession()
  throw last
}

/** So long before its end a token may not reach the server in time. */
const renewalLeadMs = 5_000

/** Null for a visitor. Throws where the session is over, and ends it here. */
async function currentToken(): Promise<string | null> {
  const token = readToken()
  if (token === null || tokenEnd(token) > now() + renewalLeadMs) return token
  const renewed = await renewToken(token)
  if (renewed !== null) return renewed
  endSession()
  throw new CallError({ statusCode: 401, code: 'notSignedIn', message: 'Unauthorized' })
}

function isSignedOut(error: CallError): boolean {
  return error.statusCode === 401 || error.message === 'Unauthorized'
}

async function attempt(name: string, ask: LooseAsk, token: string | null): Promise<Response> {
  const [method = 'GET', path = ''] = name.split(' ')
  const headers = new Headers({ accept: `application/json, text/csv, text/event-stream, ${workbook}` })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const sent = sentWith(ask)
  if (sent !== undefined) headers.set('content-type', sent.type)
  const to = `/api${address(path, ask)}`
  const early = method === 'GET' ? await takeEarly(to, token) : null
  try {
    const response =
      early ??
      (await fetch(to, {
        method,
        headers,
        credentials: 'include',
        ...(sent === undefined ? {} : { body: sent.body }),
        ...(ask.signal === undefined ? {} : { signal: ask.signal }),
      }))
    learnTime(response)
    return response
  } catch (error) {
    if (ask.signal?.aborted === true) throw error
    throw CallError.unreachable()
  }
}

/** A file goes as it is, anything else as JSON. */
function sentWith({ file, body }: LooseAsk): { readonly type: string; readonly body: Blob | string } | undefined {
  if (file !== undefined) return { type: 'application/octet-stream', body: file }
  return body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) }
}

function address(path: string, { params = {}, query = {} }: LooseAsk): string {
  const values = params as Record<string, unknown>
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(values[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}

async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/csv')) return response.text()
  return type.startsWith(workbook) ? response.blob() : response.json()
}
