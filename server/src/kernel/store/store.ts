/** Access to the store. Every read and write is in a transaction that is bound to one organisation or explicitly to all. */
import { CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { ApiFault } from '../http/api-fault.ts'
import { copyUnpooled } from '../unpooled-buffer.ts'
import { keepAliveOptions } from './keep-alive.ts'
import { nameColumns } from './column-names.ts'
import { prepareStatements } from './prepared-statements.ts'
import type { StoreSchema } from './schema/schema.ts'
import { SnakeCaseStatements } from './snake-case.ts'

/** A transaction, or a connection in migrations and tests. The first argument of every query. */
export type Db = Kysely<StoreSchema>

export interface Store {
  /**
   * Runs one transaction that sees one organisation; row level security hides all others, whatever the query says. Retried after
   * a deadlock, so `work` must have no effect outside the store.
   */
  within<T>(organisationId: string, work: (db: Db) => Promise<T>): Promise<T>
  /** Runs one transaction that sees all organisations: sign-in, the scheduler, the provider's lists. Say in a comment why. */
  across<T>(work: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface StoreOptions {
  readonly connection: PoolConfig
  /** Receives the errors of broken connections. */
  readonly onError: (error: Error) => void
  readonly plugins?: readonly KyselyPlugin[]
}

export function openStore({ connection, onError, plugins = [] }: StoreOptions): Store {
  const pool = new Pool({ ...poolDefaults, ...connection })
  pool.on('error', onError)
  // The pool handles errors of idle clients only. An error between two statements of a transaction would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    nameColumns(client)
    prepareStatements(client)
  })
  const kysely = new Kysely<StoreSchema>({
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
  ...keepAliveOptions,
  max: 20,
  // Also the time that a call waits for a free connection: seconds on a busy machine, where a retry would not help.
  connectionTimeoutMillis: 10_000,
  idleTimeoutMillis: 30_000,
  statement_timeout: 30_000,
  // A frozen process holds its locks at most this long; workers that take over its runs wait for them.
  idle_in_transaction_session_timeout: 15_000,
  options: '-c timezone=UTC',
  types: { getTypeParser },
}

/** Parses counts as numbers and times as text in the API's format, and copies hashes out of the buffer pool. The driver parses the rest. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === types.builtins.INT8) return Number
  if (oid === types.builtins.DATE) return (text) => text
  if (oid === types.builtins.TIMESTAMPTZ) return asWireTime
  const parse = types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown
  return oid === types.builtins.BYTEA ? (text) => copyUnpooled(parse(text) as Buffer) : parse
}

/**
 * `2026-11-20 19:59:09.43+00` becomes `2026-11-20T19:59:09.430Z`. PostgreSQL omits trailing zeros. Whole milliseconds are
 * formatted as by `Date.toISOString`, so that equal times have equal text.
 */
function asWireTime(text: string): string {
  const [, day, time, fraction = ''] = /^(\S+) ([\d:]+)(?:\.(\d+))?\+00$/u.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${time}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`
}

const afterwards = new WeakMap<Db, (() => void)[]>()

/** Runs `action` after the transaction commits, never after a rollback. It must not throw. */
export function afterCommit(db: Db, action: () => void): void {
  afterwards.set(db, [...(afterwards.get(db) ?? []), action])
}

/** The SQLSTATE of a deadlock. PostgreSQL rolls back one of the transactions, which succeeds when it is retried. */
const deadlock = '40P01'
const attemptsMax = 3

async function transact<T>(kysely: Db, organisation: string, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(kysely, organisation, work)
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === deadlock && attempt < attemptsMax) continue
      throw error
    }
  }
}

async function runOnce<T>(kysely: Db, organisation: string, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await kysely.connection().execute(async (db) => {
      // One round trip for both statements. The value is a validated UUID or '*'.
      await db.executeQuery(CompiledQuery.raw(`begin; set local tributary.organisation = '${organisation}'`))
      const result = await orRollBack(db, () => work(db))
      const { rows } = await db.executeQuery<{ command: string }>(CompiledQuery.raw('commit'))
      // PostgreSQL replies ROLLBACK to COMMIT if an earlier statement failed and its error was swallowed.
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
    // A connection that cannot roll back is broken and the pool drops it. The first error is the one to report.
    await db.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined)
    throw error
  }
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu

function requireId(organisationId: string): string {
  if (!idForm.test(organisationId)) throw new Error('An organisation is named by its UUID.')
  return organisationId
}

/**
 * SQLSTATEs: too many connections; shutting down, crashed, starting up; the session ended because it was silent, in a transaction
 * (as when its packets are lost) or between two.
 */
const unreachableStates = new Set(['53300', '57P01', '57P02', '57P03', '25P03', '57P05'])
const unreachableMessages = /^Connection terminated|timeout exceeded when trying to connect|not queryable/u

/** True if the database was unreachable, as opposed to having refused a statement. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  // A failed system call of the driver: connect, getaddrinfo, read, write.
  if (code !== undefined && syscall !== undefined) return ['connect', 'getaddrinfo', 'read', 'write'].includes(syscall)
  if (code !== undefined) return unreachableStates.has(code) || code.startsWith('08')
  return unreachableMessages.test(error.message)
}

/** True if the disk is full. Reads still work, and writes work again once there is space. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (error as { readonly code?: unknown }).code === '53100'
}
