import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'

/**
 * Reads across organisations, because an invited person may belong to none yet. Undefined if the invitation was
 * withdrawn.
 */
export function findInvitationEverywhere(db: Db, id: string) {
  return (
    db
      .selectFrom('invitation')
      .innerJoin('organisation', 'organisation.id', 'invitation.organisationId')
      .select([
        'invitation.id',
        'organisationId',
        'companyName',
        'emailAddress',
        'firstName',
        'lastName',
        'roleId',
        'acceptedAt',
      ])
      .where('invitation.id', '=', id)
      // An archived organisation accepts no members.
      .where('organisation.archivedAt', 'is', null)
      .executeTakeFirst()
  )
}

/** Atomic: of concurrent calls exactly one returns true. */
export async function acceptInvitation(db: Db, organisationId: string, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitation')
    .set({ acceptedAt: isoTime(now) })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .where('acceptedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
