/** Auditor rooms: a named outsider reads what an administrator chose, until a date. */
import * as z from 'zod'
import { AuditLogEvent } from './audit-log.ts'
import { EmailAddress } from './email.ts'
import { Id } from './id.ts'
import { auditorRoomLimits } from './limits.ts'
import { PersonName } from './name.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

const time = z.iso.datetime()
/** The first day of a month. */
const Month = z.iso.date().regex(/^[1-9]\d{3}-\d\d-01$/u)

/** The parts of the page of a room, in its order. Another one is an entry here and in `web/src/features/auditor-rooms/sections.ts`. */
export const RoomSection = z.enum([
  'tieOuts',
  'verifications',
  'closedPeriods',
  'marks',
  'certificates',
  'tables',
  'events',
])
export type RoomSection = z.infer<typeof RoomSection>

const CoveredConnector = z.object({ Id: z.uuid(), Name: z.string(), Type: z.string() })
/** A mark as reported, with its connector, of which nothing else is covered. */
const CoveredMark = z.object({ Id: z.uuid(), Name: z.string(), Connector: CoveredConnector })

export const AuditorRoom = z.object({
  Id: z.uuid(),
  FirstName: z.string(),
  LastName: z.string(),
  EmailAddress: z.string(),
  State: z.enum(['INVITED', 'OPEN', 'ENDED']),
  EndsAtUtc: time,
  EndedAtUtc: time.nullable(),
  /** Covered whole. */
  Connectors: z.array(CoveredConnector),
  /** Single marks: their views, certificates and events, whatever the months. */
  Marks: z.array(CoveredMark),
  /** First days of months; null: without a limit. They limit tie-outs, certificates, closed-period changes and marks of the covered connectors, not the rows of tables. */
  PeriodFrom: z.string().nullable(),
  PeriodTo: z.string().nullable(),
  CreatedAtUtc: time,
  CreatedBy: z.string(),
  LastLookAtUtc: time.nullable(),
})
export type AuditorRoom = z.infer<typeof AuditorRoom>

/** What the outsider sees of the room. */
export const OwnAuditorRoom = AuditorRoom.pick({
  Id: true,
  EndsAtUtc: true,
  Connectors: true,
  Marks: true,
  PeriodFrom: true,
  PeriodTo: true,
}).extend({ Sections: z.array(RoomSection) })
export type OwnAuditorRoom = z.infer<typeof OwnAuditorRoom>

export const AuditorLook = z.object({
  What: z.string(),
  /** The name of a connector, certificate or table. */
  Object: z.string().nullable(),
  /** In UTC. */
  Day: z.iso.date(),
  Looks: z.number().int(),
  LastAtUtc: time,
})
export type AuditorLook = z.infer<typeof AuditorLook>

const extent = {
  /** At most 90 days from now. */
  endsAt: time,
  /** Empty: only single marks are covered. */
  connectorIds: z.array(Id).max(auditorRoomLimits.connectorsMax),
  markIds: z.array(Id).max(auditorRoomLimits.marksMax).default([]),
  periodFrom: Month.nullable(),
  periodTo: Month.nullable(),
}
export const AuditorRoomExtent = z.strictObject(extent)
export type AuditorRoomExtent = z.infer<typeof AuditorRoomExtent>
export const NewAuditorRoom = z.strictObject({
  firstName: PersonName,
  lastName: PersonName,
  emailAddress: EmailAddress,
  ...extent,
})
export type NewAuditorRoom = z.infer<typeof NewAuditorRoom>

const path = '/tributary/clients/:clientId/auditor-rooms'
const ofRoom = { allow: 'editUsers', scope: ofClient.scope, params: ofClient.params.extend({ roomId: Id }) } as const

export const auditorRooms = {
  list: route({
    method: 'GET',
    path,
    summary: 'The auditor rooms of the organisation, open ones first.',
    allow: 'editUsers',
    ...ofClient,
    reply: z.array(AuditorRoom),
  }),
  create: route({
    method: 'POST',
    path,
    summary: 'Open a room for an outsider, who is invited by mail and needs a second factor to sign in.',
    allow: 'editUsers',
    ...ofClient,
    needsFreshProof: true,
    body: NewAuditorRoom,
    status: 201,
    reply: AuditorRoom,
    faults: ['alreadyMember', 'tooMany'],
  }),
  change: route({
    method: 'PUT',
    path: `${path}/:roomId`,
    summary: 'Change the end of a room and what it covers.',
    ...ofRoom,
    needsFreshProof: true,
    body: AuditorRoomExtent,
    reply: AuditorRoom,
    faults: ['roomEnded'],
  }),
  end: route({
    method: 'POST',
    path: `${path}/:roomId/end`,
    summary: 'End a room at once: its person is signed out and reads nothing any more.',
    ...ofRoom,
    reply: AuditorRoom,
  }),
  looks: route({
    method: 'GET',
    path: `${path}/:roomId/looks`,
    summary: 'What the person of a room looked at, by day, latest first. Downloads are in the audit log, too.',
    ...ofRoom,
    reply: z.array(AuditorLook),
  }),
  own: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/auditor-room',
    summary: 'The room of the caller. 404 for everyone who has none.',
    allow: 'seeRuns',
    ...ofClient,
    forAuditors: 'The room',
    reply: OwnAuditorRoom,
  }),
  events: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/auditor-room/events',
    summary:
      'The audit log of the connectors, marks and certificates that the caller’s room covers, latest first; the latest five hundred. Details and addresses are withheld.',
    allow: 'seeRuns',
    ...ofClient,
    forAuditors: 'Audit log',
    reply: z.array(AuditLogEvent),
  }),
} as const
