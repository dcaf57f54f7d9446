/** Limits the time of work at a remote host. */
import type { ConnectionServices } from '../connection-services.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import { rejectOnAbort } from '../../kernel/reject-on-abort.ts'

export type WithTimeoutServices = Pick<ConnectionServices, 'clock' | 'network' | 'rateLimiters'>

/** Rejects at the timeout even if the work ignores the abort signal; such work continues in the background. */
export async function withTimeout<T>(
  { network, clock, rateLimiters }: WithTimeoutServices,
  stopSignal: AbortSignal,
  timeoutMs: number,
  work: (context: ConnectionContext) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(timeoutMs)])
  try {
    return await Promise.race([
      work({ network: limitConcurrency(network), clock, rateLimiters, signal }),
      rejectOnAbort(signal),
    ])
  } catch (error) {
    throw signal.aborted ? timeoutFault(timeoutMs, error) : error
  }
}

/** Open sockets by host, over all connection tests of this process. */
const openSockets = new Map<string, number>()
const socketsPerHostMax = 3

/**
 * Protects a remote server from many simultaneous tests: a fourth connection to a host waits until a socket is closed.
 */
function limitConcurrency(network: Network): Network {
  return {
    async dial(host, port, signal, protocol) {
      while ((openSockets.get(host) ?? 0) >= socketsPerHostMax) await sleep(50, undefined, { signal })
      openSockets.set(host, (openSockets.get(host) ?? 0) + 1)
      try {
        const socket = await network.dial(host, port, signal, protocol)
        socket.once('close', () => releaseSocket(host))
        return socket
      } catch (error) {
        releaseSocket(host)
        throw error
      }
    },
  }
}

function releaseSocket(host: string): void {
  const left = (openSockets.get(host) ?? 1) - 1
  if (left === 0) openSockets.delete(host)
  else openSockets.set(host, left)
}

function timeoutFault(afterMs: number, cause: unknown): Fault {
  const notice = `There was no answer within ${afterMs / 1_000} seconds. Check the address and the port, and whether a firewall lets Tributary in.`
  return new Fault('passing', { code: 'connection.too_slow', notice, cause })
}
