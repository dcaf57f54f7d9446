/** Work at a foreign address that must come to an end, whatever the other side does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import type { RateLimiters } from '@tributary/engine/ports/rate-limit'
import type { Clock } from '../../kernel/clock.ts'

export interface WithTimeoutServices {
  readonly clock: Clock
  readonly network: Network
  readonly paces: RateLimiters | undefined
}

interface TimeoutOptions {
  readonly signal: AbortSignal
  readonly timeMaxMs: number
}

/** Whoever was asked and does not stop when told to is left behind: the caller is answered in time. */
export async function withTimeout<T>(
  { network, clock, paces }: WithTimeoutServices,
  bounds: TimeoutOptions,
  work: (around: ConnectionContext) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([bounds.signal, AbortSignal.timeout(bounds.timeMaxMs)])
  try {
    return await Promise.race([
      work({ network: limitConcurrency(network), clock, rateLimiters: paces, signal }),
      aborted(signal),
    ])
  } catch (error) {
    throw signal.aborted ? tooSlow(bounds.timeMaxMs, error) : error
  }
}

/** Sockets to each host, of all who test at this moment. */
const open = new Map<string, number>()
const perHost = 3

/** So that nobody's server is stormed by forms: whoever would be the fourth at a host waits until a socket there is closed. */
function limitConcurrency(network: Network): Network {
  return {
    async dial(host, port, signal, protocol) {
      while ((open.get(host) ?? 0) >= perHost) await sleep(50, undefined, { signal })
      open.set(host, (open.get(host) ?? 0) + 1)
      try {
        const socket = await network.dial(host, port, signal, protocol)
        socket.once('close', () => leave(host))
        return socket
      } catch (error) {
        leave(host)
        throw error
      }
    },
  }
}

function leave(host: string): void {
  const left = (open.get(host) ?? 1) - 1
  if (left === 0) open.delete(host)
  else open.set(host, left)
}

function tooSlow(afterMs: number, cause: unknown): Fault {
  const notice = `There was no answer within ${afterMs / 1_000} seconds. Check the address and the port, and whether a firewall lets Tributary in.`
  return new Fault('passing', { code: 'connection.too_slow', notice, cause })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
