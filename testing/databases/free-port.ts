/**
 * Finds an unused loopback port below the ephemeral ports (from 32768 on Linux, 49152 elsewhere), so that no outgoing
 * connection can take it before the server does.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
