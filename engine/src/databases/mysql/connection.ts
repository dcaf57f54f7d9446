/** One connection to MySQL or MariaDB, dialled through the network port of the engine. */
import {
  createConnection,
  type Connection,
  type ConnectionOptions,
  type QueryOptions,
  type ResultSetHeader,
  type SslOptions,
} from 'mysql2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { type Fault, withRemedy } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { mysqlFault } from './faults.ts'
import { grantReading, missingGrant, type ConnectionUse } from './rights.ts'
import type { MysqlReach } from './settings.ts'

/** Values are the text that MySQL writes: numbers, dates and JSON, too. */
export type MysqlRow = { readonly [column: string]: string | null }

export interface MysqlConnection extends AsyncDisposable {
  readonly driver: Connection
  /** An error of the driver as a Fault; after an abort, its reason. */
  readonly faultOf: (error: unknown) => unknown
  readonly isMariadb: boolean
  /** The statement that grants the user to read these tables; without any, the whole database. */
  readonly grantReading: (tables: readonly string[]) => string
  rows(sql: string, values?: readonly unknown[]): Promise<readonly MysqlRow[]>
  run(sql: string, values?: readonly unknown[]): Promise<ResultSetHeader>
  /** LOAD DATA LOCAL: the server requests a file and gets these bytes, whatever path it names. */
  send(sql: string, bytes: Uint8Array): Promise<ResultSetHeader>
}

const sliceBytes = 256 * 1024

/** @param use decides which rights an error names as missing */
export async function connectMysql(
  reach: MysqlReach,
  around: ConnectionContext,
  session: string,
  use: ConnectionUse = 'reading',
): Promise<MysqlConnection> {
  const socket = await around.network.dial(reach.host, reach.port, around.signal, 'mysql')
  // Destroying the socket with an error is the only way to reject pending statements.
  const abort = () => socket.destroy(around.signal.reason as Error)
  around.signal.addEventListener('abort', abort, { once: true })
  const driver = createConnection(driverOptions(reach, socket))
  // A connection that breaks while idle must not end the process: the next statement reports it.
  driver.on('error', () => {})
  let account: string | null = null
  const connection = wrap(driver, {
    faultOf: (error) => (around.signal.aborted ? around.signal.reason : explained(error, { account, reach, use })),
    close: () => {
      around.signal.removeEventListener('abort', abort)
      driver.end()
      socket.destroySoon()
    },
  })
  try {
    await connection.run(session)
    const [server] = await connection.rows('SELECT VERSION() AS version, CURRENT_USER() AS account')
    account = server?.['account'] ?? null
    const isMariadb = /mariadb/iu.test(server?.['version'] ?? '')
    return Object.assign(connection, {
      isMariadb,
      grantReading: (tables: readonly string[]) => grantReading(tables, { account, reach, use }),
    })
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
}

function explained(error: unknown, of: Parameters<typeof missingGrant>[1]): Fault {
  return withRemedy(mysqlFault(error), missingGrant(error, of))
}

function driverOptions(reach: MysqlReach, socket: Socket): ConnectionOptions {
  socket.setNoDelay(true)
  return {
    stream: socket,
    host: reach.host,
    user: reach.user,
    password: reach.password,
    database: reach.database,
    charset: 'utf8mb4',
    connectTimeout: 15_000,
    typeCast: (field) => field.string(),
    // Counts changed rows, not found rows.
    flags: ['-FOUND_ROWS'],
    trace: false,
    ...(reach.tls === 'off' ? {} : { ssl: tlsOptions(reach.tls) }),
  }
}

function tlsOptions(tls: 'verify' | 'encrypt'): SslOptions {
  const isVerified = tls === 'verify'
  return { rejectUnauthorized: isVerified, verifyIdentity: isVerified, minVersion: 'TLSv1.2' }
}

interface ConnectionHooks {
  readonly faultOf: (error: unknown) => unknown
  readonly close: () => void
}

function wrap(driver: Connection, { faultOf, close }: ConnectionHooks) {
  const ask = <T>(options: QueryOptions) =>
    new Promise<T>((resolve, reject) => {
      driver.query(options, (error: unknown, result: unknown) => {
        if (error) reject(faultOf(error))
        else resolve(result as T)
      })
    })
  return {
    driver,
    faultOf,
    isMariadb: false,
    grantReading: () => '',
    rows: (sql: string, values: readonly unknown[] = []) => ask<readonly MysqlRow[]>({ sql, values: [...values] }),
    run: (sql: string, values: readonly unknown[] = []) => ask<ResultSetHeader>({ sql, values: [...values] }),
    send: (sql: string, bytes: Uint8Array) =>
      ask<ResultSetHeader>({ sql, infileStreamFactory: () => Readable.from(slices(bytes)) }),
    async [Symbol.asyncDispose]() {
      close()
    },
  }
}

function* slices(bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(sliceBytes, bytes.length - at))
  }
}
