import type { SecurityServices } from '../security/security-services.ts'
import type { KnownDevices } from './sessions/known-devices.ts'
import type { OidcProvider } from './providers/oidc-provider.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Verifications } from './factors/verification-codes.ts'

export interface IdentityServices extends SecurityServices {
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly devices: KnownDevices
  readonly verifications: Verifications
  /** External identity providers. */
  readonly providers: readonly OidcProvider[]
}
