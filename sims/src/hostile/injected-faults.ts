/** How a hostile server fails a call that it would have answered. */
import type { ServerResponse } from 'node:http'

type InjectedFault = (reply: ServerResponse, body: string) => void

export const injectedFaults: readonly InjectedFault[] = [
  (reply) => void reply.writeHead(429, { 'retry-after': '2' }).end(),
  (reply) => void reply.writeHead(429).end('slow down'),
  (reply) => void reply.writeHead(500).end('{"error":"internal"}'),
  (reply) => void reply.writeHead(503).end(),
  (reply) => void reply.destroy(),
  (reply, body) => {
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) })
    reply.write(body.slice(0, Math.floor(body.length / 2)), () => reply.destroy())
  },
]
