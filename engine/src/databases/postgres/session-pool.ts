/** A pool of connections to one PostgreSQL server, dialled through the network port of the engine. */
import type { Socket } from 'node:net'
import pg from 'pg'
import { Fault, withRemedy } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import type { PostgresAddress } from './address.ts'
import { postgresFault, type SyncSide } from './faults.ts'

export interface PooledSession {
  readonly client: pg.Client
  /** Returns a session without open work to the pool. */
  release(): void
  /** Closes the socket; the server rolls back open work. */
  destroy(): void
}

export interface SessionPool extends AsyncDisposable {
  take(): Promise<PooledSession>
  /** Takes a session and releases it when disposed: checks that one can be opened. */
  borrow(): Promise<AsyncDisposable>
  /** Runs `work` on a session, and closes the session if it fails. Throws server errors as Faults. */
  use<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  /** Returns the Fault of an error, with the missing GRANT where the user lacks a right. */
  explain(error: unknown): Promise<unknown>
}

export interface SessionOptions {
  readonly address: PostgresAddress
  readonly around: ConnectionContext
  readonly side: SyncSide
  /** Runs on each new connection. */
  readonly setUp: (client: pg.Client) => Promise<unknown>
  /** Finds the missing right after an error; null where none is missing. */
  readonly missingRight?: (client: pg.Client) => Promise<string | null>
}

/** Abort closes every connection at once. */
export function openSessionPool(options: SessionOptions): SessionPool {
  const idle: PooledSession[] = []
  const all = new Set<PooledSession>()
  const destroyAll = (): void => all.forEach((session) => session.destroy())
  options.around.signal.addEventListener('abort', destroyAll, { once: true })

  async function open(): Promise<PooledSession> {
    options.around.signal.throwIfAborted()
    const { client, socket } = await connect(options)
    const session: PooledSession = {
      client,
      release: () => void (all.has(session) && idle.push(session)),
      destroy: () => {
        all.delete(session)
        socket.destroy()
      },
    }
    all.add(session)
    client.once('end', () => all.delete(session))
    return session
  }

  async function take(): Promise<PooledSession> {
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) if (all.has(session)) return session
    return await open()
  }

  const explain = (error: unknown): Promise<unknown> => explained(error, options, take)

  return {
    explain,
    take: () => take().catch((error: unknown) => Promise.reject(faultOf(error, options))),
    async borrow() {
      const session = await take().catch((error: unknown) => Promise.reject(faultOf(error, options)))
      return { [Symbol.asyncDispose]: async () => session.release() }
    },
    async use(work) {
      let session: PooledSession | undefined
      try {
        session = await take()
        const result = await work(session.client)
        session.release()
        return result
      } catch (error) {
        session?.destroy()
        throw await explain(error)
      }
    },
    async [Symbol.asyncDispose]() {
      options.around.signal.removeEventListener('abort', destroyAll)
      destroyAll()
    },
  }
}

async function explained(
  error: unknown,
  options: SessionOptions,
  take: () => Promise<PooledSession>,
): Promise<unknown> {
  const fault = faultOf(error, options)
  if (!(fault instanceof Fault) || fault.code !== 'postgres.not_allowed' || options.missingRight === undefined)
    return fault
  try {
    const session = await take()
    const missing = await options.missingRight(session.client)
    session.release()
    return withRemedy(fault, missing)
  } catch {
    return fault
  }
}

/** After an abort the broken connection is only a consequence: returns the reason of the abort. */
function faultOf(error: unknown, { around, side }: SessionOptions): unknown {
  return around.signal.aborted ? around.signal.reason : postgresFault(error, side)
}

async function connect({
  address,
  around,
  side,
  setUp,
}: SessionOptions): Promise<{ client: pg.Client; socket: Socket }> {
  const socket = await around.network.dial(address.host, address.port, around.signal, 'postgres')
  const stop = (): void => void socket.destroy()
  around.signal.addEventListener('abort', stop, { once: true })
  try {
    const client = new pg.Client({
      host: address.host,
      port: address.port,
      database: address.database,
      user: address.user,
      // As a function, because in place of an empty text the driver would send the password of the environment or ~/.pgpass.
      password: () => address.password,
      ssl: address.sslmode === 'disable' ? false : { rejectUnauthorized: address.sslmode === 'verify-full' },
      application_name: 'tributary',
      keepAlive: true,
      // As of the dialled socket: without it, the kernel would ask after two hours whether the server is still there.
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 30_000,
      stream: () => alreadyConnected(socket),
    })
    // Without a listener, a connection that breaks while idle would end the process.
    client.on('error', () => {})
    await client.connect()
    await setUp(client)
    return { client, socket }
  } catch (error) {
    socket.destroy()
    throw postgresFault(error, side)
  } finally {
    around.signal.removeEventListener('abort', stop)
  }
}

/** The driver calls `connect` on its stream and waits for the event; this socket is connected already. */
function alreadyConnected(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'))
    return socket
  }
  return socket
}

/** Runs `work` in a transaction of this session. After an error the caller closes the session, which rolls back. */
export async function transaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  const result = await work()
  await client.query('COMMIT')
  return result
}
