/** A proxy in front of a database that counts the bytes of all connections, in both directions. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface CountingProxy extends Disposable {
  readonly port: number
  /** Returns the bytes since the last call. */
  takeBytes(): number
}

export async function openCountingProxy(port: number): Promise<CountingProxy> {
  let bytes = 0
  const count = (chunk: Buffer): void => void (bytes += chunk.length)
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const end of [near, far])
      end
        .setNoDelay(true)
        .on('data', count)
        .on('error', () => [near, far].forEach((each) => each.destroy()))
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    takeBytes() {
      const taken = bytes
      bytes = 0
      return taken
    },
    [Symbol.dispose]: () => server.close(),
  }
}
