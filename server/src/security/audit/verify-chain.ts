/** Verifies a chain of the audit log: no event was changed and none is missing. */
import { sql } from 'kysely'
import { findCut, isChainedTo, isIntact, type ChainLink, readBridges, readEvents } from './audit-chain.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

export interface ChainVerification {
  readonly events: number
  /** The id of the first event that was changed or whose predecessor is missing; null for an intact chain. */
  readonly brokenAt: number | null
  /** The newest verified event. Keep its hash elsewhere to detect later that events were deleted from the end. */
  readonly last: { readonly at: string; readonly hash: string } | null
}

/**
 * Events deleted by retention are no break, because the cut keeps the last hash. Missing personal fields are no break either,
 * because people can be erased; present ones are verified.
 *
 * @param organisationId null: the provider's chain
 */
export async function verifyAuditChain(store: Store, organisationId: string | null): Promise<ChainVerification> {
  // Across: the provider's chain belongs to no organisation.
  return store.across(async (db) => {
    // One snapshot, because events are written and deleted meanwhile.
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(db)
    return verifyChain(db, organisationId)
  })
}

/** Reads in pages, so that memory use does not grow with the chain. */
const page = 1_000

async function verifyChain(db: Db, organisationId: string | null): Promise<ChainVerification> {
  const cut = await findCut(db, organisationId)
  const bridges = await readBridges(db, organisationId)
  let former: ChainLink | null = cut === undefined ? null : { id: cut.throughId, hash: cut.hash }
  let [events, last]: [number, ChainVerification['last']] = [0, null]
  for (;;) {
    const found = await readEvents(db, organisationId, { id: (former?.id ?? 0) + 1, limit: page })
    for (const row of found) {
      if (!isChainedTo(row, former, bridges) || !isIntact(row)) return { events, brokenAt: row.id, last }
      former = row
      events += 1
      last = { at: row.at, hash: row.hash.toString('hex') }
    }
    if (found.length < page) return { events, brokenAt: null, last }
  }
}
