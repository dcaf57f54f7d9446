/** The services of a server. `assembleServices` creates them once for each process or test; none of them is global. */
import type { RateLimiters } from '@tributary/engine/ports/rate-limit'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { Config } from './kernel/config/config.ts'
import type { Audit } from './security/audit/audit.ts'
import type { CallCounter } from './security/throttling/call-counter.ts'
import type { Captcha } from './security/captcha/captcha.ts'
import type { Clock } from './kernel/clock.ts'
import type { KnownDevices } from './identity/sessions/known-devices.ts'
import type { Lifecycle } from './kernel/lifecycle.ts'
import type { MasterKeyRing } from './kernel/config/master-keys.ts'
import type { ServerKeys } from './security/keys/server-keys.ts'
import type { Log } from './kernel/log/log.ts'
import type { InspectReply, RouteMount } from './kernel/http/bind.ts'
import type { EmailOutbox } from './kernel/mail/mailer.ts'
import type { Oauth } from './connections/oauth/oauth.ts'
import type { OidcProvider } from './identity/providers/oidc-provider.ts'
import type { Passwords } from './identity/passwords/passwords.ts'
import type { Queue } from './kernel/queue/queue.ts'
import type { Secrets } from './security/secrets/secrets.ts'
import type { Sessions } from './identity/sessions/sessions.ts'
import type { GlobalSettingsCache } from './kernel/config/global-configuration.ts'
import type { SignInBreaker } from './security/throttling/sign-in-circuit-breaker.ts'
import type { Store } from './kernel/store/store.ts'
import type { Metrics } from './kernel/telemetry/metrics.ts'
import type { Tracing } from './kernel/telemetry/tracing.ts'
import type { Throttle } from './security/throttling/throttle.ts'
import type { Verifications } from './identity/factors/verification-codes.ts'
import type { WarehouseServer } from './connections/databases/warehouse-server.ts'

export interface AppServices {
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly audit: Audit
  readonly secrets: Secrets
  readonly masters: MasterKeyRing
  readonly serverKeys: ServerKeys
  readonly network: Network
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly callCounter: CallCounter
  readonly signInBreaker: SignInBreaker
  readonly devices: KnownDevices
  readonly verifications: Verifications
  readonly captcha: Captcha
  readonly queue: Queue
  readonly mailer: EmailOutbox
  /** External identity providers. */
  readonly providers: readonly OidcProvider[]
  /** The OAuth clients of the sources. */
  readonly oauth: Oauth
  /**
   * Rate budgets of source keys, shared by all processes. Undefined in tests that do not use the store's time: then
   * each clock keeps its own.
   */
  readonly rateLimiters: RateLimiters | undefined
  /** The global configuration, which the provider changes at run time. */
  readonly settings: GlobalSettingsCache
  readonly warehouse: WarehouseServer
  /** True if an unreachable database has most likely stopped because the disk is full. */
  readonly isDiskFull: () => boolean
  /** In trial mode: the connection settings of each simulated source, by connector type. Otherwise empty. */
  readonly demo: { readonly [type: string]: ConnectorProperties }
  /**
   * Sees every reply before it is sent, and every fault by its code; tests refuse what the contract does not declare.
   */
  readonly inspect?: InspectReply
}

/** Passed to each feature: it mounts its routes and takes the services that they use. */
export interface AppRoutes extends RouteMount {
  readonly services: AppServices
}
