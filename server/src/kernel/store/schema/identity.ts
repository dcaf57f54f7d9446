/** The tables of `0003_identity.sql` and `0007_limits.sql`, beside those of `schema.ts`. */
import type { Generated } from 'kysely'
import type { JsonWithDefault, Time, TimeOrNull, TimeWithDefault } from './column-types.ts'

interface DeviceTable {
  id: Generated<string>
  userId: string
  tokenHash: Buffer
  signingKeyId: string | null
  description: string
  trustedUntil: TimeOrNull
  createdAt: TimeWithDefault
  lastSeenAt: TimeWithDefault
  address: string | null
}

interface VerificationTable {
  referenceHash: Buffer
  context: 'signin' | 'mfa' | 'registration'
  userId: string | null
  codeHash: Buffer | null
  passkeyChallenge: string | null
  tries: Generated<number>
  payload: JsonWithDefault
  createdAt: TimeWithDefault
  expiresAt: Time
  provenAt: TimeOrNull
  usedAt: TimeOrNull
}

interface TotpTable {
  userId: string
  secret: string | null
  pendingSecret: string | null
  lastStep: Generated<number>
  createdAt: TimeWithDefault
  confirmedAt: TimeOrNull
}

interface PasskeyTable {
  id: Generated<string>
  userId: string
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: Generated<string[]>
  name: string
  createdAt: TimeWithDefault
  lastUsedAt: TimeOrNull
}

interface RecoveryCodeTable {
  userId: string
  codeHash: Buffer
  usedAt: TimeOrNull
}

interface LinkCodeTable {
  codeHash: Buffer
  purpose: 'registration' | 'signin' | 'invitation' | 'reset' | 'approval'
  subjectId: string
  payload: JsonWithDefault
  createdAt: TimeWithDefault
  expiresAt: Time
  usedAt: TimeOrNull
}

interface RegistrationTable {
  id: Generated<string>
  firstName: string
  lastName: string
  emailAddress: string
  passwordHash: string | null
  companyName: string
  issuer: string | null
  subject: string | null
  provider: string | null
  msOid: string | null
  browserHash: Buffer | null
  timeZone: string | null
  linkedUserId: string | null
  verifiedAt: TimeOrNull
  finalisedAt: TimeOrNull
  createdAt: TimeWithDefault
}

interface ApprovalTable {
  id: Generated<string>
  applicantHandle: Generated<string>
  organisationId: string | null
  registrationId: string
  type: 'NEW_ORGANISATION' | 'JOIN_ORGANISATION'
  status: Generated<'PENDING' | 'APPROVED' | 'REJECTED'>
  context: JsonWithDefault
  createdAt: TimeWithDefault
  decidedAt: TimeOrNull
  decidedBy: string | null
}

interface InvitationTable {
  id: Generated<string>
  organisationId: string
  emailAddress: string
  firstName: string
  lastName: string
  roleId: string
  invitedBy: string
  createdAt: TimeWithDefault
  sentAt: TimeWithDefault
  acceptedAt: TimeOrNull
}

interface ExternalIdentityTable {
  issuer: string
  subject: string
  provider: string
  userId: string
  emailAddress: string | null
  createdAt: TimeWithDefault
  lastUsedAt: TimeOrNull
}

interface ExternalLoginTable {
  stateHash: Buffer
  browserHash: Buffer
  provider: string
  purpose: 'signin' | 'signup' | 'link'
  userId: string | null
  nonce: string
  pkceVerifier: string
  returnPath: string | null
  createdAt: TimeWithDefault
  expiresAt: Time
  usedAt: TimeOrNull
}

interface PendingIdentityTable {
  atidHash: Buffer
  issuer: string
  subject: string
  provider: string
  emailAddress: string | null
  isEmailVerified: boolean
  firstName: string | null
  lastName: string | null
  msOid: string | null
  expiresAt: Time
  usedAt: TimeOrNull
}

interface CaptchaUsedTable {
  challengeHash: Buffer
  expiresAt: Time
}

interface SignInFailureTable {
  since: Time
  failures: number
}

interface SettingTable {
  key: string
  value: boolean
  changedAt: TimeWithDefault
  changedBy: string | null
}

interface MailTable {
  id: Generated<string>
  messageId: string
  recipient: string
  template: string
  body: string | null
  createdAt: TimeWithDefault
  nextAttemptAt: TimeWithDefault
  attempts: Generated<number>
  sentAt: TimeOrNull
  gaveUpAt: TimeOrNull
  lastError: string | null
}

export interface IdentitySchema {
  device: DeviceTable
  verification: VerificationTable
  totp: TotpTable
  passkey: PasskeyTable
  recoveryCode: RecoveryCodeTable
  linkCode: LinkCodeTable
  registration: RegistrationTable
  approval: ApprovalTable
  invitation: InvitationTable
  externalIdentity: ExternalIdentityTable
  externalLogin: ExternalLoginTable
  pendingIdentity: PendingIdentityTable
  captchaUsed: CaptchaUsedTable
  signInFailure: SignInFailureTable
  setting: SettingTable
  mail: MailTable
}
