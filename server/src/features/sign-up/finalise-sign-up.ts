/**
 * From a confirmed address to an account: links an existing account, finds or creates the organisation, and requests an
 * approval.
 */
import type { Finalisation } from '@tributary/contract/sign-up'
import type { Camel } from '@tributary/contract/wire'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import {
  grantMembership,
  linkIdentity,
  finaliseApplicant,
  type MembershipServices,
} from '../../identity/people/grant-membership.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { insertOrganisation } from '../../identity/people/organisations.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findAccount } from '../../identity/people/accounts.ts'
import { isMember } from '../../identity/people/members.ts'
import { findApprovalEverywhere } from './approval-queries.ts'
import { requestApproval } from './request-approval.ts'
import { reAuthenticateAccount, type ReAuthenticateAccountServices } from './re-authenticate-account.ts'
import {
  clearForeignSignInMethods,
  findOrganisationNamed,
  getRegistration,
  type RegistrationKey,
  storeChosenPassword,
  lockAddress,
  markVerified,
  type Registration,
  updateRegistration,
} from './queries.ts'

type FinaliseSignUpServices = Pick<AppServices, 'audit' | 'clock' | 'passwords' | 'settings' | 'store'> &
  MembershipServices &
  ReAuthenticateAccountServices

interface SignUpAnswers {
  readonly password: string | undefined
  readonly companyName: string | undefined
  readonly joinOrganisation: boolean | undefined
}

/**
 * The code comes from an email, so it confirms the address. A mail scanner that opens the link changes nothing else.
 */
export async function confirmAndReadRegistration(
  { clock }: Pick<AppServices, 'clock'>,
  db: Db,
  key: RegistrationKey,
): Promise<Camel<Finalisation>> {
  await markVerified(db, key.id, clock.now())
  return describeFinalisation(db, await getRegistration(db, key, 'read'))
}

interface AnsweredRegistration extends RegistrationKey {
  readonly answers: SignUpAnswers
  readonly auditContext: AuditContext
}

export async function finaliseRegistration(
  services: FinaliseSignUpServices,
  { answers, auditContext, ...key }: AnsweredRegistration,
): Promise<Camel<Finalisation>> {
  const { clock, settings, store } = services
  const { password, companyName, joinOrganisation } = answers
  const { id } = key
  // Across, here and below: the applicant belongs to no organisation and may ask for any.
  await store.across(async (db) => {
    // An approval request is pending only after the applicant has passed this check.
    if ((await findApprovalEverywhere(db, id)) === undefined) await clearForeignSignInMethods(db, key)
  })
  if (password !== undefined) await applyPassword(services, { key, password, auditContext })
  const { RequireApproval: needsApproval } = await settings.read()
  return store.across(async (db) => {
    const registration = await getRegistration(db, key, 'lock')
    await lockAddress(db, registration.emailAddress)
    await markVerified(db, id, clock.now())
    const finalisation = await describeFinalisation(db, registration)
    const isAnswered = companyName !== undefined || joinOrganisation !== undefined
    if (
      !isAnswered ||
      finalisation.finalised ||
      finalisation.linkAccount ||
      finalisation.choosePassword ||
      finalisation.approvalId !== null
    )
      return finalisation

    // Declining to join clears the name, so that the page asks for another one.
    const name = companyName ?? (joinOrganisation === false ? '' : registration.companyName)
    await updateRegistration(db, id, { companyName: name })
    const request = {
      registration: { ...registration, companyName: name },
      isJoining: joinOrganisation === true,
      needsApproval,
      auditContext,
    }
    if (name !== '') await joinOrCreateOrganisation(services, db, request)
    return describeFinalisation(db, await getRegistration(db, key, 'read'))
  })
}

interface SubmittedPassword {
  readonly key: RegistrationKey
  readonly password: string
  readonly auditContext: AuditContext
}

/**
 * Checks the password of the existing account, or stores the one for a new account. Does nothing if no password is
 * needed.
 */
async function applyPassword(
  services: FinaliseSignUpServices,
  { key, password, auditContext }: SubmittedPassword,
): Promise<void> {
  const { passwords, store } = services
  // Across, here and below: neither registrations nor accounts belong to an organisation.
  const { registration, finalisation } = await store.across(async (db) => {
    const registration = await getRegistration(db, key, 'read')
    return { registration, finalisation: await describeFinalisation(db, registration) }
  })
  if (finalisation.linkAccount) await linkExistingAccount(services, registration, { password, auditContext })
  if (!finalisation.choosePassword) return
  const { firstName, lastName, emailAddress, companyName } = registration
  await passwords.requireStrong('account.password', password, [firstName, lastName, emailAddress, companyName])
  const passwordHash = await passwords.hash(password)
  await store.across((db) => storeChosenPassword(db, key, passwordHash))
}

