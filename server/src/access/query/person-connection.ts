/**
 * Connections to an organisation's warehouse under the portal login of a person, who sees exactly what they may read. The connections
 * are pooled for each person.
 */
import { setTimeout } from 'node:timers/promises'
import { escapeIdentifier as q, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { ConnectionServices } from '../../connections/connection-services.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { keepAliveOptions } from '../../kernel/store/keep-alive.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { requireAssistants } from '../assistants/switches.ts'
import { applyAccess } from '../logins/apply-access.ts'
import { ensureAssistant, ensurePrincipal, type PortalCredentials } from '../logins/principals.ts'
import { principalRoles } from '../logins/role-names.ts'
import { ensureWarehouse } from '../warehouse/warehouse.ts'
import { findWarehouse, type WarehouseRow } from '../warehouse/queries.ts'
import { asAdminOf, serverOf } from '../warehouse/servers/server-of.ts'
import { listReadableTables } from './readable-tables.ts'

export type PersonConnectionServices = Pick<ConnectionServices, 'clock' | 'log' | 'secrets' | 'store' | 'warehouse'>

export interface PersonConnectionRequest {
  readonly organisationId: string
  readonly actor: Pick<Actor, 'userId'>
  /** Whose login is used. An assistant reads what the person reads, without the sources that are closed to assistants. Default: the person's. */
  readonly reader?: 'person' | 'assistant' | undefined
  /** Cancels the statement that is running. */
  readonly signal?: AbortSignal
}

/**
 * Runs `work` with a read-only connection. Errors of statements are PostgreSQL's own.
 *
 * Throws `dataNotReadable` if the person may read nothing, and `warehouseUnreachable` if there is no connection. For an
 * assistant also `assistantsOff`.
 */
export async function withPersonConnection<T>(
  services: PersonConnectionServices,
  request: PersonConnectionRequest,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const { organisationId, actor, reader, signal } = request
  signal?.throwIfAborted()
  // One transaction, because each costs a fast query as much as the query itself.
  const login = await services.store.within(organisationId, async (db) => {
    if (reader === 'assistant') await requireAssistants(db, organisationId)
    const { mayRead } = await listReadableTables(db, organisationId, actor)
    if (!mayRead) throw new ApiFault('dataNotReadable')
    return findLogin(services, db, request)
  })
  const { client, connection } = await connect(services, request, login)
  const ended = new AbortController()
  const cancel = () => void cancelUntil(ended.signal, services, connection, client)
  if (signal?.aborted === true) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  let isReusable = false
  try {
    const result = await work(client)
    isReusable = signal?.aborted !== true
    return result
  } catch (error) {
    signal?.throwIfAborted()
    isReusable = !isConnectionError(error)
    throw isReusable ? error : new ApiFault('warehouseUnreachable', { cause: error })
  } finally {
    ended.abort()
    signal?.removeEventListener('abort', cancel)
    await release(client, isReusable)
  }
}

interface OpenConnection {
  readonly client: PoolClient
  readonly connection: PersonLogin
}

/** The server's login for a person, and where it is. */
interface PersonLogin {
  readonly names: WarehouseRow
  readonly user: string
  readonly password: string
}

async function connect(
  services: PersonConnectionServices,
  request: PersonConnectionRequest,
  known: PersonLogin | null,
): Promise<OpenConnection> {
  try {
    return (known && (await connectAgain(services, known))) ?? (await connectFirst(services, request))
  } catch (cause) {
    throw cause instanceof ApiFault ? cause : new ApiFault('warehouseUnreachable', { cause })
  }
}

/** Null if the server refuses the login, for example after a restore. */
async function connectAgain(services: PersonConnectionServices, known: PersonLogin): Promise<OpenConnection | null> {
  try {
    return await takeClient(services, known)
  } catch (error) {
    if (refusals.has(String((error as { readonly code?: unknown }).code))) return null
    throw error
  }
}

/** SQLSTATEs of a login that is missing, suspended or has another password, and of a database that is missing or closed. */
const refusals = new Set(['28000', '28P01', '3D000', '42501'])

/** Creates the person's roles with their rights, and then connects. */
async function connectFirst(
  services: PersonConnectionServices,
  request: PersonConnectionRequest,
): Promise<OpenConnection> {
  const { organisationId } = request
  await ensureWarehouse(services, organisationId)
  await services.store.within(organisationId, (db) => ensureLogin(services, db, request))
  await applyAccess(services, organisationId)
  const created = await services.store.within(organisationId, (db) => findLogin(services, db, request))
  if (created === null) throw new Error('A login that was just created is missing.')
  return await takeClient(services, created)
}

/** Null if the person has no login yet. */
async function findLogin(
  services: PersonConnectionServices,
  db: Db,
  request: PersonConnectionRequest,
): Promise<PersonLogin | null> {
  const names = await findWarehouse(db, request.organisationId)
  if (names === undefined) return null
  const { principal, password, isNew } = await ensureLogin(services, db, request)
  if (isNew) return null
  const roles = principalRoles(names.databaseName, principal.id)
  const user = request.reader === 'assistant' ? roles.assistant : roles.portal
  return { names, user, password }
}

function ensureLogin(
  services: PersonConnectionServices,
  db: Db,
  { organisationId, actor, reader }: PersonConnectionRequest,
): Promise<PortalCredentials> {
  const ensure = reader === 'assistant' ? ensureAssistant : ensurePrincipal
  return ensure(services, db, organisationId, actor.userId)
}

/** One pool for each login and password in this process. */
const pools = new Map<string, Pool>()
const connectionsMax = 3
const idleMs = 30_000

/** Discards pooled connections that the keeper has ended in the meantime. */
async function takeClient(services: PersonConnectionServices, login: PersonLogin): Promise<OpenConnection> {
  const { names, user, password } = login
  const { host, port, ssl } = (await serverOf(services, names)).admin
  const connection = { host, port, ssl, user, password, database: names.databaseName }
  const key = JSON.stringify([connection.host, connection.port, connection.user, connection.password])
  for (let discarded = 0; ; discarded += 1) {
    const pool = pools.get(key) ?? openPool(key, connection, services.log)
    const client = await pool.connect()
    try {
      await client.query('SELECT 1')
      return { client, connection: login }
    } catch (error) {
      client.release(true)
      if (discarded === connectionsMax) throw error
    }
  }
}

function openPool(key: string, connection: PoolConfig, log: PersonConnectionServices['log']): Pool {
  const pool = new Pool({
    ...keepAliveOptions,
    ...connection,
    application_name: 'tributary portal',
    max: connectionsMax,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  })
  // The keeper ends connections whose rights have changed.
  pool.on('error', (error) => log.info('a connection of a person to the warehouse ended', { error }))
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('remove', () => {
    if (pool.totalCount > 0 || pools.get(key) !== pool) return
    pools.delete(key)
    void pool.end()
  })
  pools.set(key, pool)
  return pool
}

/** Undoes what the work has set in its session, or closes the connection. */
async function release(client: PoolClient, isReusable: boolean): Promise<void> {
  if (!isReusable) return client.release(true)
  try {
    await client.query('ROLLBACK')
    await client.query('DISCARD ALL')
    client.release()
  } catch {
    client.release(true)
  }
}

const cancelAgainMs = 1000

/**
 * Cancels what the client runs, again each second until the work has ended, because between two statements there is nothing to cancel.
 * The warehouse's administrator does it: all connections of the person's login may be in use.
 */
async function cancelUntil(
  ended: AbortSignal,
  services: PersonConnectionServices,
  { names, user }: PersonLogin,
  client: PoolClient,
): Promise<void> {
  const { processID } = client as PoolClient & { readonly processID: number }
  while (!ended.aborted) {
    try {
      await asAdminOf(services, names, async (admin) => {
        await admin.query(`SET ROLE ${q(user)}`)
        await admin.query('SELECT pg_cancel_backend($1)', [processID])
      })
    } catch (error) {
      if (!ended.aborted) services.log.warn('a query of a person could not be cancelled; it is tried again', { error })
    }
    await setTimeout(cancelAgainMs, undefined, { signal: ended, ref: false }).catch(() => undefined)
  }
}

/** SQLSTATEs: the server ends the connection. Errors of the driver have none. */
function isConnectionError(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  if (typeof code === 'string' && /^(?:08|57P0)/u.test(code)) return true
  return error instanceof Error && /^Connection terminated|not queryable|ECONNRESET|EPIPE/u.test(error.message)
}
