/**
 * The advisory locks of PostgreSQL: their names, their keys and the order in which a transaction takes them.
 *
 * A key must never change: during a rolling upgrade two versions run side by side and exclude each other by it. A new lock gets
 * seed 0 and a prefix that no other one has. An advisory lock counts within one database: those of the data folder are taken in
 * the database `postgres` of the embedded server, those of the warehouse in the database of its admin, that of a move in the new database,
 * all others in the store.
 *
 * Two locks are elsewhere: a PostgreSQL target of the engine takes one in the customer's database
 * (`hashtext('tributary')`, `hashtext(schema)`), and the tests take the numbers 7461891 and 7461902.
 */
import { channel } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { type Client, escapeLiteral } from 'pg'
import type { Db } from './store.ts'

/** A number, or the hash of the prefix and the subject. Locks of the same seed need different prefixes. */
export type LockKey = { readonly number: number } | { readonly prefix: string; readonly seed: number }

/**
 * Held until the transaction ends. A transaction takes them in this order, so that no two wait for each other. Two subjects of one
 * lock have no order: if two transactions wait for each other, PostgreSQL cancels one and the store begins it again. The same
 * holds for `lockOutOfOrder`.
 */
export const transactionLocks = {
  /** Held by the worker that takes runs back from workers that stopped. */
  runSweep: { number: 7_461_893 },
  /** Subject: the organisation. Held while a worker counts the running runs and claims one more: by the function `tributary_claim_run`, if it is free. */
  runClaims: { prefix: '', seed: 1 },
  /** Subject: the address in small letters. Held while an account for it is created. */
  accountAddress: { prefix: 'account ', seed: 0 },
  /** Held while the key of a new organisation is chosen. */
  organisationKeys: { prefix: 'organisations', seed: 0 },
  /** Held while a superadmin is removed, so that one is left. */
  superadmins: { prefix: 'superadmins', seed: 0 },
  /** Held while the next number of an erased person is taken. */
  erasedNumbers: { prefix: 'erased people', seed: 0 },
  /** Held while a key of the server or a data key is created, wrapped or retired. */
  serverKeys: { prefix: 'server keys', seed: 0 },
  /** Subject: the organisation. Held while the name of a connector is chosen. */
  connectorNames: { prefix: '', seed: 2 },
  /** Subject: the organisation. Held while a version or a helper table claims its physical table. */
  physicalTables: { prefix: 'tables ', seed: 0 },
  /** Subject: the organisation. Held while links between its records change. */
  links: { prefix: 'links ', seed: 0 },
  /** Subject: the organisation, or none for the provider's chain. Held while an event is appended. */
  auditChain: { prefix: 'audit ', seed: 0 },
  /** Held by the worker that plans the starts of *Ready by*. */
  readyByPlans: { prefix: 'ready by', seed: 0 },
  /** In the database of the warehouse's admin, alone. Held while PUBLIC's right to connect to that database is revoked. */
  ownDatabase: { prefix: 'own database', seed: 3 },
} as const satisfies Readonly<Record<string, LockKey>>
export type TransactionLock = keyof typeof transactionLocks

/** Held until the connection ends. No connection takes two of them, except a warehouse that also takes `ownDatabase`. */
export const sessionLocks = {
  /** In the embedded server. Held by the process that owns the data folder. */
  dataFolder: { number: 7_461_889 },
  /** In the embedded server. Shared by the commands that use a database which another process runs. */
  dataFolderUse: { number: 7_461_892 },
  /** Shared by backups; exclusive for migrations and restores. */
  migrations: { number: 7_461_890 },
  /**
   * In the database of the warehouse's admin. Subject: the name of the warehouse's database. Held while it is created, and while
   * rights are applied to it.
   */
  warehouse: { prefix: '', seed: 3 },
  /** In a warehouse's database on its new server. Held by the worker that copies rows there. */
  warehouseMove: { prefix: 'warehouse move', seed: 0 },
} as const satisfies Readonly<Record<string, LockKey>>
export type SessionLock = keyof typeof sessionLocks

/** Publishes each lock that a transaction takes in order, so that tests can check the order. */
export const lockChannel = channel('tributary:transaction-lock')
export interface TakenLock {
  readonly db: Db
  readonly name: TransactionLock
  readonly subject: string
}

/** Waits for the lock; it is released with the transaction. @param subject what the lock is about, where it has a subject */
export async function lockForTransaction(db: Db, name: TransactionLock, subject = ''): Promise<void> {
  await waitForLock(db, name, subject)
  publish({ db, name, subject })
}

/** For a lock that a transaction rarely needs, and at any point: the first secret of an organisation creates its data key. */
export function lockOutOfOrder(db: Db, name: 'serverKeys'): Promise<void> {
  return waitForLock(db, name, '')
}

/** Resolves false at once if another transaction holds the lock. */
export async function tryLockForTransaction(db: Db, name: TransactionLock): Promise<boolean> {
  const key = keyOf(transactionLocks[name], '')
  const { rows } = await sql<{ isTaken: boolean }>`SELECT pg_try_advisory_xact_lock(${key}) AS "isTaken"`.execute(db)
  publish({ db, name, subject: '' })
  return rows[0]?.isTaken === true
}

async function waitForLock(db: Db, name: TransactionLock, subject: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${keyOf(transactionLocks[name], subject)})`.execute(db)
}

function publish(taken: TakenLock): void {
  if (lockChannel.hasSubscribers) lockChannel.publish(taken)
}

function keyOf(key: LockKey, subject: string) {
  if ('number' in key) return sql`${key.number}::bigint`
  return sql`hashtextextended(${key.prefix + subject}, ${key.seed}::bigint)`
}

/** For statements that are sent together, which are one transaction. */
export function transactionLockStatement(name: 'ownDatabase'): string {
  const { prefix, seed } = transactionLocks[name]
  return `SELECT pg_advisory_xact_lock(hashtextextended(${escapeLiteral(prefix)}, ${escapeLiteral(String(seed))}::bigint))`
}

interface SessionLockOptions {
  /** What the lock is about, where it has one. */
  readonly subject?: string
  /** `shared`: several connections may hold it, while none holds it exclusively. */
  readonly mode?: 'shared' | 'exclusive'
}

/** Waits for the lock; it is released when the connection ends. */
export async function lockForSession(
  client: Client,
  name: SessionLock,
  { subject = '', mode }: SessionLockOptions = {},
): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_lock_shared' : 'pg_advisory_lock'
  await client.query(...sessionStatement(lock, sessionLocks[name], subject))
}

/** Resolves false at once if the lock is held in a way that excludes this one. */
export async function tryLockForSession(
  client: Client,
  name: SessionLock,
  { subject = '', mode }: SessionLockOptions = {},
): Promise<boolean> {
  const lock = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query<{ answer: boolean }>(...sessionStatement(lock, sessionLocks[name], subject))
  return rows[0]?.answer === true
}

function sessionStatement(lock: string, key: LockKey, subject: string): [text: string, values: unknown[]] {
  if ('number' in key) return [`SELECT ${lock}($1) AS answer`, [key.number]]
  return [`SELECT ${lock}(hashtextextended($1, $2)) AS answer`, [key.prefix + subject, key.seed]]
}

/** True if any connection to the server holds the lock. */
export async function isDataFolderOwned(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ owned: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1) AS owned`,
    [sessionLocks.dataFolder.number],
  )
  return rows[0]?.owned === true
}
