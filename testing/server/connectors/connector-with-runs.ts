/** Connectors with past runs, for tests of what screens show of them. */
import type { Insertable } from 'kysely'
import type { StoreSchema } from '../../../server/src/kernel/store/schema/schema.ts'
import type { TestApp } from '../app/test-app.ts'

export type NewRun = Partial<Insertable<StoreSchema['run']>>

export interface ConnectorWithRuns {
  readonly name: string
  readonly change?: Partial<Insertable<StoreSchema['connector']>>
  /** Oldest first. */
  readonly runs?: readonly NewRun[]
}

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

/** Returns its id. */
export function insertConnectorWithRuns(
  app: TestApp,
  organisationId: string,
  { name, change, runs = [] }: ConnectorWithRuns,
): Promise<string> {
  return app.store.within(organisationId, async (db) => {
    const createdAt = new Date(app.clock.now() - 90 * dayMs)
    const { id } = await db
      .insertInto('connector')
      .values({ organisationId, key: name, type: 'postgres', name, originalName: name, createdAt, ...change })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const run of runs)
      await db
        .insertInto('run')
        .values({ organisationId, connectorId: id, mode: 'incremental', trigger: 'schedule', ...run })
        .execute()
    return id
  })
}

/** A run of one minute that began this long ago. */
export function completedRun(app: TestApp, agoMs: number, change: NewRun = {}): NewRun {
  const at = new Date(app.clock.now() - agoMs)
  return { status: 'COMPLETED', queuedAt: at, startedAt: at, completedAt: new Date(at.getTime() + minuteMs), ...change }
}
