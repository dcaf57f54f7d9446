/** Invitations to an organisation: the row, and the mail with a link. */
import { invitationMs } from '@tributary/contract/limits'
import { type InsertObject, sql } from 'kysely'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { StoreSchema } from '../../kernel/store/schema/schema.ts'
import type { Db } from '../../kernel/store/store.ts'
import { createLinkCode } from '../../security/secrets/one-time-codes.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import type { IdentityServices } from '../identity-services.ts'
import { invitation } from './account-email-templates.ts'
import { selectMembers } from './members.ts'
import { getCompanyName } from './organisations.ts'

export type InvitationServices = Pick<IdentityServices, 'audit' | 'clock' | 'config' | 'mailer' | 'store' | 'throttle'>

/** Invitations are mail to strangers. The limit allows a department but prevents spam. */
const organisationLimit: ThrottleLimit = { kind: 'invitations', free: 50, waitMs: 3_600_000, isShared: true }

/** Throws `tooMany`. */
export function limitInvitations({ throttle }: InvitationServices, organisationId: string): Promise<void> {
  return throttle.attempt(organisationLimit, organisationId)
}

/** Whether a member of the organisation has that address. */
export async function isMemberAddress(db: Db, organisationId: string, emailAddress: string): Promise<boolean> {
  const found = await selectMembers(db, organisationId)
    .select('portalUser.id')
    .where(sql`lower(emailAddress)`, '=', emailAddress.toLowerCase())
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the invitation's id, or undefined if the address already has an open invitation. */
export async function insertInvitation(
  db: Db,
  organisationId: string,
  invitation: Omit<InsertObject<StoreSchema, 'invitation'>, 'organisationId' | 'createdAt'>,
): Promise<string | undefined> {
  const inserted = await db
    .insertInto('invitation')
    .values({ ...invitation, organisationId, createdAt: invitation.sentAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function deleteInvitations(
  db: Db,
  organisationId: string,
  filter: { readonly id: string } | { readonly emailAddress: string },
): Promise<readonly string[]> {
  const deleted = await db
    .deleteFrom('invitation')
    .where('organisationId', '=', organisationId)
    .where('acceptedAt', 'is', null)
    .$if('id' in filter, (query) => query.where('id', '=', 'id' in filter ? filter.id : ''))
    .$if('emailAddress' in filter, (query) =>
      query.where(sql`lower(emailAddress)`, '=', 'emailAddress' in filter ? filter.emailAddress.toLowerCase() : ''),
    )
    .returning('id')
    .execute()
  const ids = deleted.map(({ id }) => id)
  if (ids.length > 0)
    await db.deleteFrom('linkCode').where('purpose', '=', 'invitation').where('subjectId', 'in', ids).execute()
  return ids
}

/** Mails a new link, which replaces the previous one. */
export async function sendInvitation(
  db: Db,
  services: InvitationServices,
  { actor, organisationId }: CallerContext,
  { id, firstName, emailAddress }: { readonly id: string; readonly firstName: string; readonly emailAddress: string },
): Promise<void> {
  const code = await createLinkCode(db, services.clock, { purpose: 'invitation', subjectId: id, lifeMs: invitationMs })
  const companyName = await getCompanyName(db, organisationId)
  const url = `${services.config.publicUrl}/signup/finalise?code=${code}`
  const inviter = `${actor.firstName} ${actor.lastName}`
  await services.mailer.enqueue(db, emailAddress, invitation({ firstName, inviter, companyName, url }))
}
