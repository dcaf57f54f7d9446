/**
 * Begins an OAuth flow at a source. Its callback is accepted once, in the same browser and session, within ten minutes.
 */
import { may, type Capability } from '@tributary/contract/capabilities'
import { randomUUID } from 'node:crypto'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { actingAs, roleIn } from '../../kernel/http/actor.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import { randomSecret } from '../../security/secrets/one-time-codes.ts'
import { findAppKeys } from './oauth-apps.ts'
import { findReconnectTarget } from './companies.ts'
import type { OauthRefusal } from './landing-page.ts'
import { insertFlow } from './oauth-flows.ts'

export type OauthRedirectServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'log' | 'oauth' | 'secrets' | 'settings' | 'store'
>

export interface OauthRedirect {
  readonly type: AuthorisedType
  readonly app: 'provider' | 'own'
  /** The connector to reconnect; null to add connectors. */
  readonly connectorId: string | null
  readonly auditContext: CallerContext
}

/** Returns the authorisation URL and the secret for the flow cookie, or why the flow cannot begin. */
export async function startOauthFlow(
  services: OauthRedirectServices,
  redirect: OauthRedirect,
): Promise<{ readonly error: OauthRefusal } | { readonly address: URL; readonly browser: string }> {
  const { config, log, oauth, store } = services
  const { type, connectorId, auditContext } = redirect
  const { organisationId } = auditContext
  if (!(await mayAuthorise(services, auditContext, connectorId))) return { error: 'unauthorised' }
  const app = await store.within(organisationId, async (db) => {
    const exists =
      connectorId === null || (await findReconnectTarget(db, { organisationId, connectorId }, type.type)) !== undefined
    return exists ? findAppKeys(db, services, { organisationId, type, app: redirect.app }) : undefined
  })
  if (app === undefined) return { error: 'unknown' }
  const [state, nonce, pkceVerifier, browser] = [randomSecret(), randomSecret(), randomSecret(), randomSecret()]
  let address: URL
  try {
    const redirectUri = callbackUrl(config.publicUrl, type.type)
    address = await oauth.client.buildAuthorisationUrl(type, app.keys, { state, nonce, pkceVerifier, redirectUri })
  } catch (error) {
    log.warn('an OAuth source does not respond', { error })
    return { error: 'unknown' }
  }
  const { userId, sessionId } = auditContext.actor
  const flow = { id: randomUUID(), organisationId, type: type.type, appId: app.appId, connectorId, userId, sessionId }
  await store.within(organisationId, (db) => insertFlow(db, services, { ...flow, state, nonce, pkceVerifier, browser }))
  return { address, browser }
}

/** The redirect URI. Each type has its own, so that no source can respond in place of another. */
export function callbackUrl(publicUrl: string, type: string): string {
  return `${publicUrl}/api/authorise/${type}/callback`
}

/** Checks the right in the flow's organisation, not the session's, at the beginning of a flow and at its callback. */
export async function mayAuthorise(
  { audit, settings, store }: OauthRedirectServices,
  auditContext: CallerContext,
  connectorId: string | null,
): Promise<boolean> {
  const { actor, organisationId } = auditContext
  const capability: Capability = connectorId === null ? 'addConnector' : 'editConnector'
  const role = roleIn(actor, organisationId)
  const isOpen = actor.providerRole !== null || !(await settings.read()).MaintenanceMode
  const isAllowed =
    role !== undefined && may(actingAs(actor, role).roleLevel, capability) && !actor.passwordIsTemporary && isOpen
  if (!isAllowed) {
    const action = role === undefined ? 'authz.tenant_mismatch' : 'authz.denied'
    const event = {
      organisationId: role === undefined ? null : organisationId,
      action,
      outcome: 'refused',
      detail: { route: 'authorise' },
    } as const
    // Across: the refusal of a user without a role there belongs to the provider's audit chain.
    await store.across((db) => audit.record(db, auditContext, event))
    return false
  }
  // Across: provider roles may act in every organisation that exists and is not archived.
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
