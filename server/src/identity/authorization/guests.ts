/** Connectors that an organisation shares with others, and how much of an answer those may read. */
import type { Db } from '../../kernel/store/store.ts'

/** Across: the organisation that shares this connector with that one, null where none does. An archived one shares nothing, and nothing is shared with it. */
export async function findOwner(db: Db, connectorId: string, guestId: string): Promise<string | null> {
  const found = await shares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', '=', guestId)
    .executeTakeFirst()
  return found?.organisationId ?? null
}

/** Across: those of the organisations that the connector is shared with. */
export async function guestsAmong(db: Db, connectorId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await shares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', 'in', [...ids])
    .orderBy('guestId')
    .execute()
  return rows.map(({ guestId }) => guestId)
}

function shares(db: Db) {
  return db
    .selectFrom('connectorShare')
    .innerJoin('organisation', 'organisation.id', 'connectorShare.organisationId')
    .innerJoin('organisation as guest', 'guest.id', 'connectorShare.guestId')
    .select(['connectorShare.organisationId', 'connectorShare.guestId'])
    .where('organisation.archivedAt', 'is', null)
    .where('guest.archivedAt', 'is', null)
}

/**
 * What a guest reads in place of what is the owner's alone: settings, people, and sentences that may name a server. By the
 * name of the field and wherever it stands, so that no answer can forget it.
 */
const instead: { readonly [field: string]: unknown } = {
  properties: [],
  triggeredBy: null,
  decidedBy: null,
  lines: [],
  card: null,
  deliveries: [],
  tieOut: null,
}
const sentences = new Set(['notice', 'fault'])
const untold = 'Whoever shares this connector sees what went wrong.'

export function seenByGuest<T>(answer: T): T {
  return guestView(answer) as T
}

function guestView(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(guestView)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]): [string, unknown] => {
      if (Object.hasOwn(instead, name)) return [name, instead[name]]
      if (sentences.has(name)) return [name, part === null ? null : untold]
      return [name, guestView(part)]
    }),
  )
}
