/** The append-only audit log. Each organisation's events form a hash chain, which reveals a missing or changed event. */
import type { AuditActor, AuditContext } from '../../kernel/audit-context.ts'
import type { AuditAction } from '@tributary/contract/audit-actions'
import { selectChain, insertPersonalPart, lockChain } from './audit-chain.ts'
import { hashOf, personalHashOf, separatePersonalFields } from './personal-fields.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface NewAuditEvent {
  /** The chain of the event; null: the provider's. Absent: the chain of the context's organisation. */
  readonly organisationId?: string | null
  readonly action: AuditAction
  /** Default: success. */
  readonly outcome?: 'success' | 'refused' | 'failure'
  readonly object?: { readonly type: string; readonly id: string }
  /** Values before and after, or reasons. Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface Audit {
  /** Records an event in the caller's transaction. The provider's chain needs a transaction across organisations. */
  record(db: Db, auditContext: AuditContext, event: NewAuditEvent): Promise<void>
}

const noActor: AuditActor = { userId: null, role: null, sessionId: null }
const noObject = { type: null, id: null }

export function openAudit(clock: Clock): Audit {
  return {
    async record(db, context, event) {
      const { actor, address, reference } = context
      const { userId: actorId, role: actorRole, sessionId } = actor ?? noActor
      const { action, outcome = 'success', organisationId = context.organisationId } = event
      const { type: objectType, id: objectId } = event.object ?? noObject
      await lockChain(db, organisationId)
      const former = await selectChain(db, organisationId)
        .select('hash')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const { detail, personal } = separatePersonalFields(address, event.detail ?? {})
      const row = {
        actorId,
        actorRole,
        sessionId,
        reference,
        at: isoTime(clock.now()),
        organisationId,
        action,
        outcome,
        objectType,
        objectId,
        detail,
        formerHash: former?.hash ?? null,
        form: 2,
        personalHash: personal === null ? null : personalHashOf(personal),
      }
      const { id: eventId } = await db
        .insertInto('auditEvent')
        .values({ ...row, detail: JSON.stringify(row.detail), hash: hashOf({ ...row, address: null }) })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (personal !== null) await insertPersonalPart(db, { eventId, organisationId, personal })
    },
  }
}

/**
 * Deletes at most `limit` events older than `before`, oldest first, and returns their number. Keeps the newest event of a chain,
 * because the next one is chained to it. Needs a transaction across organisations.
 */
export async function deleteOldAuditEvents(
  db: Db,
  organisationId: string | null,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  await lockChain(db, organisationId)
  const newest = await selectChain(db, organisationId).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const kept = await selectChain(db, organisationId)
    .select('id')
    .where('at', '>=', before)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const bound = kept?.id ?? newest?.id
  if (bound === undefined) return 0
  const old = await selectChain(db, organisationId)
    .select(['id', 'hash'])
    .where('id', '<', bound)
    .orderBy('id')
    .limit(limit)
    .execute()
  const last = old.at(-1)
  if (last === undefined) return 0
  const cut = { organisationId, throughId: last.id, hash: last.hash }
  await db
    .insertInto('auditCut')
    .values(cut)
    .onConflict((same) => same.column('organisationId').doUpdateSet(cut))
    .execute()
  await db
    .deleteFrom('auditEvent')
    .where('organisationId', organisationId === null ? 'is' : '=', organisationId)
    .where('id', '<=', last.id)
    .execute()
  await db
    .deleteFrom('auditBridge')
    .where('organisationId', 'is not distinct from', organisationId)
    .where('eventId', '<', last.id)
    .execute()
  return old.length
}
