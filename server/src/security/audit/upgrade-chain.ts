/** Brings events from before to the form in which what is personal lies beside them, and their chain to new hashes. */
import {
  type Bridges,
  chain,
  findCut,
  follows,
  isIntact,
  keepPersonal,
  type Link,
  lockChain,
  readBridges,
  readWhole,
  type WholeEvent,
} from './audit-chain.ts'
import { findErased, peopleOf } from './erased-people.ts'
import { hashOf, personalHashOf, sift } from './personal-fields.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

/** Few enough that whoever writes to the chain meanwhile waits for a moment only. */
const batch = 200

/** Safe to repeat, to kill, and by several at once. What was tampered with, and all after it, stays as it is: it is evidence. */
export async function sealAudit(store: Store): Promise<void> {
  // Across: each organisation has a chain, and so has the provider.
  const due = await store.across((db) =>
    db.selectFrom('auditEvent').select('organisationId').distinct().where('form', '=', 1).execute(),
  )
  for (const { organisationId } of due) while ((await store.across((db) => sealSome(db, organisationId))) > 0);
}

/** Says how many it was. */
async function sealSome(db: Db, organisationId: string | null): Promise<number> {
  await lockChain(db, organisationId)
  const first = await chain(db, organisationId)
    .select('id')
    .where('form', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return 0
  const found = await readWhole(db, organisationId, { id: first.id, limit: batch + 1 })
  const former = await findFormer(db, organisationId, first.id)
  const events = untilBreak(untilOther(found).slice(0, batch), former, await readBridges(db, organisationId))
  const last = events.at(-1)
  if (last === undefined) return 0
  // From now on the first of them builds on the hash that the one before it has.
  if (former !== null) await db.deleteFrom('auditBridge').where('eventId', '=', former.id).execute()
  let hash = former?.hash ?? null
  const erased = await findErased(db, events)
  for (const event of events)
    hash = await seal(db, event, { formerHash: hash, isKept: !peopleOf(event).some((id) => erased.has(id)) })
  // What comes after them was built on the hash that the last one had.
  if (found.length > events.length)
    await db.insertInto('auditBridge').values({ eventId: last.id, organisationId, hash: last.hash }).execute()
  return events.length
}

function untilBreak(events: readonly WholeEvent[], before: Link | null, bridges: Bridges): readonly WholeEvent[] {
  const broken = events.findIndex(
    (event, at) => !follows(event, at === 0 ? before : (events[at - 1] ?? null), bridges) || !isIntact(event),
  )
  return broken === -1 ? events : events.slice(0, broken)
}

function untilOther(found: readonly WholeEvent[]): readonly WholeEvent[] {
  const other = found.findIndex(({ form }) => form !== 1)
  return other === -1 ? found : found.slice(0, other)
}

async function findFormer(db: Db, organisationId: string | null, id: number): Promise<Link | null> {
  const former = chain(db, organisationId).select(['id', 'hash']).where('id', '<', id).orderBy('id', 'desc').limit(1)
  const found = await former.executeTakeFirst()
  if (found !== undefined) return found
  const cut = await findCut(db, organisationId)
  return cut === undefined ? null : { id: cut.throughId, hash: cut.hash }
}

interface Sealing {
  readonly formerHash: Buffer | null
  /** False: what is personal in it says who somebody was that is erased. */
  readonly isKept: boolean
}

/** Answers the hash that it has from now on. */
async function seal(db: Db, event: WholeEvent, { formerHash, isKept }: Sealing): Promise<Buffer> {
  const { id, organisationId } = event
  const { detail, personal } = sift(event.address, event.detail as Readonly<Record<string, unknown>>)
  const personalHash = personal === null ? null : personalHashOf(personal)
  const now = { ...event, at: isoTime(Date.parse(event.at)), detail, address: null, form: 2, formerHash, personalHash }
  const hash = hashOf(now)
  await db
    .updateTable('auditEvent')
    .set({ detail: JSON.stringify(detail), address: null, form: 2, formerHash, personalHash, hash })
    .where('id', '=', id)
    .execute()
  if (personal !== null && isKept) await keepPersonal(db, { eventId: id, organisationId, personal })
  return hash
}
