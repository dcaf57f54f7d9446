/** Retention deletes by age, so the server's clock must agree with the store's. */
import type { KernelServices } from '../kernel-services.ts'
import { sql } from 'kysely'

type ClockSkewServices = Pick<KernelServices, 'clock' | 'store'>

const aheadMaxMs = 10 * 60_000

/** Throws if this machine's clock is ahead of the store's: it would delete rows too early. */
export async function requireSynchronisedClock({ clock, store }: ClockSkewServices): Promise<void> {
  // Across: the time belongs to no organisation.
  const { rows } = await store.across((db) => sql<{ now: string }>`SELECT now()`.execute(db))
  const aheadMs = clock.now() - Date.parse(rows[0]?.now ?? '')
  if (aheadMs <= aheadMaxMs) return
  const minutes = Math.round(aheadMs / 60_000).toLocaleString('en-GB')
  throw new Error(
    `The clock of this machine is ${minutes} minutes ahead of the database’s. Nothing is deleted for its age until they agree.`,
  )
}
