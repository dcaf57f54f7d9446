/** The one way to speak to the server: `call('GET /organisations')`. */
import type { Arguments, CallName, Reply } from '@tributary/contract/calls'
import type { Session } from '@tributary/contract/sign-in'
import { CallError, isSessionOver } from './call-error.ts'
import { asSession, currentSession, storeSession } from './session.ts'

type LooseAsk = { params?: object; query?: object; body?: unknown; signal?: AbortSignal }

const timeoutMs = 30_000
/** A check reads the whole table, and waits a minute for its turn before. */
const longTimeoutMs = 300_000
const isLong = /\/(?:check|commit|undo)$/

/**
 * Throws a CallError for every answer that is not a success, and for none within the time. An expired token is renewed once where
 * the browser lets the pane do so; else the error says that the session has ended.
 */
export async function call<Name extends CallName>(name: Name, ...asked: Arguments<Name>): Promise<Reply<Name>> {
  return (await request(name, asked[0] as LooseAsk | undefined)) as Reply<Name>
}

/** A session from the cookie of this browser, if it has one and sends it. */
export async function renewSession(): Promise<Session | null> {
  const reply = await request('POST /auth/refresh', { body: {} }).catch((error: unknown) => {
    if (isSessionOver(error)) return null
    throw error
  })
  return asSession(reply)
}

async function request(name: string, ask: LooseAsk = {}): Promise<unknown> {
  const token = currentSession()?.accessToken
  try {
    return await attempt(name, ask, token)
  } catch (error) {
    if (token === undefined || !isSessionOver(error) || name.includes('/auth/')) throw error
    const renewed = await renewOnce(token)
    if (renewed === null) throw error
    return attempt(name, ask, renewed)
  }
}

let renewing: Promise<Session | null> | null = null

/** Calls that fail together are renewed together: a second refresh would find its cookie spent. */
async function renewOnce(stale: string): Promise<string | null> {
  const current = currentSession()
  if (current !== null && current.accessToken !== stale) return current.accessToken
  if (isFramed()) return null
  renewing ??= renewSession().finally(() => (renewing = null))
  const session = await renewing
  // The cookie may be of somebody else, who uses the portal in the same browser.
  if (session === null || session.email !== current?.email) return null
  storeSession(session)
  return session.accessToken
}

/** Excel on the web shows the pane as a frame of another site, to which a browser gives no cookies of ours. */
function isFramed(): boolean {
  return window.self !== window.top
}

async function attempt(name: string, ask: LooseAsk, token: string | undefined): Promise<unknown> {
  const [method = 'GET', path = ''] = name.split(' ')
  const waitMs = isLong.test(path) ? longTimeoutMs : timeoutMs
  const time = AbortSignal.timeout(waitMs)
  try {
    const signal = ask.signal === undefined ? time : AbortSignal.any([time, ask.signal])
    const response = await fetch(`/api${address(path, ask)}`, { method, signal, ...sentWith(ask, token) })
    return await answerOf(response)
  } catch (error) {
    if (error instanceof CallError || ask.signal?.aborted === true) throw error
    throw time.aborted ? CallError.timedOut(waitMs) : CallError.unreachable()
  }
}

function sentWith({ body }: LooseAsk, token: string | undefined): RequestInit {
  const headers = new Headers({ accept: 'application/json' })
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (body === undefined) return { headers }
  headers.set('content-type', 'application/json')
  return { headers, body: JSON.stringify(body) }
}

async function answerOf(response: Response): Promise<unknown> {
  if (!response.ok) throw await CallError.from(response)
  return response.status === 204 ? undefined : response.json()
}

function address(path: string, { params = {}, query = {} }: LooseAsk): string {
  const values = params as Record<string, unknown>
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(values[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}
