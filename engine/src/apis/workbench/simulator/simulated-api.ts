/** An API that is generated from a description: it serves one stream of it over HTTP, with records that change while they are read. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { injectFault } from './injected-faults.ts'
import type { SeededRandom } from './seeded-random.ts'
import { type SimulatedJson, writeJson } from './simulated-json.ts'

export interface Reply {
  readonly status: number
  readonly json: SimulatedJson
  readonly link?: string
  /** The reply has one record: a list is read with a call for each of many records. */
  readonly isRecord?: boolean
  /** In place of JSON. */
  readonly xml?: string
}

/** What the API answers, and how its records change. */
export interface SimulatedService {
  readonly basePath: string
  readonly random: SeededRandom
  to(url: URL, headers: IncomingMessage['headers']): Reply
  /** Adds, changes and deletes some records. */
  trade(times: number): void
}

export interface SimulatedApiOptions {
  readonly service: SimulatedService
  readonly now: () => number
  /** The share of pages after which records change. */
  readonly moves: number
  /** The share of calls that fail at first. */
  readonly faults: number
}

export interface SimulatedApi extends AsyncDisposable {
  readonly base: URL
  readonly port: number
  calls(): number
  /** From now on nothing moves and nothing fails. */
  calm(): void
}

/** So many calls for single records count as one page. */
const recordsOnPage = 7

export async function startSimulatedApi({ service, now, moves, faults }: SimulatedApiOptions): Promise<SimulatedApi> {
  const { random } = service
  const state = { isCalm: false, mayFail: true, calls: 0 }
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    state.calls += 1
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
    const reply = service.to(url, request.headers)
    const share = reply.isRecord === true ? moves / recordsOnPage : moves
    if (!state.isCalm && random.next() < share) service.trade(random.between(1, 3))
    const fails = !state.isCalm && state.mayFail && random.next() < faults
    state.mayFail = !fails
    send(response, reply, { now: now(), fault: fails ? random.between(0, 1_000) : null })
  }
  const server = createServer(respond)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    base: new URL(`http://127.0.0.1:${port}${service.basePath}`),
    port,
    calls: () => state.calls,
    calm() {
      state.isCalm = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(
  response: ServerResponse,
  { status, json, link, xml }: Reply,
  { now, fault }: { readonly now: number; readonly fault: number | null },
): void {
  const body = xml ?? writeJson(json)
  response.sendDate = false
  response.setHeader('date', new Date(now).toUTCString())
  if (fault !== null) return injectFault(response, body, fault)
  if (link !== undefined) response.setHeader('link', link)
  response.writeHead(status, { 'content-type': xml === undefined ? 'application/json' : 'application/xml' }).end(body)
}
