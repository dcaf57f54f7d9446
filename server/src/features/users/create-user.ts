/** Adds a user with an initial password, which the administrator passes on. */
import { getCompanyName } from '../../identity/people/organisations.ts'
import { may, roleLevels } from '@tributary/contract/capabilities'
import type { NewUser } from '@tributary/contract/users'
import { sql } from 'kysely'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { accountCreated } from '../../identity/people/account-email-templates.ts'
import type { Db } from '../../kernel/store/store.ts'
import { countAddressCheck, refundAddressCheck } from './address-check-limit.ts'
import { getAssignableRole, isProviderRole, type AssignableRole } from './lock-people.ts'
import { deleteInvitations } from '../../identity/people/invitations.ts'

type CreateUserServices = Pick<AppServices, 'audit' | 'config' | 'mailer' | 'passwords' | 'store' | 'throttle'>

/** Returns the id of the new user. */
export async function createUser(
  services: CreateUserServices,
  auditContext: CallerContext,
  person: NewUser,
): Promise<string> {
  const { actor, organisationId } = auditContext
  if (person.msId !== undefined && !may(actor.roleLevel, 'editMicrosoftId')) throw new ApiFault('notAllowed')
  await services.passwords.requireStrong('password', person.password, [
    person.firstName,
    person.lastName,
    person.emailAddress,
  ])
  const passwordHash = await services.passwords.hash(person.password)
  await countAddressCheck(services, actor)
  // Across: an address is unique over all organisations, and mail belongs to none.
  return services.store.across(async (db) => {
    const role = await getAssignableRole(db, person.roleId, actor.roleLevel)
    const userId = await insertUser(
      db,
      { ...person, passwordHash, passwordIsTemporary: services.config.temporaryPasswords },
      role,
    )
    await insertMembership(db, { organisationId, userId, role })
    await deleteInvitations(db, organisationId, person)
    const object = { type: 'user', id: userId }
    await services.audit.record(db, auditContext, { action: 'user.created', object })
    await services.audit.record(db, auditContext, {
      action: 'authz.membership_added',
      object,
      detail: { role: role.name },
    })
    const companyName = await getCompanyName(db, organisationId)
    const email = accountCreated({
      firstName: person.firstName,
      companyName,
      url: `${services.config.publicUrl}/signin`,
    })
    await services.mailer.enqueue(db, person.emailAddress, email)
    await refundAddressCheck(db, services, actor)
    return userId
  })
}

interface NewUserRow extends Pick<NewUser, 'firstName' | 'lastName' | 'emailAddress'>, Partial<Pick<NewUser, 'msId'>> {
  /** Null: the user cannot sign in with a password until they set one. */
  readonly passwordHash: string | null
  readonly passwordIsTemporary: boolean
}

/** Throws `addressTaken`. */
export async function insertUser(db: Db, person: NewUserRow, role: AssignableRole): Promise<string> {
  const { firstName, lastName, emailAddress, passwordHash, passwordIsTemporary } = person
  const msOid = person.msId ?? null
  if (msOid !== null) await requireFreeMicrosoftId(db, msOid)
  const inserted = await db
    .insertInto('portalUser')
    .values({
      firstName,
      lastName,
      emailAddress,
      passwordHash,
      passwordIsTemporary,
      msOid,
      isProven: false,
      providerRoleId: isProviderRole(role) ? role.id : null,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(emailAddress)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) throw new ApiFault('addressTaken', { fields: { emailAddress: 'is in use' } })
  return inserted.id
}

async function requireFreeMicrosoftId(db: Db, msOid: string): Promise<void> {
  const holder = await db.selectFrom('portalUser').select('id').where('msOid', '=', msOid).executeTakeFirst()
  if (holder !== undefined) throw badField('msId', 'belongs to another user')
}

/** A provider role belongs to the user. Their membership has the role of an administrator. */
export async function insertMembership(
  db: Db,
  { organisationId, userId, role }: { organisationId: string; userId: string; role: AssignableRole },
): Promise<void> {
  const admin = db.selectFrom('role').select('id').where('roleLevel', '=', roleLevels.admin)
  const { id: roleId } = isProviderRole(role) ? await admin.executeTakeFirstOrThrow() : role
  await db.insertInto('membership').values({ organisationId, userId, roleId }).execute()
}
