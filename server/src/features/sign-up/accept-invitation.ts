/** Accepting an invitation: with the password of the account one has, or by choosing one for a new account. */
import type { Finalisation } from '@tributary/contract/sign-up'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { grantMembership, type MembershipServices } from '../../identity/people/grant-membership.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { acceptInvitation, findInvitationEverywhere, type PendingInvitation } from './invitation-queries.ts'
import { proveAccount, type ReAuthenticateAccountServices } from './re-authenticate-account.ts'
import { findAccount, lockAddress } from './queries.ts'

type AcceptInvitationServices = Pick<AppServices, 'clock' | 'passwords' | 'store'> &
  MembershipServices &
  ReAuthenticateAccountServices

/** Throws `linkSpent` for an invitation that was withdrawn. */
export async function showInvitation(db: Db, id: string): Promise<Camel<Finalisation>> {
  const invitation = await getInvitation(db, id)
  const isOpen = invitation.acceptedAt === null
  const hasAccount = (await findAccount(db, invitation.emailAddress)) !== undefined
  return {
    finalised: !isOpen,
    firstName: invitation.firstName,
    provider: '',
    approvalId: null,
    approvalStatus: null,
    linkOrganisation: false,
    linkAccount: isOpen && hasAccount,
    choosePassword: isOpen && !hasAccount,
    invited: true,
    emailAddress: invitation.emailAddress,
    companyName: invitation.companyName,
  }
}

interface InvitationAcceptance {
  readonly id: string
  readonly password: string | undefined
  readonly auditContext: AuditContext
}

export async function answerInvitation(
  services: AcceptInvitationServices,
  { id, password, auditContext }: InvitationAcceptance,
): Promise<Camel<Finalisation>> {
  const { passwords, store } = services
  // Across, here and below: who is invited may be of no organisation yet.
  const shown = await store.across((db) => showInvitation(db, id))
  if (password === undefined || shown.finalised) return shown

  if (shown.linkAccount) {
    const userId = await proveAccount(services, { emailAddress: shown.emailAddress, password, auditContext })
    return store.across((db) => accept(services, db, { id, userId, passwordHash: null, auditContext }))
  }
  await passwords.requireStrong('account.password', password, [shown.firstName, shown.emailAddress, shown.companyName])
  const passwordHash = await passwords.hash(password)
  return store.across((db) => accept(services, db, { id, userId: null, passwordHash, auditContext }))
}

interface Acceptance {
  readonly id: string
  /** The account they have proven to be theirs; null where a new one is made. */
  readonly userId: string | null
  readonly passwordHash: string | null
  readonly auditContext: AuditContext
}

async function accept(
  services: AcceptInvitationServices,
  db: Db,
  { id, userId, passwordHash, auditContext }: Acceptance,
): Promise<Camel<Finalisation>> {
  const { organisationId, roleId, firstName, lastName, emailAddress } = await getInvitation(db, id)
  await lockAddress(db, emailAddress)
  // An account that was made in the meantime is to be proven first.
  const isFree = userId !== null || (await findAccount(db, emailAddress)) === undefined
  if (isFree && (await acceptInvitation(db, organisationId, id, services.clock.now()))) {
    const applicant = { firstName, lastName, emailAddress, passwordHash, identity: null }
    const membership = { organisationId, role: { id: roleId } }
    await grantMembership(services, db, { applicant, membership, auditContext })
  }
  return showInvitation(db, id)
}

async function getInvitation(db: Db, id: string): Promise<PendingInvitation> {
  const invitation = await findInvitationEverywhere(db, id)
  if (invitation === undefined) throw new ApiFault('linkSpent')
  return invitation
}
