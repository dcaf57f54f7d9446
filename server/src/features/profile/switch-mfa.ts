/** Switches the caller's MFA on or off, after a code. */
import type { MfaReply } from '@tributary/contract/profile'
import type { Camel } from '@tributary/contract/wire'
import type { SignedInContext } from '../../kernel/audit-context.ts'
import { requestSecondFactor, type SecondFactorRequestServices } from '../../identity/factors/request-second-factor.ts'
import { redeemCode, type SecondFactorServices } from '../../identity/factors/second-factors.ts'
import { readMfaRequirement } from '../../identity/factors/mfa-requirement.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Verification } from '../../identity/factors/verification-codes.ts'
import {
  createFirstRecoveryCodes,
  recordWrongFactor,
  enableMfa,
  recordAndNotifyOwner,
  type AccountChangeServices,
} from './account-change.ts'

type SwitchMfaServices = Pick<AppServices, 'audit' | 'config' | 'devices' | 'sessions' | 'store' | 'verifications'> &
  AccountChangeServices &
  SecondFactorRequestServices &
  SecondFactorServices

export interface MfaSwitchRequest {
  readonly enable: boolean
  readonly verificationReference?: string | undefined
  readonly verificationCode?: string | undefined
}

const wrongCode = 'This code is wrong, used or too old. Enter the latest one, or ask for a new one.'

/** @param tokens device tokens from the browser's cookie. */
export async function switchMfa(
  services: SwitchMfaServices,
  auditContext: SignedInContext,
  request: MfaSwitchRequest,
  tokens: readonly string[],
): Promise<Camel<MfaReply>> {
  const { config, devices, store } = services
  const { userId: id, emailAddress } = auditContext.actor
  // Across, here and below: users belong to no single organisation.
  const { requiredBy } = await store.across((db) => readMfaRequirement(db, config.mode, id))
  if (!request.enable && requiredBy !== null)
    return { errorMessage: `It cannot be switched off: ${requiredBy} asks for it.` }
  const { verificationReference: reference } = request
  if (reference === undefined)
    return requestSecondFactor(services, {
      context: 'mfa',
      person: { id, emailAddress },
      payload: { enable: request.enable },
      auditContext,
    })

  const recoveryCodes = await (request.verificationCode === undefined
    ? switchWithVerified(services, auditContext, { enable: request.enable, reference })
    : switchWithCode(services, auditContext, { enable: request.enable, reference, code: request.verificationCode }))
  if (recoveryCodes === null) return { errorMessage: wrongCode }
  if (!request.enable) return {}
  const verificationDevices = await store.across((db) => devices.list(db, id, tokens))
  return { verificationDevices, ...(recoveryCodes.length > 0 && { recoveryCodes }) }
}

/** New recovery codes if the user had none when MFA was switched on; null if the verification failed. */
type MfaSwitchResult = readonly string[] | null

/** For a reference whose code POST /verify has already accepted. */
function switchWithVerified(
  services: SwitchMfaServices,
  auditContext: SignedInContext,
  { enable, reference }: { enable: boolean; reference: string },
): Promise<MfaSwitchResult> {
  return services.store.across(async (db) => {
    const verification = await services.verifications.redeemVerified(db, reference, 'mfa')
    if (verification === null || !isForSwitch(verification, auditContext, enable)) {
      await recordWrongFactor(services, db, auditContext)
      return null
    }
    return applySwitch(services, db, auditContext, enable)
  })
}

async function switchWithCode(
  services: SwitchMfaServices,
  auditContext: SignedInContext,
  { enable, reference, code }: { enable: boolean; reference: string; code: string },
): Promise<MfaSwitchResult> {
  const result = await services.verifications.submit(
    { reference, context: 'mfa' },
    {
      check: async (db, verification) =>
        isForSwitch(verification, auditContext, enable) && (await redeemCode(db, services, verification, code)),
      onVerified: (db) => applySwitch(services, db, auditContext, enable),
      onRejected: (db) => recordWrongFactor(services, db, auditContext),
    },
  )
  return result ?? null
}

/** Rejects the reference of another user and one for the opposite switch. */
function isForSwitch({ userId, payload }: Verification, { actor }: SignedInContext, enable: boolean): boolean {
  return userId === actor.userId && payload['enable'] === enable
}

async function applySwitch(
  services: SwitchMfaServices,
  db: Db,
  auditContext: SignedInContext,
  enable: boolean,
): Promise<readonly string[]> {
  const { actor } = auditContext
  if (enable) {
    await enableMfa(services, db, actor)
    await recordAndNotifyOwner(services, db, auditContext, {
      action: 'authn.mfa_enabled',
      what: 'Multi-factor authentication was switched on.',
    })
    return createFirstRecoveryCodes(services, db, auditContext)
  }
  await db.updateTable('portalUser').set({ requiresMfa: false }).where('id', '=', actor.userId).execute()
  await services.devices.distrustAll(db, actor.userId)
  await recordAndNotifyOwner(services, db, auditContext, {
    action: 'authn.mfa_disabled',
    what: 'Multi-factor authentication was switched off.',
  })
  return []
}
