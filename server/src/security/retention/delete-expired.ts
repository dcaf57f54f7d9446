/** Deletes expired rows in small batches, so that locks are short. */
import type { KernelServices } from '../../kernel/kernel-services.ts'
import { sql } from 'kysely'
import { deleteLatePersonalFields } from '../audit/erased-people.ts'
import { upgradeAuditChains } from '../audit/upgrade-chain.ts'
import { deleteOldAuditEvents } from '../audit/audit.ts'
import { isoTime } from '../../kernel/clock.ts'
import { retentionRules, type RetentionRule } from './retention-rules.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

type RetentionServices = Pick<KernelServices, 'clock' | 'config' | 'store'>

/** The most emails in a trial's mailbox. */
export const mailboxMax = 200
/** Small, so that a batch with its dependent rows is deleted quickly. */
const batchRows = 1_000
const dayMs = 86_400_000
/** Longer than the last calls of an erased person and than a rolling upgrade. */
const lateMs = 2 * dayMs

/** Idempotent, safe to kill and safe to run in several workers: each batch is one transaction. */
export async function deleteExpired(services: RetentionServices): Promise<void> {
  for (const one of retentionRules) await deleteExpiredRows(services, one)
  await deleteExpiredAuditEvents(services)
  await upgradeAuditChains(services.store)
  const { clock, config, store } = services
  // Across: emails belong to no organisation, and loads are abandoned in all of them.
  await store.across((db) => abandonLoads(db, clock.now()))
  const before = isoTime(clock.now() - config.keepMail * dayMs)
  await store.across((db) => (config.mode === 'trial' ? trimMailbox(db) : deleteSentMails(db, before)))
  await deleteLatePersonalFields(store, isoTime(clock.now() - lateMs))
}

async function deleteExpiredRows(
  { clock, config, store }: RetentionServices,
  { table, kept, isExpired: isOver }: RetentionRule,
): Promise<void> {
  const keptMs = typeof kept === 'string' ? config[kept] * dayMs : kept.ms
  const before = sql`${isoTime(clock.now() - keptMs)}::timestamptz`
  const name = sql.table(table)
  // Skips rows that another worker has locked.
  const due = sql`SELECT kept.ctid FROM ${name} AS kept WHERE ${isOver(before)} LIMIT ${sql.lit(batchRows)} FOR UPDATE OF kept SKIP LOCKED`
  // Across: the rule applies to all organisations.
  await repeatWhileFull(() =>
    store.across(async (db) => {
      const { numAffectedRows } = await sql`DELETE FROM ${name} WHERE ctid = ANY (ARRAY(${due}))`.execute(db)
      return Number(numAffectedRows ?? 0)
    }),
  )
}

async function deleteExpiredAuditEvents({ clock, config, store }: RetentionServices): Promise<void> {
  const before = isoTime(clock.now() - config.keepAudit * dayMs)
  let slice = null as AuditSlice | null
  do {
    slice = await findExpiredAudit(store, before, slice?.lastId ?? null)
    for (const organisationId of slice.expired)
      await repeatWhileFull(() =>
        store.across((db) => deleteOldAuditEvents(db, organisationId, { before, limit: batchRows })),
      )
  } while (slice.lastId !== null)
}

/** Organisations of one query: a few hundredths of a second in a store with many. */
const organisationsOfSlice = 5_000

interface AuditSlice {
  /** The chains with expired events; null is the provider's. */
  readonly expired: readonly (string | null)[]
  /** The organisation after which the next slice begins; null after the last one. */
  readonly lastId: string | null
}

/** Reads two index entries of each organisation, because a transaction for each takes minutes if there are many. */
async function findExpiredAudit(store: Store, before: string, afterId: string | null): Promise<AuditSlice> {
  // The newest event of a chain is never deleted.
  const isExpired = sql<boolean>`EXISTS (SELECT FROM auditEvent AS old WHERE old.organisationId = organisation.id AND old.at < ${before}
    AND EXISTS (SELECT FROM auditEvent AS later WHERE later.organisationId = old.organisationId AND later.id > old.id))`
  // Across: each organisation has a chain, and so has the provider.
  const found = await store.across((db) =>
    db
      .selectFrom('organisation')
      .select(['id', isExpired.as('isExpired')])
      .$if(afterId !== null, (query) => query.where('id', '>', afterId))
      .orderBy('id')
      .limit(organisationsOfSlice)
      .execute(),
  )
  const expired = found.filter((one) => one.isExpired).map(({ id }) => id)
  return {
    expired: afterId === null ? [null, ...expired] : expired,
    lastId: found.length < organisationsOfSlice ? null : (found.at(-1)?.id ?? null),
  }
}

async function repeatWhileFull(sweep: () => Promise<number>): Promise<void> {
  while ((await sweep()) >= batchRows);
}

const loadKeptMs = 7 * dayMs

/** Deletes the rows of abandoned loads. Keeps receipts and replaced slices. */
async function abandonLoads(db: Db, now: number): Promise<void> {
  const given = db
    .updateTable('load')
    .set({ status: 'CANCELLED' })
    .where('status', '=', 'RECEIVING')
    .where('beganAt', '<', isoTime(now - loadKeptMs))
    .returning('id')
  await db
    .with('given', () => given)
    .deleteFrom('loadChunk')
    .where('loadId', 'in', (of) => of.selectFrom('given').select('given.id'))
    .execute()
  // The target decides the end state of an interrupted load, without its received rows.
  await db
    .deleteFrom('loadChunk')
    .where('loadId', 'in', (of) =>
      of
        .selectFrom('load')
        .select('load.id')
        .where('status', '=', 'COMMITTING')
        .where('committingAt', '<', isoTime(now - loadKeptMs)),
    )
    .execute()
}

/** Keeps emails that are still to be sent. */
async function deleteSentMails(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('mail')
    .where((mail) => mail.or([mail('sentAt', '<', before), mail('gaveUpAt', '<', before)]))
    .execute()
}

async function trimMailbox(db: Db): Promise<void> {
  const beyond = db.selectFrom('mail').select('id').orderBy('createdAt', 'desc').orderBy('id').offset(mailboxMax)
  await db.deleteFrom('mail').where('id', 'in', beyond).execute()
}
