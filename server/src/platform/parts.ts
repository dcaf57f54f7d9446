/** What the server is made of. Made once by `main` (or by a test) and handed in; nothing of it is global. */
import type { Route } from '@tributary/contract/route'
import type { Network } from '@tributary/engine/network'
import type { Properties } from '@tributary/engine/source'
import type { Config } from '../config.ts'
import type { Audit } from './audit.ts'
import type { Captcha } from './captcha/captcha.ts'
import type { Clock } from './clock.ts'
import type { Devices } from './devices.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Provider } from './oidc/provider.ts'
import type { Passwords } from './passwords.ts'
import type { Queue } from './queue.ts'
import type { Secrets } from './secrets.ts'
import type { Sessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store.ts'
import type { Throttle } from './throttle.ts'
import type { Verifications } from './verification.ts'
import type { WarehouseServer } from './warehouse-server.ts'

export interface Parts {
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly audit: Audit
  readonly secrets: Secrets
  readonly network: Network
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly devices: Devices
  readonly verifications: Verifications
  readonly captcha: Captcha
  readonly queue: Queue
  readonly mailer: Mailer
  /** Whoever else may vouch for a person. */
  readonly providers: readonly Provider[]
  /** The provider's switches. */
  readonly settings: Settings
  readonly warehouse: WarehouseServer
  /** In trial mode: the settings that reach each simulated source, by connector type. Else empty. */
  readonly demo: { readonly [type: string]: Properties }
  /** Sees every reply before it is sent, and every fault by its code; tests refuse what the contract does not declare. */
  readonly inspect?: (route: Route, outcome: { readonly answer: unknown; readonly encoded: unknown } | { readonly code: string }) => void
}
