/** The context of sources and targets in tests and benchmarks: the real clock and an unrestricted network. */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '@tributary/engine/ports/clock'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectionContext } from '@tributary/engine/ports/source'

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
}

export const openNetwork: Network = { dial: dialAnything }

export function connectionContext(signal: AbortSignal = new AbortController().signal): ConnectionContext {
  return { network: openNetwork, clock: realClock, signal }
}

function dialAnything(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal })
    const fail = (cause: Error): void =>
      reject(
        new Fault('passing', {
          code: 'network.unreachable',
          notice: `${host} cannot be reached. Check the host and the port.`,
          cause,
        }),
      )
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
