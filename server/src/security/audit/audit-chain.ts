/** Reads hash chains of audit events from the store, with the personal fields that are stored separately. */
import { hashOf, type PersonalPart, personalHashOf } from './personal-fields.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export interface ChainLink {
  readonly id: number
  readonly hash: Buffer
}

/** Locks the chain until the transaction ends, so that no two events follow the same event. */
export function lockChain(db: Db, organisationId: string | null): Promise<void> {
  return lockForTransaction(db, 'auditChain', organisationId ?? '')
}

export function selectChain(db: Db, organisationId: string | null) {
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

/** By event id, the hash to which its successor is chained, if it differs from the event's present hash. */
export type ChainBridges = ReadonlyMap<number, Buffer>

export async function readBridges(db: Db, organisationId: string | null): Promise<ChainBridges> {
  const found = db
    .selectFrom('auditBridge')
    .select(['eventId', 'hash'])
    .where('organisationId', 'is not distinct from', organisationId)
  return new Map((await found.execute()).map(({ eventId, hash }) => [eventId, hash]))
}

export type StoredAuditEvent = Awaited<ReturnType<typeof readEvents>>[number]

/** Reads events, oldest first. @param from the id after which to start, and the most events to read */
export function readEvents(
  db: Db,
  organisationId: string | null,
  from?: { readonly id: number; readonly limit: number },
) {
  return selectChain(db, organisationId)
    .leftJoin('auditPersonal', 'auditPersonal.eventId', 'auditEvent.id')
    .selectAll('auditEvent')
    .select(['salt', 'fields'])
    .$if(from !== undefined, (some) => some.where('auditEvent.id', '>=', from?.id ?? 0).limit(from?.limit ?? 0))
    .orderBy('auditEvent.id')
    .execute()
}

export function isChainedTo(
  { formerHash }: Pick<StoredAuditEvent, 'formerHash'>,
  former: ChainLink | null,
  bridges: ChainBridges,
): boolean {
  if (former === null) return formerHash === null
  return formerHash?.equals(bridges.get(former.id) ?? former.hash) === true
}

export function isIntact(row: StoredAuditEvent): boolean {
  const { salt, fields, personalHash } = row
  if (!hashOf({ ...row, at: isoTime(Date.parse(row.at)) }).equals(row.hash)) return false
  if (salt === null) return true
  return personalHash?.equals(personalHashOf({ salt, fields: fields as PersonalPart['fields'] })) === true
}

export interface StoredPersonalPart {
  readonly eventId: number
  readonly organisationId: string | null
  readonly personal: PersonalPart
}

export async function insertPersonalPart(
  db: Db,
  { personal: { salt, fields }, ...of }: StoredPersonalPart,
): Promise<void> {
  await db
    .insertInto('auditPersonal')
    .values({ ...of, salt, fields: JSON.stringify(fields) })
    .execute()
}
