/** Starts the verification of a person's second factor. */
import type { IdentityServices } from '../identity-services.ts'
import type { VerificationMethod } from '@tributary/contract/sign-in'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { signInCode } from '../people/account-email-templates.ts'
import { maskAddress } from './verification-codes.ts'
import { listMethods } from './second-factors.ts'

export type SecondFactorRequestServices = Pick<IdentityServices, 'audit' | 'mailer' | 'store' | 'verifications'>

export interface SecondFactorChallenge {
  readonly verificationRequired: true
  readonly verificationReference: string
  readonly verificationMethods: readonly VerificationMethod[]
  readonly verificationSentTo: string | null
}

interface SecondFactorRequest {
  readonly context: 'signin' | 'mfa'
  readonly person: { readonly id: string; readonly emailAddress: string }
  /** The known device of the sign-in, if any. */
  readonly deviceId?: string | null
  readonly payload?: Readonly<Record<string, unknown>>
  readonly auditContext: AuditContext
}

/**
 * Sends a code by email immediately if the person has neither passkey nor authenticator app; others can request one.
 * Throws `tooMany`. Must not run inside a transaction.
 */
export async function requestSecondFactor(
  services: SecondFactorRequestServices,
  { context, person, deviceId = null, payload = {}, auditContext }: SecondFactorRequest,
): Promise<SecondFactorChallenge> {
  const { audit, mailer, store, verifications } = services
  // Across, here and below: a person's factors belong to no organisation.
  const verificationMethods = await store.across((db) => listMethods(db, person.id))
  const sends = !verificationMethods.includes('passkey') && !verificationMethods.includes('totp')
  if (sends) await verifications.countSending(context, person.emailAddress, deviceId)
  const verificationReference = await store.across(async (db) => {
    const reference = await verifications.create(db, {
      context,
      userId: person.id,
      sendTo: person.emailAddress,
      deviceId,
      payload,
    })
    if (sends) await mailer.enqueue(db, person.emailAddress, signInCode(await verifications.createCode(db, reference)))
    await audit.record(db, withActor(auditContext, { userId: person.id }), {
      organisationId: null,
      action: 'authn.mfa_challenge',
    })
    return reference
  })
  const verificationSentTo = sends ? maskAddress(person.emailAddress) : null
  return { verificationRequired: true, verificationReference, verificationMethods, verificationSentTo }
}
