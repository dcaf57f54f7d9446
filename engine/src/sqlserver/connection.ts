/** One connection to a SQL Server, dialled through the network that the engine was lent. */
import { isIP, type Socket } from 'node:net'
import { type BulkLoad, Connection, type ConnectionConfiguration, Request } from 'tedious'
import { Fault, withRemedy } from '../faults.ts'
import type { Surroundings } from '../source.ts'
import { sqlServerFault } from './faults.ts'
import { missingGrant } from './rights.ts'
import type { SqlServerReach } from './settings.ts'

export type SqlRow = readonly unknown[]

export interface SqlConnection extends AsyncDisposable {
  readonly driver: Connection
  /** An error of the driver as a Fault; after an abort, its reason. */
  readonly faultOf: (error: unknown) => unknown
  /** Rows as arrays. */
  rows(sql: string): Promise<readonly SqlRow[]>
  /** Runs statements and answers how many rows they have written. */
  run(sql: string): Promise<number>
  /** Bulk-loads rows; `describe` adds the columns. Answers how many rows were taken. */
  bulk(table: string, describe: (load: BulkLoad) => void, rows: Iterable<readonly unknown[]>): Promise<number>
}

export async function connectSqlServer(reach: SqlServerReach, around: Surroundings): Promise<SqlConnection> {
  around.signal.throwIfAborted()
  let socket: Socket | undefined
  const faultOf = (error: unknown): unknown => (around.signal.aborted ? around.signal.reason : explained(error, reach))
  let dialled = 0
  const connector = async (to: { host: string; port: number }) => {
    dialled += 1
    if (dialled > dialsMax || !isNear(reach.host, to.host)) throw sentAway()
    socket = await around.network.dial(to.host, to.port, around.signal)
    return socket
  }
  // The driver calls it with where to go, which its types do not say.
  const driver = new Connection(configuration(reach, connector as unknown as () => Promise<Socket>))
  const abort = (): void => void socket?.destroy(new Error('The run was stopped.'))
  around.signal.addEventListener('abort', abort, { once: true })
  // A connection that breaks while idle must not end the process; the next statement reports it.
  driver.on('error', () => {})
  try {
    await new Promise<void>((resolve, reject) => driver.connect((error) => (error ? reject(error) : resolve())))
  } catch (error) {
    around.signal.removeEventListener('abort', abort)
    throw faultOf(error)
  }
  return wrap(driver, faultOf, () => around.signal.removeEventListener('abort', abort))
}

function explained(error: unknown, reach: SqlServerReach): unknown {
  const fault = sqlServerFault(error)
  return fault instanceof Fault ? withRemedy(fault, missingGrant(error, reach)) : fault
}

/** A gateway sends its client on once, to the server itself; one that goes on sending leads nowhere. */
const dialsMax = 3

/** A server may send its client elsewhere. Only its own domain may learn the password; a number has no domain. */
function isNear(host: string, to: string): boolean {
  if (to.toLowerCase() === host.toLowerCase()) return true
  const domain = host.slice(host.indexOf('.'))
  return isIP(host) === 0 && domain.split('.').length > 2 && to.toLowerCase().endsWith(domain.toLowerCase())
}

function sentAway(): Fault {
  return new Fault('settings', {
    code: 'sqlserver.redirected',
    notice:
      'The SQL Server wants to send Tributary to another host, which was refused. Enter the host that really answers, if you trust it.',
  })
}

function configuration(reach: SqlServerReach, connector: () => Promise<Socket>): ConnectionConfiguration {
  return {
    server: reach.host,
    authentication: { type: 'default', options: { userName: reach.user, password: reach.password } },
    options: {
      connector,
      port: reach.port,
      database: reach.database,
      encrypt: reach.encrypt,
      trustServerCertificate: reach.trustServerCertificate,
      appName: 'tributary',
      connectTimeout: 30_000,
      // A long load is watched by whoever runs it.
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      packetSize: 16_384,
      useUTC: true,
      useColumnNames: false,
      lowerCaseGuids: true,
      rowCollectionOnRequestCompletion: false,
      cancelTimeout: 1_000,
    },
  }
}

function wrap(driver: Connection, faultOf: SqlConnection['faultOf'], forget: () => void): SqlConnection {
  const execute = (sql: string, take: (row: SqlRow) => void): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = new Request(sql, (error, count) => (error ? reject(faultOf(error)) : resolve(count ?? 0)))
      request.on('row', (columns: readonly { readonly value: unknown }[]) => take(columns.map((column) => column.value)))
      driver.execSqlBatch(request)
    })
  return {
    driver,
    faultOf,
    async rows(sql) {
      const rows: SqlRow[] = []
      await execute(sql, (row) => rows.push(row))
      return rows
    },
    run: (sql) => execute(sql, () => {}),
    bulk: (table, describe, rows) =>
      new Promise((resolve, reject) => {
        const load = driver.newBulkLoad(table, { keepNulls: true, lockTable: true }, (error, count) =>
          error ? reject(faultOf(error)) : resolve(count ?? 0),
        )
        describe(load)
        driver.execBulkLoad(load, rows as Iterable<unknown[]>)
      }),
    async [Symbol.asyncDispose]() {
      forget()
      driver.close()
    },
  }
}
