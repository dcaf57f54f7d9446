/** From proving who one is to a session: the one place where it is decided whether a second factor is asked for. */
import type { SignInReply, Verified } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import type { AuditAction } from '../../security/audit/audit-actions.ts'
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
import type { SignInAccount } from './queries.ts'
import { sessionReply } from './session-reply.ts'

export type StartSessionServices = Pick<AppServices, 'audit' | 'config' | 'devices' | 'mailer' | 'sessions' | 'store'> &
  SecondFactorRequestServices

/** One call of a browser that wants in. */
export interface SignInCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly auditContext: AuditContext
}

/** What was proven, and how. */
export interface SignInProof {
  readonly account: SignInAccount
  readonly by: 'password' | 'link' | 'code' | 'passkey'
  /** Too short to stand alone: every browser that is not known proves more. */
  readonly isWeak?: boolean
}

interface Entering extends SignInProof {
  /** As `deviceOf` found it. */
  readonly device: KnownDevice | null
  readonly hasMfa: boolean
  /** The browser is not asked again for a while. */
  readonly trust: boolean
}

export interface StartedSession {
  readonly issued: IssuedSession
  readonly deviceToken: string
  readonly answer: Camel<z.infer<typeof Verified>>
}

/** The whole of a step that proves the first factor. `prove` runs in a transaction across. */
export async function letIn(
  services: StartSessionServices,
  visit: SignInCall,
  prove: (db: Db) => Promise<SignInProof>,
): Promise<Camel<SignInReply>> {
  const { proof, device, entered } = await services.store.across(async (db) => {
    const proof = await prove(db)
    // Before a code goes out that would open nothing.
    if (!proof.account.isProvider && (await isInMaintenance(db))) throw new ApiFault('maintained')
    const device = await deviceOf(services, db, proof.account, visit)
    const { isRequired } = await readMfaRequirement(db, services.config.mode, proof.account.id)
    const hasMfa = device?.isTrusted === true
    const owes = !hasMfa && (isRequired || (proof.isWeak === true && device === null))
    return {
      proof,
      device,
      entered: owes ? null : await enter(services, db, visit, { ...proof, device, hasMfa, trust: false }),
    }
  })
  if (entered !== null) return takeIn(services, visit, entered)
  return requestSecondFactor(services, {
    context: 'signin',
    person: proof.account,
    deviceId: device?.id ?? null,
    auditContext: visit.auditContext,
  })
}

/** Part of the caller's transaction; the browser is told by `takeIn` when it holds. */
export async function enter(
  services: StartSessionServices,
  db: Db,
  visit: SignInCall,
  { account, by, device, hasMfa, trust }: Entering,
): Promise<StartedSession> {
  const { audit, config, devices, mailer, sessions } = services
  const { address } = visit.auditContext
  const description = describeDevice(visit.request.headers['user-agent'])
  const deviceToken = await devices.recordSignIn(db, account.id, device, { description, address, trust })
  const issued = await sessions.start(db, account, { address, deviceName: description, hasMfa })
  const { organisationId, role, sessionId } = issued.actor
  const isNew = device === null && account.lastSignInAt !== null
  const auditContext = withActor({ ...visit.auditContext, organisationId }, { userId: account.id, role, sessionId })
  const actions: readonly AuditAction[] = [
    'authn.login_success',
    ...eventsOf[by],
    ...(trust ? (['authn.device_trusted'] as const) : []),
    ...(isNew ? (['authn.new_device'] as const) : []),
  ]
  for (const action of actions)
    await audit.record(db, auditContext, { action, outcome: 'success', detail: { by, description } })
  if (isNew)
    await mailer.enqueue(
      db,
      account.emailAddress,
      newDevice({ description, address, url: `${config.publicUrl}/reset-password` }),
    )
  const answer = { ...(await sessionReply(services, db, issued, [deviceToken])), statusCode: 200 as const }
  return { issued, deviceToken, answer }
}

/** All in the organisation's chain: to write to two in one transaction is to wait for each other sooner or later. */
const eventsOf: Readonly<Record<SignInProof['by'], readonly AuditAction[]>> = {
  password: [],
  link: ['authn.code_link_used'],
  code: ['authn.mfa_success'],
  passkey: ['authn.mfa_success'],
}

/** Gives the browser its cookies. */
export function takeIn(
  { config }: Pick<AppServices, 'config'>,
  visit: SignInCall,
  { issued, deviceToken, answer }: StartedSession,
): StartedSession['answer'] {
  setSessionCookies(config, visit.reply, issued)
  setDeviceToken(config, visit, deviceToken)
  return answer
}

/** A former cookie means that somebody has a copy: then no browser of that person is known any more. */
export async function deviceOf(
  services: StartSessionServices,
  db: Db,
  account: SignInAccount,
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
    'A browser came with an outdated copy of what makes it known to us. All your devices were forgotten, so each is asked for a code again.'
  await mailer.enqueue(db, account.emailAddress, accountChanged({ what, url: `${config.publicUrl}/reset-password` }))
  return null
}
