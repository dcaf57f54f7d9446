/** An API that is generated from a description: it serves one stream of it over HTTP, with records that change while they are read. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { injectFault } from './injected-faults.ts'
import { type Reply, Replies, type RepliesOptions } from './simulated-replies.ts'
import type { SimulatedRecords } from './simulated-records.ts'
import { writeJson } from './simulated-json.ts'

export interface SimulatedApiOptions extends RepliesOptions {
  readonly records: SimulatedRecords
  /** The share of calls during which records change. */
  readonly moves: number
  readonly movesDelete: boolean
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

export async function startSimulatedApi(options: SimulatedApiOptions): Promise<SimulatedApi> {
  const { records, now } = options
  const replies = new Replies(options)
  const state = { isCalm: false, mayFail: true, calls: 0 }
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    state.calls += 1
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
    if (!state.isCalm && records.random.next() < options.moves)
      records.trade(records.random.between(1, 3), options.movesDelete)
    const reply = replies.to(url)
    const fails = !state.isCalm && state.mayFail && records.random.next() < options.faults
    state.mayFail = !fails
    send(response, reply, { now: now(), fault: fails ? records.random.between(0, 1_000) : null })
  }
  const server = createServer(respond)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    base: new URL(`http://127.0.0.1:${port}${replies.basePath}`),
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
  { status, json, link }: Reply,
  { now, fault }: { readonly now: number; readonly fault: number | null },
): void {
  const body = writeJson(json)
  response.sendDate = false
  response.setHeader('date', new Date(now).toUTCString())
  if (fault !== null) return injectFault(response, body, fault)
  if (link !== undefined) response.setHeader('link', link)
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
