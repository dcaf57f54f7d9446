/** A fake server for tests of the portal. Handlers are named and typed by the contract's routes. */
import type { CallName, CallReply } from '@tributary/contract/calls'

interface PortalCall {
  readonly body: unknown
  readonly token: string | null
  readonly url: URL
}
type PortalReply<Name extends CallName> = CallReply<Name> | Response | Promise<CallReply<Name> | Response>
export type PortalHandlers = { readonly [Name in CallName]?: (received: PortalCall) => PortalReply<Name> }

/** Returns the names of the calls received so far, in order. */
export function fakeServer(handlers: PortalHandlers): string[] {
  const received: string[] = []
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(String(input), 'http://localhost:3000')
    const method = init.method ?? 'GET'
    const name = Object.keys(handlers).find((known) => matches(known, method, url.pathname.replace(/^\/api/, '')))
    received.push(name ?? `${method} ${url.pathname}`)
    if (name === undefined) return fault(404, 'notFound', 'There is nothing here.')
    const handler = handlers[name as CallName] as (received: PortalCall) => unknown
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null
    const answer = await handler({ body, token, url })
    if (answer instanceof Response) return answer
    if (answer === undefined) return new Response(null, { status: 204 })
    // Complete lists. A handler of a longer one returns a response with its own total.
    return Response.json(answer, Array.isArray(answer) ? { headers: { 'x-total-count': String(answer.length) } } : {})
  }
  return received
}

export function fault(statusCode: number, code: string, message: string, fields?: Record<string, string>): Response {
  return Response.json(
    { statusCode, error: 'Error', message, code, reference: 'reference-1', ...(fields && { fields }) },
    { status: statusCode },
  )
}

function matches(name: string, method: string, path: string): boolean {
  const [wantedMethod, pattern = ''] = name.split(' ')
  return wantedMethod === method && new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
}
