/** Proves a chain of the audit log: every event as it was written, and none missing between two. */
import { sql } from 'kysely'
import { findCut, follows, isIntact, type Link, readBridges, readWhole } from './audit-chain.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

export interface Proof {
  readonly events: number
  /** The id of the first event that was changed or whose predecessor is missing; null for an intact chain. */
  readonly brokenAt: number | null
  /** The newest event that was reached. Who keeps its hash elsewhere knows next time that nothing was taken off the end. */
  readonly last: { readonly at: string; readonly hash: string } | null
}

/**
 * What was cleared away after its time is no break: the cut keeps the last hash of it. Nor is that what was personal is gone:
 * somebody was erased. Where it is there, it is what it was.
 *
 * @param organisationId null: the provider's own chain.
 */
export async function verifyAudit(store: Store, organisationId: string | null): Promise<Proof> {
  // Across: the provider's chain is nobody's.
  return store.across(async (db) => {
    // As of one moment, while events are written and old ones are cleared away.
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(db)
    return prove(db, organisationId)
  })
}

/** Few enough to hold in memory, however long the chain is. */
const page = 1_000

async function prove(db: Db, organisationId: string | null): Promise<Proof> {
  const cut = await findCut(db, organisationId)
  const bridges = await readBridges(db, organisationId)
  let former: Link | null = cut === undefined ? null : { id: cut.throughId, hash: cut.hash }
  let [events, last]: [number, Proof['last']] = [0, null]
  for (;;) {
    const found = await readWhole(db, organisationId, { id: (former?.id ?? 0) + 1, limit: page })
    for (const row of found) {
      if (!follows(row, former, bridges) || !isIntact(row)) return { events, brokenAt: row.id, last }
      former = row
      events += 1
      last = { at: row.at, hash: row.hash.toString('hex') }
    }
    if (found.length < page) return { events, brokenAt: null, last }
  }
}
