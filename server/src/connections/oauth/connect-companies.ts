/**
 * The port through which authorisations create connectors, so that this feature does not depend on the connectors
 * feature.
 */
import type { CallerContext, OrganisationContext } from '../../kernel/audit-context.ts'
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

export interface RemovedCompany {
  readonly connectorId: string
  readonly tenantId: string
  /** `leave`: the next run removes its rows. */
  readonly rows: 'leave' | 'stay'
}

export interface CompanyConnector {
  /** Creates a connector named after the company and starts its first run. Returns its id; throws `tenantTaken`. */
  add(db: Db, auditContext: CallerContext, company: GrantedCompany): Promise<string>
  /** Creates one connector that moves several companies into one set of tables, named after the first of them. */
  addShared(db: Db, auditContext: CallerContext, companies: readonly GrantedCompany[]): Promise<string>
  /** Takes a company off a connector. Throws `notFound`, and `settingsWrong` for its last company. */
  remove(db: Db, auditContext: OrganisationContext, company: RemovedCompany): Promise<void>
  /**
   * Reconnects an existing connector, which keeps its history, key and checkpoints. One of several companies gets those that it does not
   * have; any other takes exactly one. Throws `tenantTaken`, `notFound`.
   */
  reconnect(
    db: Db,
    auditContext: CallerContext,
    connectorId: string,
    companies: readonly GrantedCompany[],
  ): Promise<void>
}
