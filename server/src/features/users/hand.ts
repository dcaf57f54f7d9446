import type { Actor } from '../../platform/actor.ts'
import type { AuditEvent, Origin } from '../../platform/audit.ts'
import type { Parts } from '../../platform/parts.ts'
import type { Db } from '../../platform/store.ts'

/** In whose name something is done to people, and in which organisation. */
export interface Hand {
  readonly parts: Parts
  readonly actor: Actor
  readonly organisationId: string
  readonly origin: Origin
}

type Told = Pick<AuditEvent, 'action' | 'detail'> & { readonly object: NonNullable<AuditEvent['object']> }

/** Writes into the organisation's audit log what was done. */
export async function record(db: Db, { parts, origin, organisationId }: Hand, event: Told): Promise<void> {
  await parts.audit.record(db, origin, { organisationId, outcome: 'success', ...event })
}
