/** A way to a server that can be shut: what goes through it is cut off, and nothing more gets in until it is opened again. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Door {
  /** On 127.0.0.1. */
  readonly port: number
  shut(): void
  open(): Promise<void>
}

export async function openDoor(to: { readonly host: string; readonly port: number }): Promise<Door> {
  const through = new Set<Socket>()
  const server = createServer((inner) => {
    const outer = connect(to)
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      through.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
      socket.pipe(other)
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  server.unref()
  return {
    port,
    shut() {
      server.close()
      for (const socket of through) socket.destroy()
      through.clear()
    },
    async open() {
      await listen(port)
    },
  }
}
