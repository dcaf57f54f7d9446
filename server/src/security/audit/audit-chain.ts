/** The links of a chain of audit events as the store has them, with what lies beside them. */
import { hashOf, type Personal, personalHashOf } from './personal-fields.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export interface Link {
  readonly id: number
  readonly hash: Buffer
}

/** Keeps other writers from the chain until the transaction ends; two would build upon the same link. */
export function lockChain(db: Db, organisationId: string | null): Promise<void> {
  return lockForTransaction(db, 'auditChain', organisationId ?? '')
}

export function chain(db: Db, organisationId: string | null) {
  return db
    .selectFrom('auditEvent')
    .where('auditEvent.organisationId', organisationId === null ? 'is' : '=', organisationId)
}

export function findCut(db: Db, organisationId: string | null) {
  return db
    .selectFrom('auditCut')
    .select(['throughId', 'hash'])
    .where('organisationId', organisationId === null ? 'is' : '=', organisationId)
    .executeTakeFirst()
}

/** The hash on which the event after the one of that id builds, where it is not the one that it has. */
export type Bridges = ReadonlyMap<number, Buffer>

export async function readBridges(db: Db, organisationId: string | null): Promise<Bridges> {
  const found = db
    .selectFrom('auditBridge')
    .select(['eventId', 'hash'])
    .where('organisationId', 'is not distinct from', organisationId)
  return new Map((await found.execute()).map(({ eventId, hash }) => [eventId, hash]))
}

export type WholeEvent = Awaited<ReturnType<typeof readWhole>>[number]

/** Oldest first. @param from of those that come after: where to begin, and how many at most. */
export function readWhole(
  db: Db,
  organisationId: string | null,
  from?: { readonly id: number; readonly limit: number },
) {
  return chain(db, organisationId)
    .leftJoin('auditPersonal', 'auditPersonal.eventId', 'auditEvent.id')
    .selectAll('auditEvent')
    .select(['salt', 'fields'])
    .$if(from !== undefined, (some) => some.where('auditEvent.id', '>=', from?.id ?? 0).limit(from?.limit ?? 0))
    .orderBy('auditEvent.id')
    .execute()
}

export function follows(
  { formerHash }: Pick<WholeEvent, 'formerHash'>,
  former: Link | null,
  bridges: Bridges,
): boolean {
  if (former === null) return formerHash === null
  return formerHash?.equals(bridges.get(former.id) ?? former.hash) === true
}

export function isIntact(row: WholeEvent): boolean {
  const { salt, fields, personalHash } = row
  if (!hashOf({ ...row, at: isoTime(Date.parse(row.at)) }).equals(row.hash)) return false
  if (salt === null) return true
  return personalHash?.equals(personalHashOf({ salt, fields: fields as Personal['fields'] })) === true
}

export interface KeptPersonal {
  readonly eventId: number
  readonly organisationId: string | null
  readonly personal: Personal
}

export async function keepPersonal(db: Db, { personal: { salt, fields }, ...of }: KeptPersonal): Promise<void> {
  await db
    .insertInto('auditPersonal')
    .values({ ...of, salt, fields: JSON.stringify(fields) })
    .execute()
}
