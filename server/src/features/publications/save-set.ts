import type { TieOutDemand } from '@tributary/contract/publications'
import { sql } from 'kysely'
import type { TargetDatabase } from '../../connections/publications/target-database.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface SetToSave {
  readonly target: TargetDatabase
  readonly userId: string
  readonly rule: {
    readonly tieOut: TieOutDemand
    readonly verifiedWithinDays: number | null
    readonly incidentAfterHours: number | null
  }
}

/** Switches the set on, and makes a decision due. */
export async function saveSet(db: Db, organisationId: string, { target, userId, rule }: SetToSave): Promise<void> {
  const { tieOut, verifiedWithinDays, incidentAfterHours } = rule
  const values = {
    name: target.name,
    kind: target.kind,
    isOn: true,
    tieOut,
    verifiedWithinDays,
    incidentAfterHours,
    notice: null,
    decidedAt: null,
    changedBy: userId,
    changedAt: sql<string>`now()`,
  }
  await db
    .insertInto('publicationSet')
    .values({ id: target.id, organisationId, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}
