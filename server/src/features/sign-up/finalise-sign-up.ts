/** From a confirmed address to an account: which organisation, who must agree, and whether there is an account already. */
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
import { findApprovalOfEverywhere } from './approval-queries.ts'
import { requestApproval } from './request-approval.ts'
import { proveAccount, type ReAuthenticateAccountServices } from './re-authenticate-account.ts'
import {
  dropStrangersProofs,
  findAccount,
  findOrganisationNamed,
  getRegistration,
  type InBrowser,
  isMember,
  keepChosenPassword,
  linkAccount,
  lockAddress,
  markFinalised,
  markVerified,
  renameCompany,
  type Registration,
} from './queries.ts'

type FinaliseSignUpServices = Pick<AppServices, 'audit' | 'clock' | 'passwords' | 'settings' | 'store'> &
  MembershipServices &
  ReAuthenticateAccountServices

interface Answers {
  readonly password: string | undefined
  readonly companyName: string | undefined
  readonly joinOrganisation: boolean | undefined
}

/** Whoever holds the code has read the mail, so the address is confirmed; a mail scanner that opens it changes nothing else. */
export async function showRegistration(
  { clock }: Pick<AppServices, 'clock'>,
  db: Db,
  of: InBrowser,
): Promise<Camel<Finalisation>> {
  await markVerified(db, of.id, clock.now())
  return show(db, await getRegistration(db, of, 'read'))
}

interface Answered extends InBrowser {
  readonly answers: Answers
  readonly auditContext: AuditContext
}

export async function answerRegistration(
  services: FinaliseSignUpServices,
  { answers, auditContext, ...of }: Answered,
): Promise<Camel<Finalisation>> {
  const { clock, settings, store } = services
  const { password, companyName, joinOrganisation } = answers
  const { id } = of
  // Across, here and below: the applicant is of no organisation, and may ask for any.
  await store.across(async (db) => {
    // What waits for a decision was asked for by whoever was let through before.
    if ((await findApprovalOfEverywhere(db, id)) === undefined) await dropStrangersProofs(db, of)
  })
  if (password !== undefined) await takePassword(services, { of, password, auditContext })
  const { RequireApproval: needsApproval } = await settings.read()
  return store.across(async (db) => {
    const registration = await getRegistration(db, of, 'lock')
    await lockAddress(db, registration.emailAddress)
    await markVerified(db, id, clock.now())
    const shown = await show(db, registration)
    const isAnswered = companyName !== undefined || joinOrganisation !== undefined
    if (!isAnswered || shown.finalised || shown.linkAccount || shown.choosePassword || shown.approvalId !== null)
      return shown

    // A No to joining takes the name away, so that the page asks for another.
    const name = companyName ?? (joinOrganisation === false ? '' : registration.companyName)
    await renameCompany(db, id, name)
    const wish = {
      registration: { ...registration, companyName: name },
      isJoining: joinOrganisation === true,
      needsApproval,
      auditContext,
    }
    if (name !== '') await pursue(services, db, wish)
    return show(db, await getRegistration(db, of, 'read'))
  })
}

interface Password {
  readonly of: InBrowser
  readonly password: string
  readonly auditContext: AuditContext
}

/** Of the account that there is, or of the one that is to be made; nothing to do where neither is asked for. */
async function takePassword(services: FinaliseSignUpServices, { of, password, auditContext }: Password): Promise<void> {
  const { passwords, store } = services
  // Across, here and below: neither the registration nor the account is of an organisation.
  const { registration, shown } = await store.across(async (db) => {
    const registration = await getRegistration(db, of, 'read')
    return { registration, shown: await show(db, registration) }
  })
  if (shown.linkAccount) await linkToAccount(services, registration, { password, auditContext })
  if (!shown.choosePassword) return
  const { firstName, lastName, emailAddress, companyName } = registration
  await passwords.requireStrong('account.password', password, [firstName, lastName, emailAddress, companyName])
  const passwordHash = await passwords.hash(password)
  await store.across((db) => keepChosenPassword(db, of, passwordHash))
}

async function linkToAccount(
  services: FinaliseSignUpServices,
  registration: Registration,
  { password, auditContext }: Omit<Password, 'of'>,
): Promise<void> {
  const { store } = services
  const { id, emailAddress, issuer, subject, provider, msOid } = registration
  const userId = await proveAccount(services, { emailAddress, password, auditContext })
  // Across: neither the registration nor the account is of an organisation.
  await store.across(async (db) => {
    await linkAccount(db, id, userId)
    if (issuer !== null && subject !== null && provider !== null)
      await linkIdentity(services, db, {
        identity: { issuer, subject, provider, msOid },
        account: { userId, emailAddress, isNew: false },
        auditContext: withActor(auditContext, { userId }),
      })
  })
}

interface Wish {
  readonly registration: Registration
  readonly isJoining: boolean
  readonly needsApproval: boolean
  readonly auditContext: AuditContext
}

async function pursue(
  services: FinaliseSignUpServices,
  db: Db,
  { registration, isJoining, needsApproval, auditContext }: Wish,
): Promise<void> {
  const { clock } = services
  const { id, linkedUserId, companyName } = registration
  const existing = await findOrganisationNamed(db, companyName)
  if (existing !== undefined) {
    if (existing.archivedAt !== null) throw new ApiFault('nameTaken', { values: { name: companyName } })
    const { id: organisationId } = existing
    if (linkedUserId !== null && (await isMember(db, organisationId, linkedUserId)))
      await markFinalised(db, id, clock.now())
    else if (isJoining)
      await requestApproval(services, db, {
        registration,
        companyName: existing.companyName,
        organisationId,
        auditContext,
      })
    return
  }
  // Whoever said Yes to an organisation that was renamed in between did not ask for one of their own.
  if (isJoining) return
  if (needsApproval)
    await requestApproval(services, db, { registration, companyName, organisationId: null, auditContext })
  else await found(services, db, registration, auditContext)
}

/** Makes the organisation; the applicant is its administrator. */
async function found(
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
    outcome: 'success',
    object,
  })
}

async function show(db: Db, registration: Registration): Promise<Camel<Finalisation>> {
  const { id, firstName, emailAddress, companyName, provider, finalisedAt } = registration
  const approval = await findApprovalOfEverywhere(db, id)
  const isOpen = approval === undefined && finalisedAt === null
  const question = isOpen ? await nextQuestion(db, registration) : {}
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
    ...question,
  }
}

/** Whose account it is comes before which organisation. */
async function nextQuestion(db: Db, registration: Registration): Promise<Partial<Camel<Finalisation>>> {
  const { emailAddress, companyName, linkedUserId } = registration
  if (linkedUserId === null && (await findAccount(db, emailAddress)) !== undefined) return { linkAccount: true }
  if (linkedUserId === null && !hasProof(registration)) return { choosePassword: true }
  const existing = await findOrganisationNamed(db, companyName)
  if (existing === undefined || existing.archivedAt !== null) return {}
  return { linkOrganisation: true, companyName: existing.companyName }
}

/** Whether there is something that the person could sign in with. */
function hasProof({ hasPassword, issuer, isSameBrowser }: Registration): boolean {
  return isSameBrowser && (hasPassword || issuer !== null)
}
