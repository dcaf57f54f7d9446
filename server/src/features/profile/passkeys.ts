import { ApiFault } from '../../kernel/http/api-fault.ts'
import { addPasskey, registrationOptions, type PasskeyAnswer } from '../../identity/factors/passkeys.ts'
import type { Parts } from '../../parts.ts'
import { noteNewFactor } from './authenticator-app.ts'
import type { OwnCall } from '../../identity/passwords/require-current-password.ts'
import { getProvenOwner, noteWrongFactor, tellOwner } from './account-change.ts'
import { deletePasskey } from './queries.ts'

/** What tells such a question from one that is put to somebody who has a passkey. */
const adding = { adds: 'passkey' }

export async function beginPasskey(parts: Parts, call: OwnCall, password: string | undefined) {
  const owner = await getProvenOwner(parts, call, password)
  const name = `${owner.firstName} ${owner.lastName}`
  // Across, here and below: a person belongs to no organisation.
  return parts.store.across(async (db) => {
    const options = await registrationOptions(db, parts, { userId: owner.id, emailAddress: owner.emailAddress, name })
    const reference = await parts.verifications.begin(db, {
      context: 'mfa',
      userId: owner.id,
      sendTo: null,
      payload: adding,
    })
    await parts.verifications.setChallenge(db, reference, options.challenge)
    return { reference, options: { ...options } }
  })
}

export async function keepPasskey(
  parts: Parts,
  call: OwnCall,
  { reference, name, passkey }: { reference: string; name: string; passkey: PasskeyAnswer },
): Promise<{ recoveryCodes: string[] }> {
  const { userId } = call.actor
  const kept = await parts.verifications.answer(
    { reference, context: 'mfa' },
    {
      check: async (db, { userId: owner, passkeyChallenge: challenge, payload }) =>
        owner === userId &&
        payload['adds'] === adding.adds &&
        challenge !== null &&
        addPasskey(db, parts, { userId, name, challenge, answer: passkey }),
      onRight: (db) => noteNewFactor(parts, db, call, `The passkey '${name}' was added`),
      onWrong: (db) => noteWrongFactor(parts, db, call),
    },
  )
  if (kept === null) throw new ApiFault('codeNotRight')
  return kept
}

export async function removePasskey(
  parts: Parts,
  call: OwnCall,
  { passkeyId, password }: { passkeyId: string; password: string | undefined },
): Promise<void> {
  await getProvenOwner(parts, call, password)
  await parts.store.across(async (db) => {
    if (!(await deletePasskey(db, call.actor.userId, passkeyId))) throw new ApiFault('notFound')
    await tellOwner(parts, db, call, { action: 'authn.factor_removed', what: 'A passkey was removed.' })
  })
}
