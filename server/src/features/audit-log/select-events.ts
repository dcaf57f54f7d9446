/** The events of one audit chain that a filter leaves, without what is shown of them. */
import type { AuditFilter } from '@tributary/contract/audit-log'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

/** Conditions on the events of one audit chain. `search` is left to `searchEvents`. */
export type EventFilter = Omit<AuditFilter, 'orgId' | 'ofProvider'>

export interface EventRange {
  /** Null: the provider's own chain. */
  readonly organisationId: string | null
  /** Only events before this one. */
  readonly beforeId?: number | undefined
}

export function selectEvents(db: Db, { organisationId, beforeId }: EventRange, wanted: EventFilter) {
  const { action, actor, objectType, objectId, outcome, from, to } = wanted
  return db
    .selectFrom('auditEvent')
    .leftJoin('portalUser', 'portalUser.id', 'auditEvent.actorId')
    .leftJoin('auditPersonal', 'auditPersonal.eventId', 'auditEvent.id')
    .where('auditEvent.organisationId', organisationId === null ? 'is' : '=', organisationId)
    .$if(beforeId !== undefined, (some) => some.where('auditEvent.id', '<', beforeId ?? 0))
    .$if(actor !== undefined, (some) => some.where(isBy(actor ?? 'system')))
    .$if(objectType !== undefined, (some) => some.where('objectType', '=', objectType ?? ''))
    .$if(objectId !== undefined, (some) => some.where('objectId', '=', objectId ?? ''))
    .$if(action !== undefined, (some) => some.where('action', '=', action ?? ''))
    .$if(outcome !== undefined, (some) => some.where('outcome', '=', outcome ?? 'success'))
    .$if(from !== undefined, (some) => some.where('at', '>=', from ?? ''))
    .$if(to !== undefined, (some) => some.where('at', '<', to ?? ''))
}

/** The operator works at the console and has no account. */
function isBy(actor: NonNullable<EventFilter['actor']>) {
  if (actor === 'operator') return sql<boolean>`actorId IS NULL AND actorRole = 'operator'`
  return actor === 'system' ? sql<boolean>`actorId IS NULL AND actorRole IS NULL` : sql<boolean>`actorId = ${actor}`
}
