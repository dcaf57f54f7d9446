/** Ports that nothing listens at. */
import { createServer } from 'node:net'

export function portOfNobody(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
