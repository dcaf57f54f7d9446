/** Each room lists the services that it provides, with those of the rooms below. Its functions pick what they use. */
import type { Config } from './config/config.ts'
import type { Clock } from './clock.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { MasterKeyRing } from './config/master-keys.ts'
import type { Log } from './log/log.ts'
import type { EmailOutbox } from './mail/mailer.ts'
import type { Queue } from './queue/queue.ts'
import type { GlobalSettingsCache } from './config/global-configuration.ts'
import type { Store } from './store/store.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Tracing } from './telemetry/tracing.ts'

export interface KernelServices {
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly masters: MasterKeyRing
  readonly queue: Queue
  readonly mailer: EmailOutbox
  /** The global configuration, which the provider changes at run time. */
  readonly settings: GlobalSettingsCache
  /** True if an unreachable database has most likely stopped because the disk is full. */
  readonly isDiskFull: () => boolean
}
