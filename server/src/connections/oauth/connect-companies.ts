/** What connects companies: given to whoever lets people choose them, for connectors are another feature's. */
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
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
  /** A connector of that company, named after it, which starts its first run by itself. Answers its id; throws `tenantTaken`. */
  add(db: Db, auditContext: AuditContext<string, Actor>, company: GrantedCompany): Promise<string>
  /** The same connector with its history, its key and its checkpoints. Throws `tenantTaken`, `notFound`. */
  again(db: Db, auditContext: AuditContext<string, Actor>, connectorId: string, company: GrantedCompany): Promise<void>
}
