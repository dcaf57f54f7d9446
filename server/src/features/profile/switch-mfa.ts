/** The person's own switch of MFA: a code first, then it flips. */
import type { MfaReply } from '@tributary/contract/profile'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { requestSecondFactor, type SecondFactorRequestServices } from '../../identity/factors/request-second-factor.ts'
import { redeemCode, type SecondFactorServices } from '../../identity/factors/second-factors.ts'
import { readMfaRequirement } from '../../identity/factors/mfa-requirement.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Verification } from '../../identity/factors/verification-codes.ts'
import {
  makeFirstRecoveryCodes,
  noteWrongFactor,
  startAskingMfa,
  tellOwner,
  type AccountChangeServices,
} from './account-change.ts'

type SwitchMfaServices = Pick<AppServices, 'audit' | 'config' | 'devices' | 'sessions' | 'store' | 'verifications'> &
  AccountChangeServices &
  SecondFactorRequestServices &
  SecondFactorServices

export interface MfaWish {
  readonly enable: boolean
  readonly verificationReference?: string | undefined
  readonly verificationCode?: string | undefined
}

const wrongCode = 'This code is wrong, used or too old. Enter the latest one, or ask for a new one.'

/** @param tokens of the browser's devices. */
export async function switchMfa(
  services: SwitchMfaServices,
  auditContext: AuditContext<string | null, Actor>,
  wish: MfaWish,
  tokens: readonly string[],
): Promise<Camel<MfaReply>> {
  const { config, devices, store } = services
  const { userId: id, emailAddress } = auditContext.actor
  // Across, here and below: a person belongs to no organisation.
  const { requiredBy } = await store.across((db) => readMfaRequirement(db, config.mode, id))
  if (!wish.enable && requiredBy !== null)
    return { errorMessage: `It cannot be switched off: ${requiredBy} asks for it.` }
  const { verificationReference: reference } = wish
  if (reference === undefined)
    return requestSecondFactor(services, {
      context: 'mfa',
      person: { id, emailAddress },
      payload: { enable: wish.enable },
      auditContext,
    })

  const recoveryCodes = await (wish.verificationCode === undefined
    ? useProven(services, auditContext, { enable: wish.enable, reference })
    : useCode(services, auditContext, { enable: wish.enable, reference, code: wish.verificationCode }))
  if (recoveryCodes === null) return { errorMessage: wrongCode }
  if (!wish.enable) return {}
  const verificationDevices = await store.across((db) => devices.list(db, id, tokens))
  return { verificationDevices, ...(recoveryCodes.length > 0 && { recoveryCodes }) }
}

/** The first recovery codes of who switches it on without having any; null where nothing was proven. */
type Flipped = readonly string[] | null

/** With a reference that POST /verify has had its code for. */
function useProven(
  services: SwitchMfaServices,
  auditContext: AuditContext<string | null, Actor>,
  { enable, reference }: { enable: boolean; reference: string },
): Promise<Flipped> {
  return services.store.across(async (db) => {
    const proven = await services.verifications.redeemVerified(db, { reference, context: 'mfa' })
    if (proven === null || !isAbout(proven, auditContext, enable)) {
      await noteWrongFactor(services, db, auditContext)
      return null
    }
    return flip(services, db, auditContext, enable)
  })
}

async function useCode(
  services: SwitchMfaServices,
  auditContext: AuditContext<string | null, Actor>,
  { enable, reference, code }: { enable: boolean; reference: string; code: string },
): Promise<Flipped> {
  const answered = await services.verifications.submit(
    { reference, context: 'mfa' },
    {
      check: async (db, of) => isAbout(of, auditContext, enable) && (await redeemCode(db, services, of, code)),
      onVerified: (db) => flip(services, db, auditContext, enable),
      onRejected: (db) => noteWrongFactor(services, db, auditContext),
    },
  )
  return answered ?? null
}

/** A reference that was given to somebody else, or for the other way, is worth nothing. */
function isAbout(
  { userId, payload }: Verification,
  { actor }: AuditContext<string | null, Actor>,
  enable: boolean,
): boolean {
  return userId === actor.userId && payload['enable'] === enable
}

async function flip(
  services: SwitchMfaServices,
  db: Db,
  auditContext: AuditContext<string | null, Actor>,
  enable: boolean,
): Promise<readonly string[]> {
  const { actor } = auditContext
  if (enable) {
    await startAskingMfa(services, db, actor)
    await tellOwner(services, db, auditContext, {
      action: 'authn.mfa_enabled',
      what: 'Multi-factor authentication was switched on.',
    })
    return makeFirstRecoveryCodes(services, db, auditContext)
  }
  await db.updateTable('portalUser').set({ requiresMfa: false }).where('id', '=', actor.userId).execute()
  await services.devices.distrustAll(db, actor.userId)
  await tellOwner(services, db, auditContext, {
    action: 'authn.mfa_disabled',
    what: 'Multi-factor authentication was switched off.',
  })
  return []
}
