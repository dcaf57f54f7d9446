/** A proxy that limits the bytes per second of each connection to a database, like a remote data centre. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Transform } from 'node:stream'

export interface SlowProxy extends Disposable {
  readonly port: number
}

/** @param port returns the local port of the database; called for each connection */
export async function openSlowProxy(port: () => number, bytesASecond: number): Promise<SlowProxy> {
  const server = createServer((near) => {
    const far = connect(port(), '127.0.0.1')
    for (const end of [near, far]) end.setNoDelay(true).on('error', () => [near, far].forEach((each) => each.destroy()))
    near.pipe(far)
    far.pipe(paced(bytesASecond)).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() }
}

/** Schedules each chunk relative to the end of the previous one, so that late timers do not reduce the rate. */
function paced(bytesASecond: number): Transform {
  let freeAt = 0
  return new Transform({
    transform(bytes: Buffer, _encoding, pass) {
      freeAt = Math.max(freeAt, performance.now()) + (bytes.length / bytesASecond) * 1_000
      setTimeout(() => pass(null, bytes), Math.max(0, freeAt - performance.now()))
    },
  })
}
