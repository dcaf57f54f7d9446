/** Sends a browser to a source, so that somebody lets Tributary in there. What comes back is believed once, in this browser and session, within ten minutes. */
import { may, type Capability } from '@tributary/contract/capabilities'
import { randomBytes, randomUUID } from 'node:crypto'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { actingAs, roleIn, type Actor } from '../../kernel/http/actor.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import { findAppKeys } from './oauth-apps.ts'
import { findFormer } from './companies.ts'
import type { Refusal } from './landing-page.ts'
import { insertTrip } from './oauth-flows.ts'

export type OauthRedirectServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'log' | 'oauth' | 'secrets' | 'settings' | 'store'
>

export interface Departure {
  readonly type: AuthorisedType
  readonly app: 'provider' | 'own'
  /** The connector that is to be connected again. */
  readonly connectorId: string | null
  readonly auditContext: AuditContext<string, Actor>
}

/** The address at the source, with the secret that the browser must bring back; or why nobody is sent there. */
export async function depart(
  services: OauthRedirectServices,
  departure: Departure,
): Promise<{ readonly error: Refusal } | { readonly address: URL; readonly browser: string }> {
  const { config, log, oauth, store } = services
  const { type, connectorId, auditContext } = departure
  const { organisationId } = auditContext
  if (!(await mayConnect(services, auditContext, connectorId))) return { error: 'unauthorised' }
  const app = await store.within(organisationId, async (db) => {
    const isThere = connectorId === null || (await findFormer(db, organisationId, connectorId, type.type)) !== undefined
    return isThere ? findAppKeys(db, services, { organisationId, type, app: departure.app }) : undefined
  })
  if (app === undefined) return { error: 'unknown' }
  const [state, nonce, pkceVerifier, browser] = [randomSecret(), randomSecret(), randomSecret(), randomSecret()]
  let address: URL
  try {
    const redirectUri = callbackOf(config.publicUrl, type.type)
    address = await oauth.client.buildAuthorisationUrl(type, app.keys, { state, nonce, pkceVerifier, redirectUri })
  } catch (error) {
    log.warn('a source at which people sign in does not answer', { error })
    return { error: 'unknown' }
  }
  const { userId, sessionId } = auditContext.actor
  const trip = { id: randomUUID(), organisationId, type: type.type, appId: app.appId, connectorId, userId, sessionId }
  await store.within(organisationId, (db) => insertTrip(db, services, { ...trip, state, nonce, pkceVerifier, browser }))
  return { address, browser }
}

/** The address that a source sends browsers back to; each type has its own, so that none can answer for another. */
export function callbackOf(publicUrl: string, type: string): string {
  return `${publicUrl}/api/authorise/${type}/callback`
}

/** The right in the organisation that is named, whatever the session speaks for; asked when somebody leaves and when they come back. */
export async function mayConnect(
  { audit, settings, store }: OauthRedirectServices,
  auditContext: AuditContext<string, Actor>,
  connectorId: string | null,
): Promise<boolean> {
  const { actor, organisationId } = auditContext
  const needed: Capability = connectorId === null ? 'addConnector' : 'editConnector'
  const role = roleIn(actor, organisationId)
  const isOpen = actor.providerRole !== null || !(await settings.read()).MaintenanceMode
  const mayDo =
    role !== undefined && may(actingAs(actor, role).roleLevel, needed) && !actor.passwordIsTemporary && isOpen
  if (!mayDo) {
    const action = role === undefined ? 'authz.tenant_mismatch' : 'authz.denied'
    const event = {
      organisationId: role === undefined ? null : organisationId,
      action,
      outcome: 'refused',
      detail: { route: 'authorise' },
    } as const
    // Across: whoever is nobody there is recorded in the provider's chain.
    await store.across((db) => audit.record(db, auditContext, event))
    return false
  }
  // Across: whether there is such an organisation at all. The provider's people see every one, and change nothing in an archived one.
  const found = await store.across((db) =>
    db
      .selectFrom('organisation')
      .select('id')
      .where('id', '=', organisationId)
      .where('archivedAt', 'is', null)
      .executeTakeFirst(),
  )
  return found !== undefined
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}
