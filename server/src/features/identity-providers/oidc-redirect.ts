/**
 * Begins an OpenID Connect flow. Its callback is accepted with the flow's state, in the same browser, once, within ten
 * minutes.
 */
import { safeReturnPath } from '@tributary/contract/return-path'
import { hashOf, randomSecret } from '../../security/secrets/one-time-codes.ts'
import type { OidcProvider } from '../../identity/providers/oidc-provider.ts'
import type { AppServices } from '../../app-services.ts'
import { refusedLanding, type OidcLanding } from './landing-page.ts'
import { insertOidcFlow, type OidcFlowPurpose } from './queries.ts'

type OidcRedirectServices = Pick<AppServices, 'clock' | 'config' | 'log' | 'settings' | 'store'>

export interface OidcRedirect {
  readonly provider: OidcProvider
  readonly purpose: OidcFlowPurpose
  readonly returnUrl: string | undefined
  /** The user who links an identity, else null. */
  readonly userId: string | null
}

/**
 * Returns the authorisation URL and the secret for the flow cookie, or the page to land on if the flow cannot begin.
 */
export async function startOidcFlow(
  services: OidcRedirectServices,
  { provider, purpose, returnUrl, userId }: OidcRedirect,
): Promise<OidcLanding | { readonly address: URL; readonly browser: string }> {
  const { clock, config, log, settings, store } = services
  const globalSettings = await settings.read()
  if (!globalSettings.ExternalProviders || (purpose === 'signup' && !globalSettings.AllowSignUp))
    return refusedLanding(purpose, provider.name, 'unknown')

  const [state, nonce, pkceVerifier, browser] = [randomSecret(), randomSecret(), randomSecret(), randomSecret()]
  let address: URL
  try {
    address = await provider.buildAuthorisationUrl(
      { state, nonce, pkceVerifier },
      oidcCallbackUrl(config.publicUrl, provider),
    )
  } catch (error) {
    log.warn('an identity provider does not respond', { error })
    return refusedLanding(purpose, provider.name, 'unknown')
  }
  const returnPath = safeReturnPath(returnUrl, config.publicUrl)
  const flow = { purpose, userId, nonce, pkceVerifier, returnPath, provider: provider.name }
  // Across: a flow belongs to no organisation.
  await store.across((db) =>
    insertOidcFlow(db, clock, { ...flow, stateHash: hashOf(state), browserHash: hashOf(browser) }),
  )
  return { address, browser }
}

/** The redirect URI. Each provider has its own, so that no provider can respond in place of another. */
export function oidcCallbackUrl(publicUrl: string, provider: Pick<OidcProvider, 'name'>): string {
  return `${publicUrl}/api/auth/external/${provider.name}/callback`
}
