/**
 * The keeper: applies changes of rights to the warehouses. Triggers of the store record each change in `access_change`, in the
 * transaction that makes it. A worker polls that table, and applies the rights of every organisation once an hour.
 */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { type AccessServices, applyAccess } from './apply-access.ts'

/** The polling interval. A change takes effect within 5 s. */
export const accessPollMs = 1_000

/** Applies the recorded changes. An organisation whose warehouse fails keeps its changes and does not delay the others. */
export async function keepAccess(services: AccessServices): Promise<void> {
  // Across: changes belong to all organisations.
  const changed = await services.store.across(listChangedEverywhere)
  await forEach(changed, async ({ organisationId, ids }) => {
    await applyAccess(services, organisationId)
    await services.store.across((db) => db.deleteFrom('accessChange').where('id', 'in', ids).execute())
  })
}

/** Repairs what was changed in the warehouses themselves, and what a restored store or server does not know. */
export async function keepAllAccess(services: AccessServices): Promise<void> {
  // Across: every organisation with a warehouse.
  const all = await services.store.across((db) => db.selectFrom('warehouse').select('organisationId').execute())
  await forEach(all, ({ organisationId }) => applyAccess(services, organisationId))
}

interface ChangedOrganisation {
  readonly organisationId: string
  /** The changes that are visible now. Later ones stay for the next poll. */
  readonly ids: readonly number[]
}

function listChangedEverywhere(db: Db): Promise<readonly ChangedOrganisation[]> {
  return db
    .selectFrom('accessChange')
    .select(['organisationId', sql<readonly number[]>`array_agg(id::float8)`.as('ids')])
    .groupBy('organisationId')
    .execute()
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}
