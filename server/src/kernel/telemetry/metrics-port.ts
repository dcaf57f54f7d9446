/** Serves `GET /metrics` on a separate port, without authentication. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartRefused } from '../start-error.ts'
import type { Metrics } from './metrics.ts'

/** The content type of Prometheus's text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

export interface MetricsPort {
  readonly port: number
  close(): Promise<void>
}

export async function openMetricsPort(metrics: Metrics, host: string, port: number): Promise<MetricsPort> {
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isAsked) return void response.writeHead(404).end()
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metricsType, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartRefused(
      `The port ${port} for metrics cannot be had (${code}). Choose another TRIBUTARY_METRICS_PORT or TRIBUTARY_METRICS_HOST.`,
    )
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
