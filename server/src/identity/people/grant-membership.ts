/**
 * Admits a person who signed up or was invited: creates the account if needed and the membership, and sends a welcome
 * email.
 */
import { getCompanyName } from './organisations.ts'
import type { IdentityServices } from '../identity-services.ts'
import type { RoleName } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { admitAuditor } from './auditor-rooms.ts'
import { accountLinked, welcome } from './account-email-templates.ts'
import type { Db } from '../../kernel/store/store.ts'
import { setOwnerPassword } from './revoke-sign-in-methods.ts'

export type MembershipServices = Pick<
  IdentityServices,
  'audit' | 'clock' | 'config' | 'mailer' | 'providers' | 'sessions'
>

interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  readonly provider: string
  /** The object id of a Microsoft account. */
  readonly msOid: string | null
}

export interface Applicant {
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  /** For a new account; null if the person has one already or signs in by an external provider. */
  readonly passwordHash: string | null
  /** The external identity to link to the account. */
  readonly identity: ExternalIdentity | null
}

export interface NewMembership {
  readonly organisationId: string
  /** A sign-up names the role, an invitation its id. */
  readonly role: { readonly name: RoleName } | { readonly id: string }
}

/**
 * Uses an existing account of the address, and keeps the role of an existing membership. Returns the user's id. `db` is
 * a transaction across organisations, because a person belongs to no single one.
 */
export async function grantMembership(
  services: MembershipServices,
  db: Db,
  {
    applicant,
    membership,
    auditContext,
  }: { readonly applicant: Applicant; readonly membership: NewMembership; readonly auditContext: AuditContext },
): Promise<string> {
  const { audit, config, mailer } = services
  const { organisationId } = membership
  const { userId, isNew } = await claimAccount(services, db, applicant)
  // Without a signed-in actor, the applicant is the actor.
  const isVisitor = (auditContext.actor?.userId ?? null) === null
  const by = isVisitor ? withActor(auditContext, { userId }) : auditContext
  const object = { type: 'user', id: userId }
  if (isNew) await audit.record(db, by, { organisationId, action: 'user.created', object })
  const { identity, emailAddress } = applicant
  if (identity !== null)
    await linkIdentity(services, db, { identity, account: { userId, emailAddress, isNew }, auditContext: by })
  if (await insertMembership(db, userId, membership)) {
    await admitAuditor(db, organisationId, { userId, emailAddress })
    await audit.record(db, by, { organisationId, action: 'authz.membership_added', object })
  }
  const companyName = await getCompanyName(db, organisationId)
  await mailer.enqueue(
    db,
    emailAddress,
    welcome({ firstName: applicant.firstName, companyName, url: `${config.publicUrl}/signin` }),
  )
  return userId
}

/** Reads the applicant of a registration, finalises it and deletes its password hash. */
export async function finaliseApplicant(db: Db, registrationId: string, now: string): Promise<Applicant> {
  const row = await db
    .selectFrom('registration')
    .select(['firstName', 'lastName', 'emailAddress', 'passwordHash', 'issuer', 'subject', 'provider', 'msOid'])
    .where('id', '=', registrationId)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('registration')
    .set({ finalisedAt: now, passwordHash: null })
    .where('id', '=', registrationId)
    .execute()
  const { issuer, subject, provider, msOid, ...person } = row
  const identity =
    issuer === null || subject === null || provider === null ? null : { issuer, subject, provider, msOid }
  return { ...person, identity }
}

interface IdentityLink {
  readonly identity: ExternalIdentity
  readonly account: { readonly userId: string; readonly emailAddress: string; readonly isNew: boolean }
  readonly auditContext: AuditContext
}

/**
 * Links an external identity to an account. An identity or Microsoft id that is linked already stays with its account.
 * The owner of an existing account is notified by email.
 */
export async function linkIdentity(
  { audit, config, mailer, providers }: MembershipServices,
  db: Db,
  { identity, account, auditContext }: IdentityLink,
): Promise<void> {
  const { msOid, ...known } = identity
  const { userId, emailAddress, isNew } = account
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('externalIdentity')
    .values({ ...known, userId, emailAddress })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (added !== 1n) return
  if (msOid !== null) await storeMicrosoftId(db, userId, msOid)
  const object = { type: 'user', id: userId }
  const detail = { provider: known.provider }
  await audit.record(db, auditContext, { organisationId: null, action: 'authn.oidc_linked', object, detail })
  if (isNew) return
  const { displayName = known.provider } = providers.find(({ name }) => name === known.provider) ?? {}
  await mailer.enqueue(
    db,
    emailAddress,
    accountLinked({ provider: displayName, url: `${config.publicUrl}/reset-password` }),
  )
}

async function storeMicrosoftId(db: Db, userId: string, msOid: string): Promise<void> {
  await db
    .updateTable('portalUser')
    .set({ msOid })
    .where('id', '=', userId)
    .where('msOid', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('portalUser as other').select('other.id').where('other.msOid', '=', msOid))),
    )
    .execute()
}

/**
 * Finds or creates the account of the applicant's address and locks it until the transaction ends. Since the applicant
 * verified the address, the account may have been erased or moved to another address, or an administrator may have
 * created one or set its password.
 */
async function claimAccount(
  services: MembershipServices,
  db: Db,
  applicant: Applicant,
): Promise<{ readonly userId: string; readonly isNew: boolean }> {
  const insertedId = await insertUser(db, applicant)
  if (insertedId !== null) return { userId: insertedId, isNew: true }
  const found = await lockAccount(db, applicant.emailAddress)
  if (found === undefined) return claimAccount(services, db, applicant)
  const { id: userId, isProven } = found
  if (!isProven) {
    await setOwnerPassword(db, services.clock, userId, applicant.passwordHash)
    await services.sessions.endAll(db, userId, 'new password')
  }
  return { userId, isNew: false }
}

/** Null if the address already has an account. */
async function insertUser(
  db: Db,
  { firstName, lastName, emailAddress, passwordHash }: Applicant,
): Promise<string | null> {
  const inserted = await db
    .insertInto('portalUser')
    .values({ firstName, lastName, emailAddress, passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(emailAddress)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

/** Undefined if the account lost the address while the query waited for the lock. */
function lockAccount(db: Db, emailAddress: string) {
  return db
    .selectFrom('portalUser')
    .select(['id', 'isProven'])
    .where(sql`lower(emailAddress)`, '=', emailAddress.toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** False if the user is a member already. */
async function insertMembership(db: Db, userId: string, { organisationId, role }: NewMembership): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('membership')
    .values((values) => ({
      organisationId,
      userId,
      roleId: 'id' in role ? role.id : values.selectFrom('role').select('id').where('name', '=', role.name),
    }))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return added === 1n
}
