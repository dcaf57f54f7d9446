import type { SignedInContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { addPasskey, createRegistrationOptions, type PasskeyResponse } from '../../identity/factors/passkeys.ts'
import type { AppServices } from '../../app-services.ts'
import { completeNewFactor, type AuthenticatorAppServices } from './authenticator-app.ts'
import { reAuthenticateOwner, recordWrongFactor, recordAndNotifyOwner } from './account-change.ts'
import { deletePasskey } from './queries.ts'

type OwnPasskeyServices = Pick<AppServices, 'audit' | 'config' | 'store' | 'verifications'> & AuthenticatorAppServices

/** Distinguishes the challenge of a registration from one that authenticates with an existing passkey. */
const registrationPurpose = { adds: 'passkey' }

export async function beginPasskeyRegistration(
  services: OwnPasskeyServices,
  auditContext: SignedInContext,
  password: string | undefined,
) {
  const owner = await reAuthenticateOwner(services, auditContext, password)
  const name = `${owner.firstName} ${owner.lastName}`
  // Across, here and below: users belong to no single organisation.
  return services.store.across(async (db) => {
    const options = await createRegistrationOptions(db, services, {
      userId: owner.id,
      emailAddress: owner.emailAddress,
      name,
    })
    const reference = await services.verifications.create(db, {
      context: 'mfa',
      userId: owner.id,
      sendTo: null,
      payload: registrationPurpose,
    })
    await services.verifications.setChallenge(db, reference, options.challenge)
    return { reference, options: { ...options } }
  })
}

export async function completePasskeyRegistration(
  services: OwnPasskeyServices,
  auditContext: SignedInContext,
  { reference, name, passkey }: { reference: string; name: string; passkey: PasskeyResponse },
): Promise<{ recoveryCodes: string[] }> {
  const { userId } = auditContext.actor
  const result = await services.verifications.submit(
    { reference, context: 'mfa' },
    {
      check: async (db, { userId: owner, passkeyChallenge: challenge, payload }) =>
        owner === userId &&
        payload['adds'] === registrationPurpose.adds &&
        challenge !== null &&
        addPasskey(db, services, { userId, name, challenge, answer: passkey }),
      onVerified: (db) => completeNewFactor(services, db, auditContext, `The passkey '${name}' was added`),
      onRejected: (db) => recordWrongFactor(services, db, auditContext),
    },
  )
  if (result === null) throw new ApiFault('codeNotRight')
  return result
}

export async function removePasskey(
  services: OwnPasskeyServices,
  auditContext: SignedInContext,
  { passkeyId, password }: { passkeyId: string; password: string | undefined },
): Promise<void> {
  await reAuthenticateOwner(services, auditContext, password)
  await services.store.across(async (db) => {
    if (!(await deletePasskey(db, auditContext.actor.userId, passkeyId))) throw new ApiFault('notFound')
    await recordAndNotifyOwner(services, db, auditContext, {
      action: 'authn.factor_removed',
      what: 'A passkey was removed.',
    })
  })
}
