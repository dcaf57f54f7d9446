/** Locks of a test in PostgreSQL, which hold a process at a statement so that it can be killed there. */
import { Client, type ClientConfig } from 'pg'
import { until } from '../connectors/run-driver.ts'

export interface HeldLock extends AsyncDisposable {
  release(): Promise<void>
}

/** @param statement takes the lock, such as `LOCK TABLE …` */
export async function holdLock(connection: ClientConfig, statement: string): Promise<HeldLock> {
  const client = new Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`BEGIN; ${statement}`)
  let isOpen = true
  const release = async () => {
    if (isOpen) await client.end()
    isOpen = false
  }
  return { release, [Symbol.asyncDispose]: release }
}

/** Resolves once a statement waits for the table. */
export async function untilWaiting(connection: ClientConfig, table: string, patienceMs: number): Promise<void> {
  const waiting = () =>
    selectRows(
      connection,
      `SELECT 1 FROM pg_locks JOIN pg_class ON pg_class.oid = relation WHERE relname = '${table}' AND NOT granted`,
    )
  await until(waiting, ({ length }) => length > 0, patienceMs)
}

export async function selectRows<Row extends object>(connection: ClientConfig, text: string): Promise<Row[]> {
  const pg = new Client(connection)
  await pg.connect()
  try {
    return (await pg.query<Row>(text)).rows
  } finally {
    await pg.end()
  }
}
