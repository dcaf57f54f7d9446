/** The audit log: only ever added to, each organisation's events a chain of hashes in which a missing link shows. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isoTime, type Clock } from './clock.ts'
import type { Db } from './store.ts'

/** Who did it, and through which call. */
export interface Origin {
  readonly actorId: string | null
  readonly actorRole: string | null
  readonly sessionId: string | null
  readonly address: string | null
  readonly reference: string | null
}

/** The product itself: the scheduler, a worker, the start. */
export const byItself: Origin = { actorId: null, actorRole: null, sessionId: null, address: null, reference: null }

export interface AuditEvent {
  /** Null: the provider's own chain. */
  readonly organisationId: string | null
  /** A word of the OWASP logging vocabulary where there is one: `authn.login_fail`, `connector.created`. */
  readonly action: string
  readonly outcome: 'success' | 'refused' | 'failure'
  readonly object?: { readonly type: string; readonly id: string }
  /** Before and after, reasons. Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface Audit {
  /** Part of the caller's transaction: what is undone was never done. The provider's chain needs a transaction across. */
  record(db: Db, origin: Origin, event: AuditEvent): Promise<void>
}

export function openAudit(clock: Clock): Audit {
  return {
    async record(db, origin, event) {
      // One writer a chain at a time, until the transaction ends; two would build upon the same link.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`audit ${event.organisationId ?? ''}`}, 0))`.execute(db)
      const former = await chain(db, event.organisationId).select('hash').orderBy('id', 'desc').limit(1).executeTakeFirst()
      const row = {
        ...origin,
        at: isoTime(clock.now()),
        organisationId: event.organisationId,
        action: event.action,
        outcome: event.outcome,
        objectType: event.object?.type ?? null,
        objectId: event.object?.id ?? null,
        detail: event.detail ?? {},
        formerHash: former?.hash ?? null,
      }
      await db
        .insertInto('auditEvent')
        .values({ ...row, detail: JSON.stringify(row.detail), hash: hashOf(row) })
        .execute()
    },
  }
}

/** The id of the first event of the chain that was changed or whose predecessor is missing; null for an intact chain. */
export async function findBreak(db: Db, organisationId: string | null): Promise<number | null> {
  let former: Buffer | null = null
  for (const row of await chain(db, organisationId).selectAll().orderBy('id').execute()) {
    const follows = former === null ? row.formerHash === null : row.formerHash?.equals(former) === true
    if (!follows || !hashOf({ ...row, at: isoTime(Date.parse(row.at)) }).equals(row.hash)) return row.id
    former = row.hash
  }
  return null
}

function chain(db: Db, organisationId: string | null) {
  return db.selectFrom('auditEvent').where('organisationId', organisationId === null ? 'is' : '=', organisationId)
}

const hashed = [
  'at',
  'organisationId',
  'actorId',
  'actorRole',
  'action',
  'objectType',
  'objectId',
  'outcome',
  'detail',
  'address',
  'sessionId',
  'reference',
] as const

function hashOf(row: Readonly<Record<(typeof hashed)[number], unknown>> & { readonly formerHash: Buffer | null }): Buffer {
  const text = canonical(hashed.map((name) => row[name]))
  return createHash('sha256')
    .update(row.formerHash ?? Buffer.alloc(0))
    .update(text)
    .digest()
}

/** JSON with sorted keys, for the store does not keep the order in which they were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
