/** What the audit log of a test's server says. */
import type { AuditAction } from '../../../server/src/security/audit/audit-actions.ts'
import type { Store } from '../../../server/src/kernel/store/store.ts'

export interface Audited {
  readonly action: AuditAction
  readonly outcome: string
  /** Null: the product itself, or somebody whom nobody knows yet. */
  readonly actorId: string | null
  /** Null: the provider's own chain. */
  readonly organisationId: string | null
  readonly objectId: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** The events with that action, oldest first. */
export async function audited(store: Store, action: AuditAction): Promise<readonly Audited[]> {
  const found = await store.across((db) =>
    db
      .selectFrom('auditEvent')
      .select(['action', 'outcome', 'actorId', 'organisationId', 'objectId', 'detail'])
      .where('action', '=', action)
      .orderBy('id')
      .execute(),
  )
  return found.map((event) => ({ ...event, action, detail: event.detail as Audited['detail'] }))
}

/** An action that only a test notes. */
export function madeUp(action: string): AuditAction {
  return action as AuditAction
}
