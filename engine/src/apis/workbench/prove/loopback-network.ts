/** Reaches one port of this computer only: that of a simulated API. */
import { connect } from 'node:net'
import type { Network } from '../../../ports/network.ts'

export function loopbackNetwork(allowed: number): Network {
  return {
    dial(_, port, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof connect>>()
      if (port !== allowed) throw new Error(`A simulation called port ${port}.`)
      const socket = connect({ host: '127.0.0.1', port, signal })
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(socket)
      })
      return promise
    },
  }
}
