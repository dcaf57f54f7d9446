/** The door to our own database. Nothing is read or written but inside a transaction that says for which organisation. */
import { CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { ApiFault } from '../http/api-fault.ts'
import { ownBytes } from '../unpooled-buffer.ts'
import { nameColumns } from './column-names.ts'
import { prepareStatements } from './prepared-statements.ts'
import type { Schema } from './schema/schema.ts'
import { SnakeCaseStatements } from './snake-case.ts'

/** A transaction (or, in migrations and tests, a connection). First argument of every query. */
export type Db = Kysely<Schema>

export interface Store {
  /** One transaction, begun again where it ran into a deadlock; `work` changes nothing but the store. It sees one organisation: row level security refuses every other, whatever the query says. */
  within<T>(organisationId: string, work: (db: Db) => Promise<T>): Promise<T>
  /** One transaction that sees all organisations: sign-in, the scheduler, the provider's lists. Say in a comment why. */
  across<T>(work: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface StoreOptions {
  readonly connection: PoolConfig
  /** Told of a connection that broke. */
  readonly onError: (error: Error) => void
  readonly plugins?: readonly KyselyPlugin[]
}

export function openStore({ connection, onError, plugins = [] }: StoreOptions): Store {
  const pool = new Pool({ ...poolDefaults, ...connection })
  pool.on('error', onError)
  // The pool listens to idle clients only; one that is lost between two statements of a transaction would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    nameColumns(client)
    prepareStatements(client)
  })
  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [...plugins, new SnakeCaseStatements()],
  })
  return {
    within: async (organisationId, work) => transact(kysely, requireId(organisationId), work),
    across: async (work) => transact(kysely, '*', work),
    close: () => kysely.destroy(),
  }
}

const poolDefaults: PoolConfig = {
  max: 20,
  // Also how long a call waits for its turn, which on a machine that is busy syncing is seconds: being told to try again would be no help.
  connectionTimeoutMillis: 10_000,
  idleTimeoutMillis: 30_000,
  statement_timeout: 30_000,
  // A process that has fallen silent keeps its locks for so long, and whoever takes its work over waits for them.
  idle_in_transaction_session_timeout: 15_000,
  options: '-c timezone=UTC',
  types: { getTypeParser },
}

/** Counts fit in a double, times stay text in the form the wire wants, and hashes may be kept; all else is the driver's. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === types.builtins.INT8) return Number
  if (oid === types.builtins.DATE) return (text) => text
  if (oid === types.builtins.TIMESTAMPTZ) return asWireTime
  const parse = types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown
  return oid === types.builtins.BYTEA ? (text) => ownBytes(parse(text) as Buffer) : parse
}

/**
 * `2026-11-20 19:59:09.43+00` as `2026-11-20T19:59:09.430Z`. PostgreSQL leaves out the zeros at the end; a whole
 * millisecond is written as `Date.toISOString` writes it, so that the same time always has the same text.
 */
function asWireTime(text: string): string {
  const [, day, time, fraction = ''] = /^(\S+) ([\d:]+)(?:\.(\d+))?\+00$/u.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${time}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`
}

const afterwards = new WeakMap<Db, (() => void)[]>()

/** Runs `action` once the transaction has been committed, and never when it is rolled back. It must not throw. */
export function afterCommit(db: Db, action: () => void): void {
  afterwards.set(db, [...(afterwards.get(db) ?? []), action])
}

/** Two that wait for each other: PostgreSQL undoes one of them, which then finds the way free. */
const deadlock = '40P01'
const attemptsMax = 3

async function transact<T>(kysely: Db, organisation: string, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTo(kysely, organisation, work)
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === deadlock && attempt < attemptsMax) continue
      throw error
    }
  }
}

async function attemptTo<T>(kysely: Db, organisation: string, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await kysely.connection().execute(async (db) => {
      // One round trip for both; the value is a checked UUID or '*'.
      await db.executeQuery(CompiledQuery.raw(`begin; set local tributary.organisation = '${organisation}'`))
      const result = await orRollBack(db, () => work(db))
      const { rows } = await db.executeQuery<{ command: string }>(CompiledQuery.raw('commit'))
      // PostgreSQL answers COMMIT with ROLLBACK where an earlier statement failed and its error was swallowed.
      if (rows[0]?.command === 'ROLLBACK') throw new Error('The transaction had failed and was rolled back.')
      for (const action of afterwards.get(db) ?? []) action()
      return result
    })
  } catch (error) {
    throw isUnreachable(error) ? new ApiFault('unavailable', { cause: error }) : error
  }
}

async function orRollBack<T>(db: Db, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // A connection that cannot even roll back is broken, and the pool drops it; the first error is the one to tell.
    await db.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined)
    throw error
  }
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu

function requireId(organisationId: string): string {
  if (!idForm.test(organisationId)) throw new Error('An organisation is named by its UUID.')
  return organisationId
}

/** Too many connections; shutting down, crashed, starting up. */
const unreachableStates = new Set(['53300', '57P01', '57P02', '57P03'])
const unreachableMessages = /^Connection terminated|timeout exceeded when trying to connect|not queryable/u

/** Whether the database could not be reached, as against having refused what was asked. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  // A failed system call of the driver: connect, getaddrinfo, read, write.
  if (code !== undefined && syscall !== undefined) return ['connect', 'getaddrinfo', 'read', 'write'].includes(syscall)
  if (code !== undefined) return unreachableStates.has(code) || code.startsWith('08')
  return unreachableMessages.test(error.message)
}

/** Reading goes on, and so does writing once there is space again. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (error as { readonly code?: unknown }).code === '53100'
}
