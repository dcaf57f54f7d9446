import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { AuditEvent } from '../../security/audit/audit.ts'
import type { Parts } from '../../parts.ts'
import type { Db } from '../../kernel/store/store.ts'

/** In whose name something is done to people, and in which organisation. */
export interface Hand {
  readonly parts: Parts
  readonly actor: Actor
  readonly organisationId: string
  readonly origin: AuditContext
}

type Told = Pick<AuditEvent, 'action' | 'detail'> & { readonly object: NonNullable<AuditEvent['object']> }

/** Writes into the organisation's audit log what was done. */
export async function record(db: Db, { parts, origin, organisationId }: Hand, event: Told): Promise<void> {
  await parts.audit.record(db, origin, { organisationId, outcome: 'success', ...event })
}
