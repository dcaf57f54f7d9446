/**
 * Table lock: a lease for the single writer of an organisation's own tables. Each writer has a higher fencing token
 * than those before.
 */
import type { OpenTarget } from '@tributary/engine/ports/target'
import { sql } from 'kysely'
import { claimFence } from '../../connections/databases/claim-fence.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

export interface TableLease {
  readonly writerId: string
  /** Fencing token; raised if the target has seen a higher one. */
  fence: number
}

/**
 * A dead writer blocks others for this long. A slow writer whose lease has expired is rejected by the target for its
 * old token.
 */
const leaseMs = 30_000
const renewMs = 5_000

const leaseEnd = sql<string>`now() + ${leaseMs} * interval '1 millisecond'`

/** Acquires the lease with the next fencing token. Undefined while another writer holds it. */
export function acquireTableLease(db: Db, organisationId: string): Promise<TableLease | undefined> {
  return (
    db
      .insertInto('tableSync')
      // A deterministic writer id: a store restored from an older backup still finds its tables.
      .values({ organisationId, writerId: organisationId, fence: 1, busyUntil: leaseEnd })
      .onConflict((conflict) =>
        conflict
          .column('organisationId')
          .doUpdateSet({ fence: sql`tableSync.fence + 1`, busyUntil: leaseEnd })
          .where(sql<boolean>`coalesce(tableSync.busyUntil < now(), true)`),
      )
      .returning(['writerId', 'fence'])
      .executeTakeFirst()
  )
}

/** Begins to write under the lease. Throws `Fenced` if another writer has acquired it. */
export function beginLeasedWrite(
  store: Store,
  organisationId: string,
  lease: TableLease,
  target: OpenTarget,
): Promise<void> {
  const raiseFence = async (newest: number) => {
    const raised = await store.within(organisationId, (db) =>
      db
        .updateTable('tableSync')
        .set({ fence: newest + 1 })
        .where('organisationId', '=', organisationId)
        .where('fence', '=', lease.fence)
        .returning('fence')
        .executeTakeFirst(),
    )
    lease.fence = raised?.fence ?? lease.fence
    return raised?.fence
  }
  return claimFence(target, lease.writerId, lease.fence, raiseFence)
}

/** Renews the lease with a heartbeat while the work runs, and releases it afterwards. */
export async function withTableLease<T>(
  store: Store,
  organisationId: string,
  lease: TableLease,
  work: () => Promise<T>,
): Promise<T> {
  // Changes nothing if another writer has acquired the lease.
  const setEnd = (busyUntil: typeof leaseEnd | null) =>
    store.within(organisationId, (db) =>
      db
        .updateTable('tableSync')
        .set({ busyUntil })
        .where('organisationId', '=', organisationId)
        .where('fence', '=', lease.fence)
        .where('busyUntil', 'is not', null)
        .execute(),
    )
  // A failed renewal lets the lease expire; the fencing token then rejects this writer.
  const renewing = setInterval(() => void setEnd(leaseEnd).catch(() => undefined), renewMs)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await setEnd(null)
  }
}
