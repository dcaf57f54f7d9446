/** *Ready by*: the times by which the rows of connectors must be ready, the starts that are planned for them, and what came of them. */
import * as z from 'zod'
import { readyByLimits } from './limits.ts'
import { route } from './route.ts'
import { ofClient, ofConnector } from './route-parts.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

/** Why a promise cannot be kept, as far as it is known before. */
export const promiseObstacles = [
  'tooLong',
  'sourceRate',
  'allowance',
  'organisationShare',
  'workers',
  'signIn',
  'awaitsApproval',
  'targetDown',
  'schedulesOff',
] as const
export type PromiseObstacle = (typeof promiseObstacles)[number]

/** Why a promise was missed: an obstacle, or what happened to the run. */
export const missReasons = [
  ...promiseObstacles,
  'runFailed',
  'runCancelled',
  'tookLonger',
  'startedLate',
  'notStarted',
] as const
export type MissReason = (typeof missReasons)[number]

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, 'must be a time such as 07:30')

/** On the clock of the organisation. Public holidays are days like others. */
export const ReadyByWish = z.object({
  Time: z.string(),
  /** 1 is Monday, 7 is Sunday. */
  Days: z.array(z.number().int()),
  /** A run that began longer before the promised time does not keep the promise. */
  MaxAgeHours: z.number().int(),
})
export type ReadyByWish = z.infer<typeof ReadyByWish>

const wish = z.strictObject({
  time: clockTime,
  days: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  maxAgeHours: z.number().int().min(1).max(readyByLimits.maxAgeHoursMax),
})

export const NextPromise = z.object({
  DueAtUtc: time,
  /** Null: a run has begun, or none can be planned. */
  StartAtUtc: time.nullable(),
  /** When the run began that is to keep the promise. */
  StartedAtUtc: time.nullable(),
  RunId: z.uuid().nullable(),
  /** Why it will be missed; null if it will be kept. */
  Obstacle: z.enum(promiseObstacles).nullable(),
  Notice: z.string().nullable(),
})
export type NextPromise = z.infer<typeof NextPromise>

/** Of the last 30 days. */
export const PromiseCounts = z.object({ Kept: count, Missed: count })
export type PromiseCounts = z.infer<typeof PromiseCounts>

export const MissedPromise = z.object({
  DueAtUtc: time,
  /** When the rows were ready after all; null if a run has not completed since. */
  ReadyAtUtc: time.nullable(),
  Reason: z.enum(missReasons),
  Notice: z.string().nullable(),
  RunId: z.uuid().nullable(),
})
export type MissedPromise = z.infer<typeof MissedPromise>

/** `own`: the connector has a wish. `organisation`: that of its organisation applies. `none`: it does not follow it. */
export const wishSources = ['own', 'organisation', 'none'] as const

export const ConnectorReadyBy = z.object({
  Follows: z.enum(wishSources),
  /** The wish that applies; null without a wish. */
  Wish: ReadyByWish.nullable(),
  /** The wish of the organisation, whether it applies or not. */
  OrganisationWish: ReadyByWish.nullable(),
  TimeZone: z.string(),
  Next: NextPromise.nullable(),
  Counts: PromiseCounts,
  /** The latest first. */
  Missed: z.array(MissedPromise),
})
export type ConnectorReadyBy = z.infer<typeof ConnectorReadyBy>

export const ReadyByConnector = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Type: z.string(),
  Next: NextPromise.nullable(),
  Counts: PromiseCounts,
})
export type ReadyByConnector = z.infer<typeof ReadyByConnector>

export const OrganisationReadyBy = z.object({
  Wish: ReadyByWish.nullable(),
  TimeZone: z.string(),
  /** Of the connectors that the caller may see. */
  Counts: PromiseCounts,
  /** How many promises were missed for each reason. */
  Reasons: z.array(z.object({ Reason: z.enum(missReasons), Missed: count })),
  /** The connectors with a promise that the caller may see: first those that will miss it, then by name. */
  Connectors: z.array(ReadyByConnector),
})
export type OrganisationReadyBy = z.infer<typeof OrganisationReadyBy>

const connectorPath = '/tributary/clients/:clientId/connectors/:connectorId/ready-by'
const organisationPath = '/tributary/clients/:clientId/ready-by'

export const readyBy = {
  read: route({
    method: 'GET',
    path: connectorPath,
    tokenScopes: ['status.read'],
    summary:
      'By when the rows of the connector must be ready, the start that is planned, why it will be missed if so, and how many promises were kept and missed in 30 days.',
    allow: 'seeRuns',
    ...ofConnector,
    passive: true,
    reply: ConnectorReadyBy,
  }),
  save: route({
    method: 'PUT',
    path: connectorPath,
    tokenScopes: ['administer'],
    summary:
      'Give the connector a wish, let it follow that of its organisation, or neither. Its next start is planned at once.',
    allow: 'editConnector',
    ...ofConnector,
    body: z.discriminatedUnion('follows', [
      z.strictObject({ follows: z.literal('own'), wish }),
      z.strictObject({ follows: z.literal('organisation') }),
      z.strictObject({ follows: z.literal('none') }),
    ]),
    reply: ConnectorReadyBy,
  }),
  readOrganisation: route({
    method: 'GET',
    path: organisationPath,
    tokenScopes: ['status.read'],
    summary:
      'By when the rows of the organisation must be ready, its connectors with their next promise, and how many promises were kept and missed in 30 days, with reasons.',
    allow: 'listConnectors',
    ...ofClient,
    passive: true,
    reply: OrganisationReadyBy,
  }),
  saveOrganisation: route({
    method: 'PUT',
    path: organisationPath,
    tokenScopes: ['administer'],
    summary:
      'Say by when the rows of all connectors without a wish must be ready, or null for no time. Starts are planned at once.',
    allow: 'editOrganisation',
    ...ofClient,
    body: z.strictObject({ wish: wish.nullable() }),
    reply: OrganisationReadyBy,
  }),
} as const