async function linkExistingAccount(
  services: FinaliseSignUpServices,
  registration: Registration,
  { password, auditContext }: Omit<SubmittedPassword, 'key'>,
): Promise<void> {
  const { store } = services
  const { id, emailAddress, issuer, subject, provider, msOid } = registration
  const userId = await reAuthenticateAccount(services, { emailAddress, password, auditContext })
  // Across: neither registrations nor accounts belong to an organisation.
  await store.across(async (db) => {
    await updateRegistration(db, id, { linkedUserId: userId })
    if (issuer !== null && subject !== null && provider !== null)
      await linkIdentity(services, db, {
        identity: { issuer, subject, provider, msOid },
        account: { userId, emailAddress, isNew: false },
        auditContext: withActor(auditContext, { userId }),
      })
  })
}

interface OrganisationRequest {
  readonly registration: Registration
  readonly isJoining: boolean
  readonly needsApproval: boolean
  readonly auditContext: AuditContext
}

async function joinOrCreateOrganisation(
  services: FinaliseSignUpServices,
  db: Db,
  { registration, isJoining, needsApproval, auditContext }: OrganisationRequest,
): Promise<void> {
  const { clock } = services
  const { id, linkedUserId, companyName } = registration
  const existing = await findOrganisationNamed(db, companyName)
  if (existing !== undefined) {
    if (existing.archivedAt !== null) throw new ApiFault('nameTaken', { values: { name: companyName } })
    const { id: organisationId } = existing
    if (linkedUserId !== null && (await isMember(db, organisationId, linkedUserId)))
      await updateRegistration(db, id, { finalisedAt: isoTime(clock.now()), passwordHash: null })
    else if (isJoining)
      await requestApproval(services, db, {
        registration,
        companyName: existing.companyName,
        organisationId,
        auditContext,
      })
    return
  }
  // The applicant agreed to join an organisation that was renamed since, and did not ask for a new one.
  if (isJoining) return
  if (needsApproval)
    await requestApproval(services, db, { registration, companyName, organisationId: null, auditContext })
  else await createOrganisation(services, db, registration, auditContext)
}

/** Creates the organisation with the applicant as its administrator. */
async function createOrganisation(
  services: FinaliseSignUpServices,
  db: Db,
  { id, companyName, timeZone }: Registration,
  auditContext: AuditContext,
): Promise<void> {
  const organisationId = await insertOrganisation(db, { companyName, ...(timeZone !== null && { timeZone }) })
  const applicant = await finaliseApplicant(db, id, isoTime(services.clock.now()))
  const userId = await grantMembership(services, db, {
    applicant,
    membership: { organisationId, role: { name: 'admin' } },
    auditContext,
  })
  const object = { type: 'organisation', id: organisationId }
  await services.audit.record(db, withActor({ ...auditContext, organisationId }, { userId }), {
    action: 'organisation.created',
    object,
  })
}

async function describeFinalisation(db: Db, registration: Registration): Promise<Camel<Finalisation>> {
  const { id, firstName, emailAddress, companyName, provider, finalisedAt } = registration
  const approval = await findApprovalEverywhere(db, id)
  const isOpen = approval === undefined && finalisedAt === null
  const nextStep = isOpen ? await findNextStep(db, registration) : {}
  return {
    finalised: finalisedAt !== null,
    firstName,
    provider: provider ?? '',
    approvalId: approval?.applicantHandle ?? null,
    approvalStatus: approval?.status ?? null,
    linkOrganisation: false,
    linkAccount: false,
    choosePassword: false,
    invited: false,
    emailAddress,
    companyName,
    ...nextStep,
  }
}

/** The account must be settled before the organisation. */
async function findNextStep(db: Db, registration: Registration): Promise<Partial<Camel<Finalisation>>> {
  const { emailAddress, companyName, linkedUserId } = registration
  if (linkedUserId === null && (await findAccount(db, emailAddress)) !== undefined) return { linkAccount: true }
  if (linkedUserId === null && !hasSignInMethod(registration)) return { choosePassword: true }
  const existing = await findOrganisationNamed(db, companyName)
  if (existing === undefined || existing.archivedAt !== null) return {}
  return { linkOrganisation: true, companyName: existing.companyName }
}

/** Whether the sign-up has a password or an external identity to sign in with. */
function hasSignInMethod({ hasPassword, issuer, isSameBrowser }: Registration): boolean {
  return isSameBrowser && (hasPassword || issuer !== null)
}
