import type { RateLimiters } from '@tributary/engine/ports/rate-limit'
import type { SecurityServices } from '../security/security-services.ts'
import type { WarehouseServer } from './databases/warehouse-server.ts'
import type { Oauth } from './oauth/oauth.ts'

export interface ConnectionServices extends SecurityServices {
  /** The OAuth clients of the sources. */
  readonly oauth: Oauth
  /**
   * Rate budgets of source keys, shared by all processes. Undefined in tests that do not use the store's time: then
   * each clock keeps its own.
   */
  readonly rateLimiters: RateLimiters | undefined
  readonly warehouse: WarehouseServer
}
