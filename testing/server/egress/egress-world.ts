/** What is outside in the programme of the way out: sinks that note who comes, and servers that may be dialled and send elsewhere. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { startTdsStub } from '../../engine/sqlserver/tds-stub.ts'
import { canonicalise } from '../../../server/src/security/egress/ip-ranges.ts'
import type { ResolveName } from '../../../server/src/security/egress/egress.ts'
import type { KnownName } from './egress-cases.ts'

/** Whatever a sink says would be seen in a reply if somebody had read it. */
export const banner = 'sink-banner-4711'

export interface Sink {
  readonly port: number
  /** The addresses at which somebody came, each time. */
  readonly reached: readonly string[]
}

/** Listens at every address there is. */
export async function openSink(port = 0): Promise<Sink> {
  const reached: string[] = []
  const server = createServer((socket) => {
    reached.push(canonicalise(socket.localAddress ?? ''))
    socket.on('error', () => {})
    socket.end(banner)
  })
  // Both families, or the one there is.
  const listening = await listen(server, { port, host: '::' }).catch(() => listen(server, { port, host: '0.0.0.0' }))
  return { port: listening, reached }
}

export interface Door {
  readonly port: number
  accepted: number
}

/** Answers as the path says, `/moved/302/<where>/…` or `/next/<where>/…`, both in base64url; takes webhooks, and knows no key. */
export async function openWebDoor(): Promise<Door> {
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
  const door = { port: await listen(http, { port: 0, host: '127.0.0.1' }), accepted: 0 }
  http.on('connection', () => (door.accepted += 1))
  return door
}

function decodePath(text: string): string {
  // A header holds no line break and nothing beyond Latin-1.
  return encodeURI(Buffer.from(text, 'base64url').toString()).replaceAll('%25', '%')
}

export interface SqlDoor extends Door {
  readonly user: string
  readonly password: string
  /** Where every client is sent after it has signed in. */
  readonly route: { host: string; port: number }
}

/** A SQL Server. Each connection to it is made twice: to the door, and from there to what speaks TDS. */
export async function openSqlDoor(): Promise<SqlDoor> {
  const route = { host: 'sql.shop.example', port: 1433 }
  const { reach } = await startTdsStub({ route })
  const door = { port: 0, accepted: 0, route, user: reach.user, password: reach.password }
  const server = createServer((socket) => {
    door.accepted += 1
    join(socket, connect(reach.port, reach.host))
  })
  door.port = await listen(server, { port: 0, host: '127.0.0.1' })
  return door
}

export function join(one: Socket, other: Socket): void {
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

/** A name server of our own for the names it knows, else the machine's. */
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

/** How many TCP connections this network namespace has ever begun, answered or not. */
export function connectionsBegun(): number {
  const [names = '', values = ''] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
  return Number(values.split(' ')[names.split(' ').indexOf('ActiveOpens')])
}
