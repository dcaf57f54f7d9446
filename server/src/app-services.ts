/** The services of a server. `assembleServices` creates them once for each process or test; none of them is global. */
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { ConnectionServices } from './connections/connection-services.ts'
import type { IdentityServices } from './identity/identity-services.ts'
import type { InspectReply, RouteMount } from './kernel/http/bind.ts'

export interface AppServices extends ConnectionServices, IdentityServices {
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
