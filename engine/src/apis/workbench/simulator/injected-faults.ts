/** How a simulated API fails a call that it would have answered. The same call succeeds when it is repeated. */
import type { ServerResponse } from 'node:http'

type InjectedFault = (response: ServerResponse, body: string) => void

const faults: readonly InjectedFault[] = [
  (response) => void response.writeHead(500).end('{"error":"internal"}'),
  (response) => void response.writeHead(503).end(),
  // The connection ends before the reply, or in its middle.
  (response) => void response.destroy(),
  (response, body) => {
    const length = String(Buffer.byteLength(body))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    response.write(body.slice(0, Math.floor(body.length / 2)), () => void response.destroy())
  },
]

export function injectFault(response: ServerResponse, body: string, dice: number): void {
  faults[dice % faults.length]?.(response, body)
}
