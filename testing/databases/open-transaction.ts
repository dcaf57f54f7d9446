/** A transaction of another session that stays open, as that of a program which was forgotten. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'

export interface OpenTransaction extends AsyncDisposable {
  query(text: string): Promise<unknown>
  /**
   * Resolves when no other transaction of the server is open that is older than what was written so far. Those of other tests count, too.
   */
  isAlone(): Promise<void>
}

export async function openTransaction(connection: ClientConfig): Promise<OpenTransaction> {
  const [client, observer] = [new Client(connection), new Client(connection)]
  await client.connect()
  await observer.connect()
  await client.query('BEGIN')
  const { rows: begun } = await client.query<{ id: string }>('SELECT txid_current()::text AS id')
  return {
    query: (text) => client.query(text),
    async isAlone() {
      const { rows: written } = await observer.query<{ id: string }>('SELECT txid_current()::text AS id')
      for (;;) {
        const { rows: others } = await observer.query(
          'SELECT FROM txid_snapshot_xip(txid_current_snapshot()) AS id WHERE id < $1::bigint AND id <> $2::bigint',
          [written[0]?.id, begun[0]?.id],
        )
        if (others.length === 0) return
        await sleep(20)
      }
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await observer.end()
    },
  }
}
