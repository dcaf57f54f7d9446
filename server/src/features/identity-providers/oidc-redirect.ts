/** Sends a browser to a provider. What comes back is believed only with this state, in this browser, once, within ten minutes. */
import { randomBytes } from 'node:crypto'
import { safeReturnPath } from '@tributary/contract/return-path'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { OidcProvider } from '../../identity/providers/oidc-provider.ts'
import type { AppServices } from '../../app-services.ts'
import { refusedLanding, type Landing } from './landing-page.ts'
import { insertTrip, type Purpose } from './queries.ts'

type OidcRedirectServices = Pick<AppServices, 'clock' | 'config' | 'log' | 'settings' | 'store'>

export interface Departure {
  readonly provider: OidcProvider
  readonly purpose: Purpose
  readonly returnUrl: string | undefined
  /** Who is linking. */
  readonly userId: string | null
}

/** The address of the provider with the secret that the browser must bring back, or where to land instead. */
export async function depart(
  services: OidcRedirectServices,
  { provider, purpose, returnUrl, userId }: Departure,
): Promise<Landing | { readonly address: URL; readonly browser: string }> {
  const { clock, config, log, settings, store } = services
  const switches = await settings.read()
  if (!switches.ExternalProviders || (purpose === 'signup' && !switches.AllowSignUp))
    return refusedLanding(purpose, provider.name, 'unknown')

  const [state, nonce, pkceVerifier, browser] = [randomSecret(), randomSecret(), randomSecret(), randomSecret()]
  let address: URL
  try {
    address = await provider.buildAuthorisationUrl(
      { state, nonce, pkceVerifier },
      callbackOf(config.publicUrl, provider),
    )
  } catch (error) {
    log.warn('an external provider does not answer', { error })
    return refusedLanding(purpose, provider.name, 'unknown')
  }
  const returnPath = safeReturnPath(returnUrl, config.publicUrl)
  const kept = { purpose, userId, nonce, pkceVerifier, returnPath, provider: provider.name }
  // Across: a trip belongs to no organisation.
  await store.across((db) => insertTrip(db, clock, { ...kept, stateHash: hashOf(state), browserHash: hashOf(browser) }))
  return { address, browser }
}

/** The address that the provider knows us by; each provider has its own, so that none can answer for another. */
export function callbackOf(publicUrl: string, provider: Pick<OidcProvider, 'name'>): string {
  return `${publicUrl}/api/auth/external/${provider.name}/callback`
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}
