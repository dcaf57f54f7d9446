/**
 * The port through which authorisations create connectors, so that this feature does not depend on the connectors
 * feature.
 */
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { Db } from '../../kernel/store/store.ts'

/** A company at the source, and the grant that reaches it. */
export interface GrantedCompany {
  readonly type: string
  readonly tenantId: string
  readonly name: string
  readonly country: string | null
  readonly currency: string | null
  readonly grantId: string
}

export interface CompanyConnector {
  /** Creates a connector named after the company and starts its first run. Returns its id; throws `tenantTaken`. */
  add(db: Db, auditContext: CallerContext, company: GrantedCompany): Promise<string>
  /**
   * Reconnects an existing connector, which keeps its history, key and checkpoints. Throws `tenantTaken`, `notFound`.
   */
  reconnect(db: Db, auditContext: CallerContext, connectorId: string, company: GrantedCompany): Promise<void>
}
