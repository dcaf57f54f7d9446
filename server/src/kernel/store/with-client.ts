import { Client, type ClientConfig } from 'pg'
import { keepAliveOptions } from './keep-alive.ts'

/** Runs `work` on one connection, outside the pool, and closes it. An error while it is idle does not end the process. */
export async function withClient<T>(connection: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...keepAliveOptions, ...connection })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
