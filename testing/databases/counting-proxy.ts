/** Proxies in front of a database. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface DatabaseProxy extends Disposable {
  readonly port: number
}

/** What one connection sends and receives. */
interface WatchedConnection {
  readonly sent: (chunk: Buffer) => void
  readonly received?: (chunk: Buffer) => void
}

export async function openProxy(port: number, watch: () => WatchedConnection): Promise<DatabaseProxy> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const { sent, received = () => undefined } = watch()
    near.on('data', sent)
    far.on('data', received)
    for (const end of [near, far]) end.setNoDelay(true).on('error', () => [near, far].forEach((each) => each.destroy()))
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() }
}

interface CountingProxy extends DatabaseProxy {
  /** Returns the bytes since the last call. */
  takeBytes(): number
}

/** Counts the bytes of all connections, in both directions. */
export async function openCountingProxy(port: number): Promise<CountingProxy> {
  let bytes = 0
  const count = (chunk: Buffer): void => void (bytes += chunk.length)
  const proxy = await openProxy(port, () => ({ sent: count, received: count }))
  return {
    ...proxy,
    takeBytes() {
      const taken = bytes
      bytes = 0
      return taken
    },
  }
}
