/**
 * The rights of auditor rooms. A room gives a membership with an end and the assignments to its connectors, so that everything that
 * asks for memberships and assignments limits auditors, too. Of single marks it gives their views, certificates and events. What else a role may do is closed: see `Route.forAuditors`.
 */
import type { Route } from '@tributary/contract/route'
import { sql } from 'kysely'
import { isoTime } from '../../kernel/clock.ts'
import { type Actor, roomIn } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { SecurityServices } from '../../security/security-services.ts'

/** For a query that has `membership`. */
export const isMembershipOpen = sql<boolean>`(membership.expiresAt IS NULL OR membership.expiresAt > now())`

/** Applies the room of a new member, if one waits for the address. */
export async function admitAuditor(
  db: Db,
  organisationId: string,
  { userId, emailAddress }: { readonly userId: string; readonly emailAddress: string },
): Promise<void> {
  const room = await db
    .updateTable('auditorRoom')
    .set({ userId })
    .where('organisationId', '=', organisationId)
    .where(sql<boolean>`lower(emailAddress) = ${emailAddress.toLowerCase()}`)
    .where('endedAt', 'is', null)
    .returning(['endsAt', 'connectorIds'])
    .executeTakeFirst()
  if (room !== undefined) await grantRoom(db, organisationId, { userId, ...room })
}

interface RoomGrant {
  readonly userId: string
  readonly endsAt: string
  readonly connectorIds: readonly string[]
}

/** Sets the end of the membership and its connectors. The person must be a member by the room. */
export async function grantRoom(
  db: Db,
  organisationId: string,
  { userId, endsAt, connectorIds }: RoomGrant,
): Promise<void> {
  await db
    .updateTable('membership')
    .set({ expiresAt: endsAt })
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .execute()
  const assigned = db
    .deleteFrom('connectorUser')
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
  await assigned.where('connectorId', '<>', sql<string>`ALL (${[...connectorIds]}::uuid[])`).execute()
  if (connectorIds.length === 0) return
  await db
    .insertInto('connectorUser')
    .values(connectorIds.map((connectorId) => ({ organisationId, connectorId, userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isAuditor(db: Db, organisationId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('membership')
    .select('userId')
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .where('expiresAt', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Closes the room of a person who has left. */
export async function closeRoomOf(db: Db, organisationId: string, userId: string): Promise<void> {
  await db
    .updateTable('auditorRoom')
    .set({ endedAt: sql<string>`now()` })
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .execute()
}

interface LookedAt {
  readonly actor: Actor
  readonly organisationId: string
  readonly params: unknown
}

/** A page that polls, or that reads rows as it scrolls, is one look. */
const isNewLook = sql<boolean>`(auditorLook.lastAt < excluded.lastAt - interval '1 minute')`

/** Counts the looks of an auditor by what a call reads and by day. Does nothing for everyone else. */
export async function recordLook(
  { clock, store }: Pick<SecurityServices, 'clock' | 'store'>,
  { forAuditors: what }: Route,
  { actor, organisationId, params }: LookedAt,
): Promise<void> {
  const room = roomIn(actor, organisationId)
  if (room === undefined || what === undefined) return
  const lastAt = isoTime(clock.now())
  const row = { organisationId, roomId: room.roomId, what, object: objectOf(params), day: lastAt.slice(0, 10) }
  await store.within(organisationId, (db) =>
    db
      .insertInto('auditorLook')
      .values({ ...row, looks: 1, lastAt })
      .onConflict((conflict) =>
        conflict
          .columns(['roomId', 'what', 'object', 'day'])
          .doUpdateSet({ looks: sql<number>`auditorLook.looks + ${isNewLook}::int`, lastAt }),
      )
      .execute(),
  )
}

/** What the path names besides the organisation. */
function objectOf(params: unknown): string {
  const { connectorId, certificateId, schema, table } = Object(params) as Readonly<Record<string, string | undefined>>
  if (table !== undefined) return `${schema}.${table}`
  return connectorId ?? certificateId ?? ''
}
