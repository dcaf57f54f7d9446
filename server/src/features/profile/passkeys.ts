import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { addPasskey, createRegistrationOptions, type PasskeyResponse } from '../../identity/factors/passkeys.ts'
import type { AppServices } from '../../app-services.ts'
import { noteNewFactor, type AuthenticatorAppServices } from './authenticator-app.ts'
import { getProvenOwner, noteWrongFactor, tellOwner } from './account-change.ts'
import { deletePasskey } from './queries.ts'

type OwnPasskeyServices = Pick<AppServices, 'audit' | 'config' | 'store' | 'verifications'> & AuthenticatorAppServices

/** What tells such a question from one that is put to somebody who has a passkey. */
const adding = { adds: 'passkey' }

export async function beginPasskey(
  services: OwnPasskeyServices,
  auditContext: AuditContext<string | null, Actor>,
  password: string | undefined,
) {
  const owner = await getProvenOwner(services, auditContext, password)
  const name = `${owner.firstName} ${owner.lastName}`
  // Across, here and below: a person belongs to no organisation.
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
      payload: adding,
    })
    await services.verifications.setChallenge(db, reference, options.challenge)
    return { reference, options: { ...options } }
  })
}

export async function keepPasskey(
  services: OwnPasskeyServices,
  auditContext: AuditContext<string | null, Actor>,
  { reference, name, passkey }: { reference: string; name: string; passkey: PasskeyResponse },
): Promise<{ recoveryCodes: string[] }> {
  const { userId } = auditContext.actor
  const kept = await services.verifications.submit(
    { reference, context: 'mfa' },
    {
      check: async (db, { userId: owner, passkeyChallenge: challenge, payload }) =>
        owner === userId &&
        payload['adds'] === adding.adds &&
        challenge !== null &&
        addPasskey(db, services, { userId, name, challenge, answer: passkey }),
      onVerified: (db) => noteNewFactor(services, db, auditContext, `The passkey '${name}' was added`),
      onRejected: (db) => noteWrongFactor(services, db, auditContext),
    },
  )
  if (kept === null) throw new ApiFault('codeNotRight')
  return kept
}

export async function removePasskey(
  services: OwnPasskeyServices,
  auditContext: AuditContext<string | null, Actor>,
  { passkeyId, password }: { passkeyId: string; password: string | undefined },
): Promise<void> {
  await getProvenOwner(services, auditContext, password)
  await services.store.across(async (db) => {
    if (!(await deletePasskey(db, auditContext.actor.userId, passkeyId))) throw new ApiFault('notFound')
    await tellOwner(services, db, auditContext, { action: 'authn.factor_removed', what: 'A passkey was removed.' })
  })
}
