/** The HTTP server of a simulator, on this computer only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A request that cannot be understood is refused with the reason, and ends nothing else. */
export function serve(respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Server {
  return createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error))
    })
  })
}

export function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** Ends open connections, too. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
