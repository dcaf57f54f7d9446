import type { Db } from '../../kernel/store/store.ts'

/** False if it was so before. */
export async function savePolicy(db: Db, organisationId: string, allowed: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organisation')
    .set({ allowsAssistants: allowed })
    .where('id', '=', organisationId)
    .where('allowsAssistants', '<>', allowed)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export interface SourceDecision {
  readonly sourceType: string
  readonly allowed: boolean
  readonly acceptedTerms: string | null
  readonly changedBy: string
  readonly changedAt: string
}

export async function saveSourceDecision(db: Db, organisationId: string, decision: SourceDecision): Promise<void> {
  const { sourceType: _, ...change } = decision
  await db
    .insertInto('assistantSource')
    .values({ organisationId, ...decision })
    .onConflict((conflict) => conflict.columns(['organisationId', 'sourceType']).doUpdateSet(change))
    .execute()
}
