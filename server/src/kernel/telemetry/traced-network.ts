import type { Network } from '@tributary/engine/ports/network'
import { asFault } from '@tributary/engine/ports/faults'
import type { Tracing } from './tracing.ts'

/** Wraps each outgoing connection in a span of the work that opens it. */
export function tracedNetwork(network: Network, tracing: Tracing): Network {
  return {
    async dial(host, port, signal, protocol) {
      const span = tracing.begin('connect', {
        kind: 'client',
        attributes: { 'server.address': host, 'server.port': port },
      })
      try {
        const socket = await network.dial(host, port, signal, protocol)
        span.end()
        return socket
      } catch (error) {
        span.end(asFault(error).code)
        throw error
      }
    },
  }
}
