/** Lets in whoever signed up or was invited: an account where they have none, a membership, and a welcome. */
import type { RoleName } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import type { Sessions } from '../sessions/sessions.ts'
import type { OidcProvider } from '../providers/oidc-provider.ts'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'
import type { Config } from '../../kernel/config/config.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Audit } from '../../security/audit/audit.ts'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { accountLinked, welcome } from './account-email-templates.ts'
import type { Db } from '../../kernel/store/store.ts'
import { setPasswordOfOwner } from './revoke-sign-in-methods.ts'

export interface MembershipServices {
  readonly audit: Audit
  readonly clock: Clock
  readonly config: Config
  readonly mailer: EmailOutbox
  readonly providers: readonly OidcProvider[]
  readonly sessions: Sessions
}

interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  readonly provider: string
  /** Of a Microsoft account: its object id. */
  readonly msOid: string | null
}

export interface Applicant {
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  /** Of an account that is to be made; null for somebody who has one, or whom an external provider vouches for. */
  readonly passwordHash: string | null
  /** The external identity that opens the account from now on. */
  readonly identity: ExternalIdentity | null
}

export interface NewMembership {
  readonly organisationId: string
  /** By name in a sign-up, by id in an invitation. */
  readonly role: { readonly name: RoleName } | { readonly id: string }
}

/**
 * Whose address has an account already gets the membership there; a role they have in the organisation stays. Answers the
 * user's id. `db` is a transaction across, for a person belongs to no single organisation.
 */
export async function grantMembership(
  services: MembershipServices,
  db: Db,
  {
    applicant,
    place,
    auditContext,
  }: { readonly applicant: Applicant; readonly place: NewMembership; readonly auditContext: AuditContext },
): Promise<string> {
  const { audit, config, mailer } = services
  const { organisationId } = place
  const { userId, isNew } = await claimAccount(services, db, applicant)
  // Who has just got an account, or asks for themselves, is the one who acts.
  const isVisitor = (auditContext.actor?.userId ?? null) === null
  const by = isVisitor ? withActor(auditContext, { userId }) : auditContext
  const object = { type: 'user', id: userId }
  if (isNew) await audit.record(db, by, { organisationId, action: 'user.created', outcome: 'success', object })
  const { identity, emailAddress } = applicant
  if (identity !== null)
    await linkIdentity(services, db, { identity, account: { userId, emailAddress, isNew }, auditContext: by })
  if (await insertMembership(db, userId, place))
    await audit.record(db, by, { organisationId, action: 'authz.membership_added', outcome: 'success', object })
  const { companyName } = await db
    .selectFrom('organisation')
    .select('companyName')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  await mailer.enqueue(
    db,
    emailAddress,
    welcome({ firstName: applicant.firstName, companyName, url: `${config.publicUrl}/signin` }),
  )
  return userId
}

/** Who signed up, as they are admitted; their registration is finalised thereby, and keeps no password. */
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
 * An identity that opens an account already goes on opening that one; so does a Microsoft account that an administrator entered.
 * Whoever had the account before is told of the new way in.
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
  await audit.record(db, auditContext, {
    organisationId: null,
    action: 'authn.oidc_linked',
    outcome: 'success',
    object,
    detail,
  })
  if (isNew) return
  const { displayName = known.provider } = providers.find(({ name }) => name === known.provider) ?? {}
  await mailer.enqueue(db, emailAddress, accountLinked({ at: displayName, url: `${config.publicUrl}/reset-password` }))
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
 * The account of the applicant's address, held until the transaction ends. Since they proved that it is theirs it may have been
 * erased, been given another address, or an administrator may have made one in its place or set its password.
 */
async function claimAccount(
  services: MembershipServices,
  db: Db,
  applicant: Applicant,
): Promise<{ readonly userId: string; readonly isNew: boolean }> {
  const made = await insertUser(db, applicant)
  if (made !== null) return { userId: made, isNew: true }
  const found = await lockAccount(db, applicant.emailAddress)
  if (found === undefined) return claimAccount(services, db, applicant)
  const { id: userId, isProven } = found
  if (!isProven) {
    await setPasswordOfOwner(db, services.clock, { userId, passwordHash: applicant.passwordHash })
    await services.sessions.endAllOf(db, userId, 'new password')
  }
  return { userId, isNew: false }
}

/** Null where the address has an account. */
async function insertUser(
  db: Db,
  { firstName, lastName, emailAddress, passwordHash }: Applicant,
): Promise<string | null> {
  const made = await db
    .insertInto('portalUser')
    .values({ firstName, lastName, emailAddress, passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(emailAddress)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/** Undefined where the account lost the address while we waited for it. */
function lockAccount(db: Db, emailAddress: string) {
  return db
    .selectFrom('portalUser')
    .select(['id', 'isProven'])
    .where(sql`lower(emailAddress)`, '=', emailAddress.toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** False for somebody who is a member already. */
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
