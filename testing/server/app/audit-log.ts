/** Reads the audit log of a test server. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import type { Store } from '../../../server/src/kernel/store/store.ts'

export interface AuditedEvent {
  readonly action: AuditAction
  readonly outcome: string
  /** Null for the product itself, and for callers who are not identified yet. */
  readonly actorId: string | null
  /** Null for the provider's chain. */
  readonly organisationId: string | null
  readonly objectId: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** Returns the events with this action, oldest first. */
export async function findAuditEvents(store: Store, action: AuditAction): Promise<readonly AuditedEvent[]> {
  const found = await store.across((db) =>
    db
      .selectFrom('auditEvent')
      .select(['action', 'outcome', 'actorId', 'organisationId', 'objectId', 'detail'])
      .where('action', '=', action)
      .orderBy('id')
      .execute(),
  )
  return found.map((event) => ({ ...event, action, detail: event.detail as AuditedEvent['detail'] }))
}

/** An action that only a test records. */
export function testAction(action: string): AuditAction {
  return action as AuditAction
}
