/**
 * Account commands of the operator: the portal's rules, but no rights checks, and the operator never sets a password.
 */
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { resetLinkMs } from '@tributary/contract/limits'
import type { NewUser } from '@tributary/contract/users'
import { sql } from 'kysely'
import { applyStatus } from '../../features/users/change-user.ts'
import { insertMembership, insertUser } from '../../features/users/create-user.ts'
import { lockPerson, type LockedPerson } from '../../features/users/lock-people.ts'
import { deleteInvitations } from '../../identity/people/invitations.ts'
import type { NewAuditEvent } from '../../security/audit/audit.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createLinkCode } from '../../security/secrets/one-time-codes.ts'
import { accountChanged, setPassword } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import { passwordsPerAccount } from '../../security/throttling/password-attempt-limits.ts'
import type { Db } from '../../kernel/store/store.ts'
import { revokePendingSignIns } from '../../identity/people/revoke-sign-in-methods.ts'
import { getOrganisationNamed } from '../find-by-name.ts'
import { operatorAuditContext } from '../operator.ts'
import { CommandRefused } from '../command-refused.ts'

type OperatorAccountServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'mailer' | 'sessions' | 'store' | 'throttle'
>

interface LinkOptions {
  /** Whether the owner gets the link that sets their password by mail; otherwise it is printed. */
  readonly mail?: true
}

export interface NewAccountOptions extends LinkOptions {
  readonly role: RoleName
  /** The organisation's key or id. Roles of the provider need none. */
  readonly organisation?: string
}

export interface ResetOptions extends LinkOptions {
  /** Whether authenticator app, passkeys and recovery codes are removed, too. */
  readonly secondFactor?: true
}

export function createAccount(
  services: OperatorAccountServices,
  person: Pick<NewUser, 'emailAddress' | 'firstName' | 'lastName'>,
  { role: name, organisation, mail }: NewAccountOptions,
): Promise<OperatorAccount> {
  // Across: an email address is unique over all organisations.
  return services.store.across(async (db) => {
    const role = await getRole(db, name)
    const home = organisation === undefined ? null : await getOrganisationNamed(db, organisation)
    if (home === null && role.level >= roleLevels.admin)
      throw new CommandRefused(
        'organisationNeeded',
        `Say of which organisation the new ${name} is, with --organisation.`,
      )
    if (home !== null && home.archivedAt !== null) throw new ApiFault('organisationArchived')
    const id = await insertUser(db, { ...person, passwordHash: null, passwordIsTemporary: false }, role)
    if (home !== null) {
      await insertMembership(db, { organisationId: home.id, userId: id, role })
      await deleteInvitations(db, home.id, person)
    }
    const account = { id, emailAddress: person.emailAddress, roles: home === null ? {} : { [home.id]: name } }
    await record(db, services, account, { action: 'user.created', detail: { role: name } })
    const what = 'The operator of Tributary created an account for you.'
    return createPasswordLink(db, services, account, { what, mail })
  })
}

/** Removes the password, ends all sessions and trusted devices, and creates a link to set a new password. */
export function resetAccount(
  services: OperatorAccountServices,
  emailAddress: string,
  { secondFactor, mail }: ResetOptions,
): Promise<OperatorAccount> {
  // Across, here and below: a person belongs to no organisation.
  return services.store.across(async (db) => {
    const person = await getPerson(db, emailAddress)
    if (person.status !== 'active') throw notActive(person)
    await db
      .updateTable('portalUser')
      .set({ passwordHash: null, passwordIsTemporary: false })
      .where('id', '=', person.id)
      .execute()
    await services.sessions.endAll(db, person.id, 'new password')
    await db.deleteFrom('device').where('userId', '=', person.id).execute()
    await revokePendingSignIns(db, services.clock, person.id)
    if (secondFactor) await removeFactors(db, person.id)
    const detail = { secondFactor: secondFactor ? 'removed' : 'kept' }
    await record(db, services, person, { action: 'authn.password_reset_requested', detail })
    const what = 'The operator of Tributary removed the password of your account and signed you out everywhere.'
    if (!mail)
      await services.mailer.enqueue(
        db,
        person.emailAddress,
        accountChanged({ what, url: `${services.config.publicUrl}/reset-password` }),
      )
    return createPasswordLink(db, services, person, { what, mail })
  })
}

