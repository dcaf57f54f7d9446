/** Clears away what has served its purpose, a few rows at a time, so that nobody waits for it. */
import { sql } from 'kysely'
import type { Config } from '../../kernel/config/config.ts'
import { forgetErased } from '../audit/erased-people.ts'
import { sealAudit } from '../audit/upgrade-chain.ts'
import { cutAudit } from '../audit/audit.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { retained, type Retained } from './retention-rules.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

interface RetentionServices {
  readonly clock: Clock
  readonly config: Config
  readonly store: Store
}

/** What the mailbox of a trial holds. */
export const mailboxMax = 200
/** Few enough to be gone within a moment, with what hangs on them. */
const batchRows = 1_000
const dayMs = 86_400_000
/** Long after the last call of somebody who was erased has ended, and the last server from before is gone. */
const lateMs = 2 * dayMs

/** Safe to repeat, to kill, and by several workers at once: each batch is a transaction of its own. */
export async function clearAway(services: RetentionServices): Promise<void> {
  for (const one of retained) await sweepTable(services, one)
  await sweepAudit(services)
  await sealAudit(services.store)
  const { clock, config, store } = services
  // Across: mail belongs to no organisation, and loads are given up in all of them.
  await store.across((db) => giveUpLoads(db, clock.now()))
  const before = isoTime(clock.now() - config.keepMail * dayMs)
  await store.across((db) => (config.mode === 'trial' ? clearMailbox(db) : clearMail(db, before)))
  await forgetErased(store, isoTime(clock.now() - lateMs))
}

async function sweepTable(
  { clock, config, store }: RetentionServices,
  { table, kept, isOver }: Retained,
): Promise<void> {
  const keptMs = typeof kept === 'string' ? config[kept] * dayMs : kept.ms
  const before = sql`${isoTime(clock.now() - keptMs)}::timestamptz`
  const name = sql.table(table)
  // Rows that another worker is at are left to it.
  const due = sql`SELECT kept.ctid FROM ${name} AS kept WHERE ${isOver(before)} LIMIT ${sql.lit(batchRows)} FOR UPDATE OF kept SKIP LOCKED`
  // Across: what is old is old in every organisation.
  await untilFew(() =>
    store.across(async (db) => {
      const { numAffectedRows } = await sql`DELETE FROM ${name} WHERE ctid = ANY (ARRAY(${due}))`.execute(db)
      return Number(numAffectedRows ?? 0)
    }),
  )
}

async function sweepAudit({ clock, config, store }: RetentionServices): Promise<void> {
  const before = isoTime(clock.now() - config.keepAudit * dayMs)
  // Across: each organisation has a chain, and so has the provider.
  const organisations = await store.across((db) => db.selectFrom('organisation').select('id').execute())
  for (const organisationId of [null, ...organisations.map(({ id }) => id)])
    await untilFew(() => store.across((db) => cutAudit(db, organisationId, { before, limit: batchRows })))
}

async function untilFew(sweep: () => Promise<number>): Promise<void> {
  while ((await sweep()) >= batchRows);
}

const loadKeptMs = 7 * dayMs

/** The rows of loads that nobody went on with. Receipts and what was replaced stay. */
async function giveUpLoads(db: Db, now: number): Promise<void> {
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
  // One that was cut off is settled by what its target says, without the rows that came.
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

/** Mail that still waits to go out stays. */
async function clearMail(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('mail')
    .where((mail) => mail.or([mail('sentAt', '<', before), mail('gaveUpAt', '<', before)]))
    .execute()
}

async function clearMailbox(db: Db): Promise<void> {
  const beyond = db.selectFrom('mail').select('id').orderBy('createdAt', 'desc').orderBy('id').offset(mailboxMax)
  await db.deleteFrom('mail').where('id', 'in', beyond).execute()
}
