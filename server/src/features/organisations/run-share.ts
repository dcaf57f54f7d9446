/** How many runs an organisation has at once, and its weight in the order in which workers claim runs. */
import type { RunShare } from '@tributary/contract/organisations'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { defaultRunShare } from '../../connections/connectors/run-share.ts'
import type { Db } from '../../kernel/store/store.ts'

export async function readRunShare(db: Db, organisationId: string): Promise<Camel<RunShare>> {
  const chosen = await db
    .selectFrom('runShare')
    .select(['runsMax', 'weight'])
    .where('organisationId', '=', organisationId)
    .executeTakeFirst()
  const { waiting } = await db
    .selectFrom('unclaimedRun')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('organisationId', '=', organisationId)
    .where('waitsFor', '=', 'share')
    .executeTakeFirstOrThrow()
  const { running } = await db
    .selectFrom('run')
    .select((eb) => eb.fn.countAll<number>().as('running'))
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'RUNNING')
    .where('verifyingSince', 'is', null)
    .executeTakeFirstOrThrow()
  return { ...(chosen ?? defaultRunShare), running, waiting }
}

/** A trigger of the store puts the organisation's waiting runs back in the order. */
export async function changeRunShare(
  db: Db,
  organisationId: string,
  share: { readonly runsMax: number; readonly weight: number },
): Promise<void> {
  await db
    .insertInto('runShare')
    .values({ organisationId, ...share })
    .onConflict((conflict) => conflict.column('organisationId').doUpdateSet({ ...share, changedAt: sql`now()` }))
    .execute()
}
