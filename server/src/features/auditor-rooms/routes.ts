/** Auditor rooms, for administrators and for the person of a room. */
import { auditorRooms, RoomSection } from '@tributary/contract/auditor-rooms'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { grantRoom } from '../../identity/people/auditor-rooms.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault, notFound } from '../../kernel/http/api-fault.ts'
import { roomIn } from '../../kernel/http/actor.ts'
import type { RouteCall } from '../../kernel/http/bind.ts'
import type { Db } from '../../kernel/store/store.ts'
import { endRoom } from './end-room.ts'
import { openRoom } from './open-room.ts'
import { getRoom, listCoveredEvents, listLooks, listRooms, lockRoom } from './queries.ts'
import { checkExtent } from './room-extent.ts'

export function auditorRoomRoutes(app: AppRoutes): void {
  const { services } = app
  const now = () => isoTime(services.clock.now())

  app.bindWithin(auditorRooms.list, (db, { organisationId }) => listRooms(db, organisationId, now()))

  app.bind(auditorRooms.create, async ({ auditContext, body, organisationId, store }) => {
    const roomId = await openRoom(services, auditContext, body)
    return store.within(organisationId, (db) => getRoom(db, organisationId, { roomId, now: now() }))
  })

  app.bindWithin(auditorRooms.change, (db, call) => changeRoom(services, db, call))

  app.bind(auditorRooms.end, async ({ auditContext, organisationId, params: { roomId }, store }) => {
    await endRoom(services, auditContext, roomId)
    return store.within(organisationId, (db) => getRoom(db, organisationId, { roomId, now: now() }))
  })

  app.bindWithin(auditorRooms.looks, async (db, { organisationId, params: { roomId } }) => {
    await getRoom(db, organisationId, { roomId, now: now() })
    return listLooks(db, organisationId, roomId)
  })

  app.bindWithin(auditorRooms.own, async (db, call) => {
    const { id, endsAtUtc, connectors, marks, periodFrom, periodTo } = await getOwnRoom(db, call, now())
    const sections = RoomSection.options.filter((name) => connectors.length > 0 || sectionsOfMarks.has(name))
    return { id, endsAtUtc, connectors, marks, periodFrom, periodTo, sections }
  })

  app.bindWithin(auditorRooms.events, async (db, call) => {
    return listCoveredEvents(db, call.organisationId, await getOwnRoom(db, call, now()))
  })
}

/** The sections of a room of single marks. */
const sectionsOfMarks: ReadonlySet<RoomSection> = new Set(['marks', 'certificates', 'tables', 'events'])

function getOwnRoom(
  db: Db,
  { actor, organisationId }: Pick<RouteCall<typeof auditorRooms.own>, 'actor' | 'organisationId'>,
  now: string,
) {
  const room = roomIn(actor, organisationId)
  if (room === undefined) throw notFound()
  return getRoom(db, organisationId, { roomId: room.roomId, now })
}

async function changeRoom(
  { audit, clock }: AppServices,
  db: Db,
  { auditContext, body, organisationId, params: { roomId } }: RouteCall<typeof auditorRooms.change>,
) {
  const now = isoTime(clock.now())
  const room = await lockRoom(db, organisationId, roomId)
  if (room.endedAt !== null || room.endsAt <= now) throw new ApiFault('roomEnded')
  const columns = await checkExtent(db, organisationId, body, clock.now())
  await db
    .updateTable('auditorRoom')
    .set(columns)
    .where('organisationId', '=', organisationId)
    .where('id', '=', roomId)
    .execute()
  if (room.userId !== null) await grantRoom(db, organisationId, { userId: room.userId, ...columns })
  const object = { type: 'auditor_room', id: roomId }
  await audit.record(db, auditContext, { action: 'auditor_room.changed', object, detail: { after: columns } })
  return getRoom(db, organisationId, { roomId, now })
}
