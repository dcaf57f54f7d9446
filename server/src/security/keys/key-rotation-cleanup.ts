/** Key rotation cleanup: destroys keys that are no longer used. */
import { sessionAbsoluteMs } from '@tributary/contract/limits'
import { sql } from 'kysely'
import { systemAuditContext, type AuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { reEncryptAll } from './re-encrypt-secrets.ts'
import { keyEvent, rotateServerKey, type KeyRotationServices } from './rotate-keys.ts'
import { countEncryptedValues } from './encrypted-columns.ts'
import { type RootKeyKind } from './server-keys.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

/** The age at which a signing key is replaced. */
export const signingKeyMs = 90 * 86_400_000
/** Longer than any session that started with the key. */
export const overlapMs = 24 * 3_600_000
/** Longer than any transaction that started while the key was the newest. */
export const graceMs = 10 * 60_000

/** Runs periodically in a worker: replaces old signing keys and completes interrupted rotations. */
export async function rotateAndCleanUpKeys(services: KeyRotationServices): Promise<void> {
  const { clock, store } = services
  await reEncryptAll(services)
  const list = () => store.across((db) => listKeys(db, clock.now()))
  const newest = (await list()).find(({ kind }) => kind === 'signing')
  if (newest !== undefined && clock.now() - Date.parse(newest.createdAt) > signingKeyMs)
    await rotateServerKey(services, systemAuditContext, 'signing')
  for (const { id, kind, replacedAt } of await list()) {
    const age = replacedAt === null ? 0 : clock.now() - Date.parse(replacedAt)
    if (kind !== 'signing' || age > overlapMs) await retireKey(services, systemAuditContext, { id, isForced: false })
  }
}

export type KeyRetirementResult =
  | 'retired'
  | 'unknown'
  /** The key is in use for new values. */
  | 'current'
  /** The key was replaced a moment ago and may still be in use. */
  | 'fresh'
  /** The number of sessions, passwords or encrypted values that depend on it. */
  | { readonly uses: number }

/** Destroys a key. `isForced` ends dependent sessions and invalidates dependent passwords, but never loses encrypted values. */
export async function retireKey(
  services: KeyRotationServices,
  auditContext: AuditContext,
  { id, isForced }: { readonly id: string; readonly isForced: boolean },
): Promise<KeyRetirementResult> {
  const { audit, clock, serverKeys, store } = services
  // Across: keys belong to the platform.
  const outcome = await store.across(async (db): Promise<KeyRetirementResult> => {
    await lockForTransaction(db, 'serverKeys')
    const key = (await listKeys(db, clock.now())).find((one) => one.id === id)
    const obstacle = key === undefined ? 'unknown' : obstacleTo(key, isForced, clock.now())
    if (key === undefined || obstacle !== null) return obstacle ?? 'unknown'
    await db
      .deleteFrom(key.kind === 'data' ? 'dataKey' : 'serverKey')
      .where('id', '=', id)
      .execute()
    await audit.record(db, auditContext, keyEvent('crypto.key_retired', { root: key.kind, id, isForced }))
    return 'retired'
  })
  serverKeys.invalidate()
  return outcome
}

function obstacleTo({ kind, replacedAt, uses }: KeyUsage, isForced: boolean, now: number): KeyRetirementResult | null {
  if (replacedAt === null) return 'current'
  if (isForced && kind !== 'data') return null
  if (uses > 0) return { uses }
  return now - Date.parse(replacedAt) < graceMs ? 'fresh' : null
}

export interface KeyUsage {
  readonly id: string
  readonly kind: RootKeyKind | 'data'
  /** For a data key; null: the platform's. */
  readonly organisationId: string | null
  /** The master key that wraps it. */
  readonly masterVersion: number
  readonly createdAt: string
  /** Null for the key in use. */
  readonly replacedAt: string | null
  /** Open sessions, passwords, encrypted values. */
  readonly uses: number
}

/** The server's keys, newest first per kind, then the data keys. `db` must see all organisations. */
export async function listKeys(db: Db, now: number): Promise<readonly KeyUsage[]> {
  return [...(await listServerKeys(db, now)), ...(await listDataKeys(db))]
}

async function listServerKeys(db: Db, now: number): Promise<readonly KeyUsage[]> {
  const rows = await db
    .selectFrom('serverKey')
    .selectAll()
    .orderBy('root', 'desc')
    .orderBy('sequence', 'desc')
    .execute()
  const uses = new Map(
    [...(await countSessions(db, now)), ...(await countPasswords(db))].map((counted) => [counted.id, counted.uses]),
  )
  return rows.map(({ id, root, masterVersion, createdAt }, at) => {
    const newer = rows[at - 1]
    const replacedAt = newer?.root === root ? newer.createdAt : null
    return { id, kind: root, organisationId: null, masterVersion, createdAt, replacedAt, uses: uses.get(id) ?? 0 }
  })
}

interface KeyUseCount {
  readonly id: string | null
  readonly uses: number
}

/** Sessions that have neither ended nor expired. */
function countSessions(db: Db, now: number): Promise<readonly KeyUseCount[]> {
  return db
    .selectFrom('session')
    .select(['signingKeyId as id', (eb) => eb.fn.countAll<number>().as('uses')])
    .where('endedAt', 'is', null)
    .where('createdAt', '>', isoTime(now - sessionAbsoluteMs))
    .groupBy('signingKeyId')
    .execute()
}

/** Passwords of people and of pending sign-ups. */
async function countPasswords(db: Db): Promise<readonly KeyUseCount[]> {
  const { rows } = await sql<KeyUseCount>`
    select left(passwordHash, 36) as id, count(*) as uses
    from (select passwordHash from portalUser union all select passwordHash from registration where finalisedAt is null) hashes
    group by 1`.execute(db)
  return rows
}

async function listDataKeys(db: Db): Promise<readonly KeyUsage[]> {
  const uses = await countEncryptedValues(db)
  const rows = await db
    .selectFrom('dataKey')
    .select(['id', 'organisationId', 'masterVersion', 'createdAt', 'retiredAt as replacedAt'])
    .orderBy('organisationId')
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, kind: 'data', uses: uses.get(row.id) ?? 0 }))
}
