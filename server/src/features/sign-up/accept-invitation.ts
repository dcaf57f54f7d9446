/** Accepts an invitation with the password of an existing account, or with a chosen password for a new account. */
import type { Finalisation } from '@tributary/contract/sign-up'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { grantMembership, type MembershipServices } from '../../identity/people/grant-membership.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findAccount } from '../../identity/people/accounts.ts'
import { acceptInvitation, findInvitationEverywhere } from './invitation-queries.ts'
import { reAuthenticateAccount, type ReAuthenticateAccountServices } from './re-authenticate-account.ts'
import { lockAddress } from './queries.ts'

type AcceptInvitationServices = Pick<AppServices, 'clock' | 'passwords' | 'store'> &
  MembershipServices &
  ReAuthenticateAccountServices

/** @throws `linkSpent` if the invitation was withdrawn. */
export async function readInvitation(db: Db, id: string): Promise<Camel<Finalisation>> {
  const invitation = await requireInvitation(db, id)
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

export async function finaliseInvitation(
  services: AcceptInvitationServices,
  { id, password, auditContext }: InvitationAcceptance,
): Promise<Camel<Finalisation>> {
  const { passwords, store } = services
  // Across, here and below: an invited person may not belong to an organisation yet.
  const finalisation = await store.across((db) => readInvitation(db, id))
  if (password === undefined || finalisation.finalised) return finalisation

  if (finalisation.linkAccount) {
    const userId = await reAuthenticateAccount(services, {
      emailAddress: finalisation.emailAddress,
      password,
      auditContext,
    })
    return store.across((db) => createOrJoinMember(services, db, { id, userId, passwordHash: null, auditContext }))
  }
  await passwords.requireStrong('account.password', password, [
    finalisation.firstName,
    finalisation.emailAddress,
    finalisation.companyName,
  ])
  const passwordHash = await passwords.hash(password)
  return store.across((db) => createOrJoinMember(services, db, { id, userId: null, passwordHash, auditContext }))
}

interface AuthorisedAcceptance {
  readonly id: string
  /** The existing account after re-authentication; null to create one. */
  readonly userId: string | null
  readonly passwordHash: string | null
  readonly auditContext: AuditContext
}

async function createOrJoinMember(
  services: AcceptInvitationServices,
  db: Db,
  { id, userId, passwordHash, auditContext }: AuthorisedAcceptance,
): Promise<Camel<Finalisation>> {
  const { organisationId, roleId, firstName, lastName, emailAddress } = await requireInvitation(db, id)
  await lockAddress(db, emailAddress)
  // An account that was created in the meantime needs its password first.
  const isFree = userId !== null || (await findAccount(db, emailAddress)) === undefined
  if (isFree && (await acceptInvitation(db, organisationId, id, services.clock.now()))) {
    const applicant = { firstName, lastName, emailAddress, passwordHash, identity: null }
    const membership = { organisationId, role: { id: roleId } }
    await grantMembership(services, db, { applicant, membership, auditContext })
  }
  return readInvitation(db, id)
}

async function requireInvitation(db: Db, id: string) {
  const invitation = await findInvitationEverywhere(db, id)
  if (invitation === undefined) throw new ApiFault('linkSpent')
  return invitation
}
