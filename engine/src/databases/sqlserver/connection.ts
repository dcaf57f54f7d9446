/** One connection to a SQL Server, dialled through the network port of the engine. */
import { isIP, type Socket } from 'node:net'
import { type BulkLoad, Connection, type ConnectionConfiguration, Request } from 'tedious'
import { Fault, withRemedy } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
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
  /** Runs statements and returns how many rows they changed. */
  run(sql: string): Promise<number>
  /** Bulk-loads rows; `describe` adds the columns. Returns how many rows were loaded. */
  bulk(table: string, describe: (load: BulkLoad) => void, rows: Iterable<readonly unknown[]>): Promise<number>
}

export async function connectSqlServer(reach: SqlServerReach, around: ConnectionContext): Promise<SqlConnection> {
  around.signal.throwIfAborted()
  let socket: Socket | undefined
  const faultOf = (error: unknown): unknown => (around.signal.aborted ? around.signal.reason : explained(error, reach))
  let dialled = 0
  const connector = async (to: { host: string; port: number }) => {
    dialled += 1
    if (dialled > dialsMax || !isNear(reach.host, to.host)) throw redirectedElsewhere()
    socket = await around.network.dial(to.host, to.port, around.signal, 'sqlserver')
    refuseOtherPrograms(socket)
    return socket
  }
  // The driver passes host and port, which its types omit.
  const driver = new Connection(configuration(reach, connector as unknown as () => Promise<Socket>))
  const abort = (): void => void socket?.destroy(new Error('The run was stopped.'))
  around.signal.addEventListener('abort', abort, { once: true })
  // A connection that breaks while idle must not end the process; the next statement reports it.
  driver.on('error', () => {})
  const reported: ServerMessage[] = []
  const hear = (message: ServerMessage): void => void reported.push(message)
  driver.on('errorMessage', hear)
  try {
    await new Promise<void>((resolve, reject) => driver.connect((error) => (error ? reject(error) : resolve())))
  } catch (error) {
    around.signal.removeEventListener('abort', abort)
    throw faultOf(socket?.bytesRead === 0 ? closedUnanswered(error) : loginError(error, reported))
  } finally {
    driver.off('errorMessage', hear)
  }
  return wrap(driver, faultOf, () => around.signal.removeEventListener('abort', abort))
}

interface ServerMessage {
  readonly number: number
  readonly message: string
}

/**
 * The driver reports every refused login by one code, so the numbers of the server are added. Most refusals end with 18456, after the reason.
 * https://learn.microsoft.com/sql/relational-databases/errors-events/mssqlserver-18456-database-engine-error
 */
function loginError(error: unknown, reported: readonly ServerMessage[]): unknown {
  const reason = reported.find(({ number }) => number !== loginFailed) ?? reported[0]
  if (reason === undefined || !(error instanceof Error)) return error
  const named = new Error(reason.message, { cause: error })
  return Object.assign(named, { code: (error as Error & { code?: string }).code, number: reason.number })
}

const loginFailed = 18_456

/** Every response of a SQL Server begins with a packet type, so the first byte exposes another program that listens there. */
function refuseOtherPrograms(socket: Socket): void {
  socket.prependOnceListener('data', (bytes: Buffer) => {
    if (bytes[0] !== responsePacket) socket.destroy(anotherProgram())
  })
}

const responsePacket = 0x04

function anotherProgram(): Fault {
  return new Fault('settings', {
    code: 'sqlserver.another_program',
    notice:
      'Another program than a SQL Server answers at this host and port. Check both; a named instance has a port of its own.',
  })
}

/** Other programs close a connection that begins with TDS. So does a SQL Server that is shutting down. */
function closedUnanswered(cause: unknown): unknown {
  const { code } = cause as { readonly code?: unknown }
  if (code === 'ETIMEOUT') return cause
  return new Fault('passing', {
    code: 'sqlserver.no_answer',
    notice:
      'The server closed the connection without an answer. Check the host and the port: another program may listen there. Trying again shortly.',
    cause,
  })
}

function explained(error: unknown, reach: SqlServerReach): unknown {
  const fault = sqlServerFault(error)
  return fault instanceof Fault ? withRemedy(fault, missingGrant(error, reach)) : fault
}

/** A gateway redirects its client once, to the server. More redirects lead nowhere. */
const dialsMax = 3

/** A server may redirect its client. Only hosts of the same domain may get the password; an IP address has no domain. */
function isNear(host: string, to: string): boolean {
  if (to.toLowerCase() === host.toLowerCase()) return true
  const domain = host.slice(host.indexOf('.'))
  return isIP(host) === 0 && domain.split('.').length > 2 && to.toLowerCase().endsWith(domain.toLowerCase())
}

function redirectedElsewhere(): Fault {
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
      // The sync loop supervises long loads.
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
      request.on('row', (columns: readonly { readonly value: unknown }[]) =>
        take(columns.map((column) => column.value)),
      )
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
