import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { AuditEvent } from '../../security/audit/audit.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'

/** In whose name something is done to people, and in which organisation. */
export interface Hand {
  readonly services: AppServices
  readonly actor: Actor
  readonly organisationId: string
  readonly origin: AuditContext
}

type Told = Pick<AuditEvent, 'action' | 'detail'> & { readonly object: NonNullable<AuditEvent['object']> }

/** Writes into the organisation's audit log what was done. */
export async function record(db: Db, { services, origin, organisationId }: Hand, event: Told): Promise<void> {
  await services.audit.record(db, origin, { organisationId, outcome: 'success', ...event })
}
