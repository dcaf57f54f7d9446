/** The end of keys: what nothing hangs on any more is destroyed. */
import { sessionAbsoluteMs } from '@tributary/contract/limits'
import { sql } from 'kysely'
import { systemAuditContext, type AuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { resealAll } from './re-encrypt-secrets.ts'
import { keyEvent, rotateServerKey, type KeyRotationServices } from './rotate-keys.ts'
import { countSealed } from './encrypted-columns.ts'
import { type Root } from './server-keys.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

/** A signing key is replaced when it is that old. */
export const signingKeyMs = 90 * 86_400_000
/** Longer than any session lasts that began with it. */
export const overlapMs = 24 * 3_600_000
/** Longer than any transaction that began with the key while it was the newest. */
export const graceMs = 10 * 60_000

/** What the rounds of a worker do: keys come of age, and what a rotation that was cut off left undone is done. */
export async function tendKeys(services: KeyRotationServices): Promise<void> {
  const { clock, store } = services
  await resealAll(services)
  const list = () => store.across((db) => listKeys(db, clock.now()))
  const newest = (await list()).find(({ kind }) => kind === 'signing')
  if (newest !== undefined && clock.now() - Date.parse(newest.createdAt) > signingKeyMs)
    await rotateServerKey(services, systemAuditContext, 'signing')
  for (const { id, kind, replacedAt } of await list()) {
    const age = replacedAt === null ? 0 : clock.now() - Date.parse(replacedAt)
    if (kind !== 'signing' || age > overlapMs) await retireKey(services, systemAuditContext, { id, isForced: false })
  }
}

export type Retirement =
  | 'retired'
  | 'unknown'
  /** It is the one that makes what is made now. */
  | 'current'
  /** It was replaced a moment ago, and somebody may still be at work with it. */
  | 'fresh'
  /** So many sessions, passwords or sealed values hang on it. */
  | { readonly uses: number }

/** Destroys a key. `isForced`: sessions that hang on it end, and passwords have to be set anew; sealed values are never given up. */
export async function retireKey(
  services: KeyRotationServices,
  auditContext: AuditContext,
  { id, isForced }: { readonly id: string; readonly isForced: boolean },
): Promise<Retirement> {
  const { audit, clock, serverKeys, store } = services
  // Across: keys are the provider's business.
  const outcome = await store.across(async (db): Promise<Retirement> => {
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
  serverKeys.forget()
  return outcome
}

function obstacleTo({ kind, replacedAt, uses }: ListedKey, isForced: boolean, now: number): Retirement | null {
  if (replacedAt === null) return 'current'
  if (isForced && kind !== 'data') return null
  if (uses > 0) return { uses }
  return now - Date.parse(replacedAt) < graceMs ? 'fresh' : null
}

export interface ListedKey {
  readonly id: string
  readonly kind: Root | 'data'
  /** Of a data key; null: the platform's own. */
  readonly organisationId: string | null
  /** The master key that wraps it. */
  readonly masterVersion: number
  readonly createdAt: string
  /** Since when a newer one makes what is made; null for that one. */
  readonly replacedAt: string | null
  /** Open sessions, passwords, sealed values. */
  readonly uses: number
}

/** Those of the server, the newest of a kind first, then the data keys. `db` sees all organisations. */
export async function listKeys(db: Db, now: number): Promise<readonly ListedKey[]> {
  return [...(await listServerKeys(db, now)), ...(await listDataKeys(db))]
}

async function listServerKeys(db: Db, now: number): Promise<readonly ListedKey[]> {
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

interface Counted {
  readonly id: string | null
  readonly uses: number
}

/** Those that nobody ended and that have not run out. */
function countSessions(db: Db, now: number): Promise<readonly Counted[]> {
  return db
    .selectFrom('session')
    .select(['signingKeyId as id', (eb) => eb.fn.countAll<number>().as('uses')])
    .where('endedAt', 'is', null)
    .where('createdAt', '>', isoTime(now - sessionAbsoluteMs))
    .groupBy('signingKeyId')
    .execute()
}

/** Of people, and of sign-ups that go on. */
async function countPasswords(db: Db): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select left(passwordHash, 36) as id, count(*) as uses
    from (select passwordHash from portalUser union all select passwordHash from registration where finalisedAt is null) hashes
    group by 1`.execute(db)
  return rows
}

async function listDataKeys(db: Db): Promise<readonly ListedKey[]> {
  const uses = await countSealed(db)
  const rows = await db
    .selectFrom('dataKey')
    .selectAll()
    .orderBy('organisationId')
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(({ id, organisationId, masterVersion, createdAt, retiredAt }) => ({
    id,
    kind: 'data',
    organisationId,
    masterVersion,
    createdAt,
    replacedAt: retiredAt,
    uses: uses.get(id) ?? 0,
  }))
}
