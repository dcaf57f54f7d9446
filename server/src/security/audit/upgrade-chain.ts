/** Upgrades events of earlier versions: stores their personal fields separately and computes the chain's hashes again. */
import {
  type ChainBridges,
  selectChain,
  findCut,
  isChainedTo,
  isIntact,
  insertPersonalPart,
  type ChainLink,
  lockChain,
  readBridges,
  readEvents,
  type StoredAuditEvent,
} from './audit-chain.ts'
import { findErasedPeople, listPeopleOf } from './erased-people.ts'
import { hashOf, personalHashOf, separatePersonalFields } from './personal-fields.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

/** Small, so that concurrent writers to the chain wait only for a moment. */
const batch = 200

/**
 * Idempotent, safe to kill and safe to run concurrently. An event that was tampered with, and all later ones, stay unchanged as
 * evidence.
 */
export async function upgradeAuditChains(store: Store): Promise<void> {
  // Across: each organisation has a chain, and so has the provider.
  const due = await store.across((db) =>
    db.selectFrom('auditEvent').select('organisationId').distinct().where('form', '=', 1).execute(),
  )
  for (const { organisationId } of due) while ((await store.across((db) => upgradeBatch(db, organisationId))) > 0);
}

/** Returns the number of upgraded events. */
async function upgradeBatch(db: Db, organisationId: string | null): Promise<number> {
  await lockChain(db, organisationId)
  const first = await selectChain(db, organisationId)
    .select('id')
    .where('form', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return 0
  const found = await readEvents(db, organisationId, { id: first.id, limit: batch + 1 })
  const former = await findPreviousLink(db, organisationId, first.id)
  const events = takeUntilBreak(takeOldForm(found).slice(0, batch), former, await readBridges(db, organisationId))
  const last = events.at(-1)
  if (last === undefined) return 0
  // The first event is now chained to the present hash of the one before it.
  if (former !== null) await db.deleteFrom('auditBridge').where('eventId', '=', former.id).execute()
  let hash = former?.hash ?? null
  const erased = await findErasedPeople(db, events)
  for (const event of events)
    hash = await upgradeEvent(db, event, {
      formerHash: hash,
      isKept: !listPeopleOf(event).some((id) => erased.has(id)),
    })
  // The next event is still chained to the former hash of the last one.
  if (found.length > events.length)
    await db.insertInto('auditBridge').values({ eventId: last.id, organisationId, hash: last.hash }).execute()
  return events.length
}

function takeUntilBreak(
  events: readonly StoredAuditEvent[],
  before: ChainLink | null,
  bridges: ChainBridges,
): readonly StoredAuditEvent[] {
  const broken = events.findIndex(
    (event, at) => !isChainedTo(event, at === 0 ? before : (events[at - 1] ?? null), bridges) || !isIntact(event),
  )
  return broken === -1 ? events : events.slice(0, broken)
}

function takeOldForm(found: readonly StoredAuditEvent[]): readonly StoredAuditEvent[] {
  const other = found.findIndex(({ form }) => form !== 1)
  return other === -1 ? found : found.slice(0, other)
}

async function findPreviousLink(db: Db, organisationId: string | null, id: number): Promise<ChainLink | null> {
  const former = selectChain(db, organisationId)
    .select(['id', 'hash'])
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
  const found = await former.executeTakeFirst()
  if (found !== undefined) return found
  const cut = await findCut(db, organisationId)
  return cut === undefined ? null : { id: cut.throughId, hash: cut.hash }
}

interface EventUpgrade {
  readonly formerHash: Buffer | null
  /** False: the personal fields identify a person who was erased. */
  readonly isKept: boolean
}

/** Returns the event's new hash. */
async function upgradeEvent(db: Db, event: StoredAuditEvent, { formerHash, isKept }: EventUpgrade): Promise<Buffer> {
  const { id, organisationId } = event
  const { detail, personal } = separatePersonalFields(event.address, event.detail as Readonly<Record<string, unknown>>)
  const personalHash = personal === null ? null : personalHashOf(personal)
  const now = { ...event, at: isoTime(Date.parse(event.at)), detail, address: null, form: 2, formerHash, personalHash }
  const hash = hashOf(now)
  await db
    .updateTable('auditEvent')
    .set({ detail: JSON.stringify(detail), address: null, form: 2, formerHash, personalHash, hash })
    .where('id', '=', id)
    .execute()
  if (personal !== null && isKept) await insertPersonalPart(db, { eventId: id, organisationId, personal })
  return hash
}
