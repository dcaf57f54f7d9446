/** A fake server for tests of the pane. Handlers are named and typed by the contract's routes. */
import type { CallName, CallReply } from '@tributary/contract/calls'

export interface PaneCall {
  readonly name: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly token: string | null
}
type PaneReply<Name extends CallName> = CallReply<Name> | Response | Promise<CallReply<Name> | Response>
export type PaneHandlers = { readonly [Name in CallName]?: (received: PaneCall) => PaneReply<Name> }

/** Returns the calls received so far, in order. */
export function fakeServer(handlers: PaneHandlers): PaneCall[] {
  const calls: PaneCall[] = []
  globalThis.fetch = async (input, init = {}) => {
    init.signal?.throwIfAborted()
    const { pathname, searchParams: query } = new URL(String(input), 'https://tributary.example')
    const path = pathname.replace(/^\/api/, '')
    const name =
      Object.keys(handlers).find((known) => matches(known, init.method ?? 'GET', path)) ?? `${init.method} ${path}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null
    const call = { name, path, query, body, token }
    calls.push(call)
    const handler = handlers[name as CallName] as ((received: PaneCall) => unknown) | undefined
    const answer = handler === undefined ? fault(404, 'notFound', 'There is nothing here.') : await handler(call)
    if (answer instanceof Response) return answer
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
  }
  return calls
}

export function fault(statusCode: number, code: string, message: string): Response {
  return Response.json({ statusCode, error: 'Error', message, code, reference: 'reference-1' }, { status: statusCode })
}

export const signedOut = () => fault(401, 'notSignedIn', 'Unauthorized')

function matches(name: string, method: string, path: string): boolean {
  const [wantedMethod, pattern = ''] = name.split(' ')
  return wantedMethod === method && new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
}