/** Throws `lastAdmin` for the last superadmin, and for an organisation's last administrator. */
export function lockAccount(services: OperatorAccountServices, emailAddress: string) {
  return services.store.across(async (db) => {
    const person = await getPerson(db, emailAddress)
    if (person.status === 'active') await setStatus(db, services, person, 'locked')
    else if (person.status !== 'locked') throw notActive(person)
    return { id: person.id, emailAddress: person.emailAddress, status: 'locked' }
  })
}

/** Also lifts the throttling after many wrong passwords. */
export function unlockAccount(services: OperatorAccountServices, emailAddress: string) {
  return services.store.across(async (db) => {
    const person = await getPerson(db, emailAddress)
    if (person.status === 'locked') await setStatus(db, services, person, 'active')
    else if (person.status === 'active') await record(db, services, person, { action: 'authn.login_unlock' })
    else throw notActive(person)
    await db.updateTable('portalUser').set({ failedSignIns: 0 }).where('id', '=', person.id).execute()
    await services.throttle.forgive(db, passwordsPerAccount, person.emailAddress.toLowerCase())
    return { id: person.id, emailAddress: person.emailAddress, status: 'active' }
  })
}

function notActive({ emailAddress, status }: LockedPerson): CommandRefused {
  const remedy =
    status === 'locked'
      ? `Unlock it first: tributary user unlock ${emailAddress}`
      : 'Make it active in the portal first.'
  return new CommandRefused('notActive', `The account of ${emailAddress} is ${status}. ${remedy}`)
}

async function setStatus(
  db: Db,
  services: Pick<AppServices, 'audit' | 'sessions'>,
  person: LockedPerson,
  name: 'locked' | 'active',
): Promise<void> {
  const status = await db.selectFrom('status').select(['id', 'name']).where('name', '=', name).executeTakeFirstOrThrow()
  const action = await applyStatus(db, services, person, status)
  await record(db, services, person, { action, detail: { before: person.status } })
}

async function getPerson(db: Db, emailAddress: string): Promise<LockedPerson> {
  const found = await db
    .selectFrom('portalUser')
    .select('id')
    .where(sql`lower(emailAddress)`, '=', emailAddress.toLowerCase())
    .executeTakeFirst()
  const person = found === undefined ? undefined : await lockPerson(db, found.id)
  if (person === undefined)
    throw new CommandRefused(
      'noUser',
      `There is no account with the address ${emailAddress}. See the accounts with: tributary user list`,
    )
  return person
}

async function getRole(db: Db, name: RoleName) {
  const { id, roleLevel } = await db
    .selectFrom('role')
    .select(['id', 'roleLevel'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return { id, name, level: roleLevel }
}

async function removeFactors(db: Db, userId: string): Promise<void> {
  for (const table of ['totp', 'passkey', 'recoveryCode'] as const)
    await db.deleteFrom(table).where('userId', '=', userId).execute()
}

export type OperatorAccount = Awaited<ReturnType<typeof createPasswordLink>>

/** @param what happened, in a sentence. Returns null as the link if it was mailed: only the owner sees it then. */
async function createPasswordLink(
  db: Db,
  { clock, config, mailer }: OperatorAccountServices,
  { id, emailAddress }: Pick<LockedPerson, 'emailAddress' | 'id'>,
  { what, mail }: { readonly what: string; readonly mail: true | undefined },
) {
  const code = await createLinkCode(db, clock, { purpose: 'reset', subjectId: id, lifeMs: resetLinkMs })
  const link = `${config.publicUrl}/set-password/redeem/${code}`
  if (mail) await mailer.enqueue(db, emailAddress, setPassword({ what, url: link }))
  return {
    id,
    emailAddress,
    link: mail ? null : link,
    linkExpiresAt: isoTime(clock.now() + resetLinkMs),
  }
}

/** Every organisation that the person is a member of records the event in its audit log; else the provider's does. */
async function record(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  { id, roles }: Pick<LockedPerson, 'id' | 'roles'>,
  event: Pick<NewAuditEvent, 'action' | 'detail'>,
): Promise<void> {
  const auditContext = operatorAuditContext()
  const organisationIds = Object.keys(roles).toSorted()
  for (const organisationId of organisationIds.length === 0 ? [null] : organisationIds)
    await audit.record(db, auditContext, { organisationId, object: { type: 'user', id }, ...event })
}
