/** Servers of the egress programme: sinks that count connections, and allowed servers that redirect elsewhere. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { startTdsStub } from '../../engine/sqlserver/tds-stub.ts'
import { canonicalise } from '../../../server/src/security/egress/ip-ranges.ts'
import type { ResolveName } from '../../../server/src/security/egress/egress.ts'
import type { KnownName } from './egress-cases.ts'

/** Sent by sinks. If a reply contained it, the server would have read from a forbidden address. */
export const banner = 'sink-banner-4711'

export interface EgressSink {
  readonly port: number
  /** The local address of each connection. */
  readonly reached: readonly string[]
}

/** Listens on every address. */
export async function openSink(port = 0): Promise<EgressSink> {
  const reached: string[] = []
  const server = createServer((socket) => {
    reached.push(canonicalise(socket.localAddress ?? ''))
    socket.on('error', () => {})
    socket.end(banner)
  })
  // IPv4 and IPv6, or only IPv4.
  const listening = await listen(server, { port, host: '::' }).catch(() => listen(server, { port, host: '0.0.0.0' }))
  return { port: listening, reached }
}

export interface EgressServer {
  readonly port: number
  accepted: number
}

/**
 * Responds as the path says: `/moved/302/<target>/…` or `/next/<target>/…` in base64url. Accepts webhooks, but no key.
 */
export async function openWebServer(): Promise<EgressServer> {
  const http = createHttpServer((request, response) => {
    const [, what, first = '', second = ''] = (request.url ?? '').split('/')
    if (what === 'moved') {
      const to = decodePath(second)
      response
        .writeHead(Number(first), {
          location: to,
          refresh: `0;url=${to}`,
          'content-location': to,
          'alt-svc': `h2="${to}"`,
        })
        .end()
    } else if (what === 'next') {
      const row = { CompanyId: 1, CompanyName: 'One', RowId: 1 }
      response.end(JSON.stringify({ value: [row], '@odata.nextLink': decodePath(first) }))
    } else response.writeHead(request.url === '/hook' ? 204 : 401).end()
  })
  const server = { port: await listen(http, { port: 0, host: '127.0.0.1' }), accepted: 0 }
  http.on('connection', () => (server.accepted += 1))
  return server
}

function decodePath(text: string): string {
  // A header may contain only Latin-1 without line breaks.
  return encodeURI(Buffer.from(text, 'base64url').toString()).replaceAll('%25', '%')
}

export interface EgressSqlServer extends EgressServer {
  readonly user: string
  readonly password: string
  /** The server that every client is routed to after login. */
  readonly route: { host: string; port: number }
}

/** A SQL Server stub. Each connection counts twice: to this server, and from here to the TDS stub. */
export async function openSqlServer(): Promise<EgressSqlServer> {
  const route = { host: 'sql.shop.example', port: 1433 }
  const { reach } = await startTdsStub({ route })
  const stub = { port: 0, accepted: 0, route, user: reach.user, password: reach.password }
  const server = createServer((socket) => {
    stub.accepted += 1
    pipeSockets(socket, connect(reach.port, reach.host))
  })
  stub.port = await listen(server, { port: 0, host: '127.0.0.1' })
  return stub
}

export function pipeSockets(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
  one.pipe(other).pipe(one)
}

async function listen(server: Server, at: { readonly port: number; readonly host: string }): Promise<number> {
  server.listen(at)
  await once(server, 'listening')
  server.unref()
  return (server.address() as AddressInfo).port
}

/** A fake name server for the known names; other names use the system's resolver. */
export function lookUpAmong(names: readonly KnownName[], system: ResolveName): ResolveName {
  const turns = new Map<string, number>()
  const known = new Map(names.map(({ name, answers }) => [name, answers]))
  return (name) => {
    const answers = known.get(name)
    if (answers === undefined) return system(name)
    const turn = turns.get(name) ?? 0
    turns.set(name, turn + 1)
    return Promise.resolve(answers[turn % answers.length] ?? [])
  }
}

/** How many TCP connections this network namespace has ever opened, successful or not. */
export function connectionsBegun(): number {
  const [names = '', values = ''] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
  return Number(values.split(' ')[names.split(' ').indexOf('ActiveOpens')])
}
