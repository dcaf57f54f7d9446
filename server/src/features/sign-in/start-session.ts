/** Starts sessions. The only place that decides whether a sign-in needs a second factor. */
import type { SignInReply, Verified } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import type { AuditAction } from '@tributary/contract/audit-actions'
import { readDeviceTokens, setDeviceToken, setSessionCookies } from '../../identity/sessions/session-cookies.ts'
import { describeDevice } from '../../identity/sessions/device-name.ts'
import type { KnownDevice } from '../../identity/sessions/known-devices.ts'
import { requestSecondFactor, type SecondFactorRequestServices } from '../../identity/factors/request-second-factor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { accountChanged, newDevice } from '../../identity/people/account-email-templates.ts'
import { readMfaRequirement } from '../../identity/factors/mfa-requirement.ts'
import type { AppServices } from '../../app-services.ts'
import type { IssuedSession } from '../../identity/sessions/sessions.ts'
import { isInMaintenance } from '../../kernel/config/global-configuration.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Account } from '../../identity/people/accounts.ts'
import { sessionReply } from './session-reply.ts'

export type StartSessionServices = Pick<AppServices, 'audit' | 'config' | 'devices' | 'mailer' | 'sessions' | 'store'> &
  SecondFactorRequestServices

/** The request of a browser that signs in. */
export interface SignInCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly auditContext: AuditContext
}

/** The account that the caller has proven to own, and how. */
export interface SignInProof {
  readonly account: Account
  readonly by: 'password' | 'link' | 'code' | 'passkey'
  /** The password is too short to suffice: a browser that is not known needs a second factor. */
  readonly isWeak?: boolean
}

interface SessionStart extends SignInProof {
  /** From `findKnownDevice`. */
  readonly device: KnownDevice | null
  readonly hasMfa: boolean
  /** Whether the browser needs no second factor for a while. */
  readonly trust: boolean
}

export interface StartedSession {
  readonly issued: IssuedSession
  readonly deviceToken: string
  readonly reply: Camel<z.infer<typeof Verified>>
}

/**
 * Starts a session, or requests the second factor if one is needed.
 *
 * @param prove checks the first factor in a transaction across organisations.
 */
export async function completeFirstFactor(
  services: StartSessionServices,
  call: SignInCall,
  prove: (db: Db) => Promise<SignInProof>,
): Promise<Camel<SignInReply>> {
  const { proof, device, started } = await services.store.across(async (db) => {
    const proof = await prove(db)
    // Checked before a code is sent that could not be used.
    if (!proof.account.isProvider && (await isInMaintenance(db))) throw new ApiFault('maintained')
    const device = await findKnownDevice(services, db, proof.account, call)
    const { isRequired } = await readMfaRequirement(db, services.config.mode, proof.account.id)
    const hasMfa = device?.isTrusted === true
    const needsSecondFactor = !hasMfa && (isRequired || (proof.isWeak === true && device === null))
    const session = { ...proof, device, hasMfa, trust: false }
    return { proof, device, started: needsSecondFactor ? null : await startSession(services, db, call, session) }
  })
  if (started !== null) return setSignInCookies(services, call, started)
  return requestSecondFactor(services, {
    context: 'signin',
    person: proof.account,
    deviceId: device?.id ?? null,
    auditContext: call.auditContext,
  })
}

/** Runs in the caller's transaction. After the commit, `setSignInCookies` sets the browser's cookies. */
export async function startSession(
  services: StartSessionServices,
  db: Db,
  call: SignInCall,
  { account, by, device, hasMfa, trust }: SessionStart,
): Promise<StartedSession> {
  const { audit, config, devices, mailer, sessions } = services
  const { address } = call.auditContext
  const description = describeDevice(call.request.headers['user-agent'])
  const deviceToken = await devices.recordSignIn(db, account.id, device, { description, address, trust })
  const issued = await sessions.start(db, account, { address, deviceName: description, hasMfa })
  const { organisationId, role, sessionId } = issued.actor
  const isNew = device === null && account.lastSignInAt !== null
  const auditContext = withActor({ ...call.auditContext, organisationId }, { userId: account.id, role, sessionId })
  const actions: readonly AuditAction[] = [
    'authn.login_success',
    ...proofActions[by],
    ...(trust ? (['authn.device_trusted'] as const) : []),
    ...(isNew ? (['authn.new_device'] as const) : []),
  ]
  for (const action of actions) await audit.record(db, auditContext, { action, detail: { by, description } })
  if (isNew)
    await mailer.enqueue(
      db,
      account.emailAddress,
      newDevice({ description, address, url: `${config.publicUrl}/reset-password` }),
    )
  const reply = { ...(await sessionReply(services, db, issued, [deviceToken])), statusCode: 200 as const }
  return { issued, deviceToken, reply }
}

/** All of them go to the organisation's audit chain: writing to two chains in one transaction risks a deadlock. */
const proofActions: Readonly<Record<SignInProof['by'], readonly AuditAction[]>> = {
  password: [],
  link: ['authn.code_link_used'],
  code: ['authn.mfa_success'],
  passkey: ['authn.mfa_success'],
}

export function setSignInCookies(
  { config }: Pick<AppServices, 'config'>,
  call: SignInCall,
  { issued, deviceToken, reply }: StartedSession,
): StartedSession['reply'] {
  setSessionCookies(config, call.reply, issued)
  setDeviceToken(config, call.request, call.reply, deviceToken)
  return reply
}

/** A replaced device cookie has been copied: its use makes every browser of the account unknown again. */
export async function findKnownDevice(
  services: StartSessionServices,
  db: Db,
  account: Account,
  { request, auditContext }: SignInCall,
): Promise<KnownDevice | null> {
  const { audit, config, devices, mailer } = services
  const found = await devices.find(db, account.id, readDeviceTokens(config, request))
  if (found !== 'reused') return found
  await devices.forgetAll(db, account.id)
  await audit.record(db, withActor(auditContext, { userId: account.id }), {
    organisationId: null,
    action: 'authn.device_reuse_detected',
    outcome: 'refused',
  })
  const what =
    'A browser used an outdated copy of a device cookie. All your devices were forgotten, so each needs a code again at its next sign-in.'
  await mailer.enqueue(db, account.emailAddress, accountChanged({ what, url: `${config.publicUrl}/reset-password` }))
  return null
}
