/** *Ready by* in the worker: records outcomes, plans the next promises and starts what is planned. */
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { planBatch } from './plan-promises.ts'
import { recordBatch } from './record-outcomes.ts'
import { sampleLoad } from './sample-load.ts'
import { startBatch } from './start-planned-runs.ts'

type ReadyByServices = Pick<AppServices, 'log' | 'queue' | 'settings' | 'store'>

/** Across organisations: a worker serves all of them. Nothing starts while schedules are switched off; the promises say so. */
export async function keepReadyBy(
  { log, queue, settings, store }: ReadyByServices,
  capacity: WorkerCapacity | null = null,
): Promise<void> {
  if (capacity !== null) await reportCapacity(store, capacity)
  await store.across(sampleLoad)
  const { ScheduledRuns: areSchedulesOn } = await settings.read()
  while ((await store.across(recordBatch)) > 0);
  while ((await store.across((db) => planBatch(db, { log, areSchedulesOn }))) > 0);
  if (!areSchedulesOn) return
  while ((await store.across((db) => startBatch(db, { queue }))) > 0);
}

/** The memory that a worker has for runs. */
interface WorkerCapacity {
  readonly worker: string
  readonly memoryMb: number
}

/** Reports the capacity of this worker to the planner, and forgets workers that ended long ago. */
async function reportCapacity(store: Store, capacity: WorkerCapacity): Promise<void> {
  // Across: workers belong to no organisation.
  await store.across(async (db: Db) => {
    await db
      .insertInto('workerCapacity')
      .values(capacity)
      .onConflict((conflict) =>
        conflict.column('worker').doUpdateSet({ memoryMb: capacity.memoryMb, seenAt: sql`now()` }),
      )
      .execute()
    await db
      .deleteFrom('workerCapacity')
      .where('seenAt', '<', sql<string>`now() - interval '1 hour'`)
      .execute()
  })
}
