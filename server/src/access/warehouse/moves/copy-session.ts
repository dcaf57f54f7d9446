/** Connections of a move to the two databases of a warehouse, with the rights of its writer. */
import type { Socket } from 'node:net'
import { Client, escapeIdentifier as q } from 'pg'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import { lockForSession } from '../../../kernel/store/locks.ts'
import type { WarehouseRow } from '../queries.ts'

/** The program name of these connections. */
const programName = 'tributary move'

/** Both databases write values in the same way, and names are qualified. */
const settings = `SET search_path = ''; SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'; SET lc_monetary = 'C'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET check_function_bodies = off; SET lock_timeout = '20s'; SET client_min_messages = warning; SET quote_all_identifiers = off`

export interface CopySession extends AsyncDisposable {
  readonly client: Client
}

/** Closed when the signal aborts. */
export async function openCopySession(
  server: WarehouseServer,
  { databaseName, writerName }: Pick<WarehouseRow, 'databaseName' | 'writerName'>,
  signal: AbortSignal,
): Promise<CopySession> {
  signal.throwIfAborted()
  const client = new Client({
    ...server.admin,
    database: databaseName,
    application_name: programName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  const end = () => destroyConnection(client)
  await client.connect()
  signal.addEventListener('abort', end, { once: true })
  await client.query(settings)
  await client.query(`SET ROLE ${q(writerName)}`)
  return {
    client,
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', end)
      await client.end().catch(() => undefined)
    },
  }
}

/** Closes the connection at once, whatever it is doing. */
export function destroyConnection(client: Client): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  connection.stream.destroy()
}

/**
 * Makes this connection the only one of a move that writes the new database. It ends those of workers that were slow or have stopped, and
 * holds a lock as long as it is open. Their writes would need that connection, so none can follow.
 */
export async function becomeOnlyWriter(
  { client }: CopySession,
  { writerName }: Pick<WarehouseRow, 'writerName'>,
): Promise<void> {
  await client.query('RESET ROLE')
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1 AND usename = session_user AND pid <> pg_backend_pid()`,
    [programName],
  )
  await lockForSession(client, 'warehouseMove')
  await client.query(`SET ROLE ${q(writerName)}`)
}
