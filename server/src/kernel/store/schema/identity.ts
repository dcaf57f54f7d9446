/** The tables of people and how they sign in, and of tokens, except those in `schema.ts`. */
import type { TokenScope } from '@tributary/contract/token-scopes'
import type { Generated } from 'kysely'
import type { JsonColumnWithDefault, TimeColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface IdentitySchema {
  device: {
    id: Generated<string>
    userId: string
    tokenHash: Buffer
    signingKeyId: string | null
    description: string
    trustedUntil: NullableTimeColumn
    createdAt: TimeColumnWithDefault
    lastSeenAt: TimeColumnWithDefault
    address: string | null
  }

  verification: {
    referenceHash: Buffer
    context: 'signin' | 'mfa' | 'registration'
    userId: string | null
    codeHash: Buffer | null
    passkeyChallenge: string | null
    tries: Generated<number>
    payload: JsonColumnWithDefault
    createdAt: TimeColumnWithDefault
    expiresAt: TimeColumn
    provenAt: NullableTimeColumn
    usedAt: NullableTimeColumn
  }

  totp: {
    userId: string
    secret: string | null
    pendingSecret: string | null
    lastStep: Generated<number>
    createdAt: TimeColumnWithDefault
    confirmedAt: NullableTimeColumn
  }

  passkey: {
    id: Generated<string>
    userId: string
    credentialId: string
    publicKey: Buffer
    counter: number
    transports: Generated<string[]>
    name: string
    createdAt: TimeColumnWithDefault
    lastUsedAt: NullableTimeColumn
  }

  recoveryCode: {
    userId: string
    codeHash: Buffer
    usedAt: NullableTimeColumn
  }

  linkCode: {
    codeHash: Buffer
    purpose: 'registration' | 'signin' | 'invitation' | 'reset' | 'approval'
    subjectId: string
    payload: JsonColumnWithDefault
    createdAt: TimeColumnWithDefault
    expiresAt: TimeColumn
    usedAt: NullableTimeColumn
  }

  registration: {
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
    verifiedAt: NullableTimeColumn
    finalisedAt: NullableTimeColumn
    createdAt: TimeColumnWithDefault
  }

  approval: {
    id: Generated<string>
    applicantHandle: Generated<string>
    organisationId: string | null
    registrationId: string
    type: 'NEW_ORGANISATION' | 'JOIN_ORGANISATION'
    status: Generated<'PENDING' | 'APPROVED' | 'REJECTED'>
    context: JsonColumnWithDefault
    createdAt: TimeColumnWithDefault
    decidedAt: NullableTimeColumn
    decidedBy: string | null
    rejectionReason: string | null
  }

  invitation: {
    id: Generated<string>
    organisationId: string
    emailAddress: string
    firstName: string
    lastName: string
    roleId: string
    invitedBy: string
    createdAt: TimeColumnWithDefault
    sentAt: TimeColumnWithDefault
    acceptedAt: NullableTimeColumn
  }

  externalIdentity: {
    issuer: string
    subject: string
    provider: string
    userId: string
    emailAddress: string | null
    createdAt: TimeColumnWithDefault
    lastUsedAt: NullableTimeColumn
  }

  externalLogin: {
    stateHash: Buffer
    browserHash: Buffer
    provider: string
    purpose: 'signin' | 'signup' | 'link'
    userId: string | null
    nonce: string
    pkceVerifier: string
    returnPath: string | null
    createdAt: TimeColumnWithDefault
    expiresAt: TimeColumn
    usedAt: NullableTimeColumn
  }

  pendingIdentity: {
    atidHash: Buffer
    issuer: string
    subject: string
    provider: string
    emailAddress: string | null
    isEmailVerified: boolean
    firstName: string | null
    lastName: string | null
    msOid: string | null
    expiresAt: TimeColumn
    usedAt: NullableTimeColumn
  }

  captchaUsed: {
    challengeHash: Buffer
    expiresAt: TimeColumn
  }

  signInFailure: {
    since: TimeColumn
    failures: number
  }

  apiToken: {
    id: Generated<string>
    organisationId: string
    userId: string
    name: string
    /** Null: the token of an assistant, whose secrets are rows of `oauthSecret`. */
    secretHash: Buffer | null
    scopes: TokenScope[]
    createdAt: TimeColumnWithDefault
    createdBy: string | null
    expiresAt: TimeColumn
    lastUsedAt: NullableTimeColumn
    lastUsedAddress: string | null
    lastUsedProgram: string | null
    revokedAt: NullableTimeColumn
    revokedBy: string | null
    expiryMailedAt: NullableTimeColumn
    oauthClientId: string | null
  }

  apiTokenUse: {
    organisationId: string
    tokenId: string
    day: string
    calls: number
  }

  setting: {
    key: string
    value: boolean
    changedAt: TimeColumnWithDefault
    changedBy: string | null
  }

  mail: {
    id: Generated<string>
    messageId: string
    recipient: string
    template: string
    body: string | null
    createdAt: TimeColumnWithDefault
    nextAttemptAt: TimeColumnWithDefault
    attempts: Generated<number>
    sentAt: NullableTimeColumn
    gaveUpAt: NullableTimeColumn
    lastError: string | null
  }
}
