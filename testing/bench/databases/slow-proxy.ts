/** A proxy that limits the bytes per second of each connection to a database, like the line to a remote data centre. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Transform } from 'node:stream'

export interface SlowLine extends Disposable {
  readonly port: number
}

/** @param port returns the local port of the database; called for each connection */
export async function openSlowLine(port: () => number, bytesASecond: number): Promise<SlowLine> {
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

/** The time by which all that came so far may have passed decides, so that late timers lose nothing. */
function paced(bytesASecond: number): Transform {
  let freeAt = 0
  return new Transform({
    transform(bytes: Buffer, _encoding, pass) {
      freeAt = Math.max(freeAt, performance.now()) + (bytes.length / bytesASecond) * 1_000
      setTimeout(() => pass(null, bytes), Math.max(0, freeAt - performance.now()))
    },
  })
}
