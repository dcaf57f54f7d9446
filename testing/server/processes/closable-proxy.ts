/** A TCP proxy to a server. While it is closed, existing connections are dropped and new ones refused. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface ClosableProxy {
  /** Port on 127.0.0.1. */
  readonly port: number
  close(): void
  open(): Promise<void>
}

export async function openClosableProxy(to: { readonly host: string; readonly port: number }): Promise<ClosableProxy> {
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
    close() {
      server.close()
      for (const socket of through) socket.destroy()
      through.clear()
    },
    async open() {
      await listen(port)
    },
  }
}
