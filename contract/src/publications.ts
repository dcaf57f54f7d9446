/** Publications: views that show one completed run of each connector of a set, and move forward together. */
import * as z from 'zod'
import { Id } from './id.ts'
import { publicationLimits } from './limits.ts'
import { paging } from './paging.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'
import { clientInPath } from './scope.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

/** What a tie-out must say. `amber`: agreement, or no comparison was possible. `any`: it is not demanded. */
export const tieOutDemands = ['green', 'amber', 'any'] as const
export type TieOutDemand = (typeof tieOutDemands)[number]

/**
 * `off`: the tables are not published. `waiting`: there is no publication yet. `current`: it shows the latest runs. `stays`: it shows
 * earlier runs, because the latest ones do not satisfy the rule. `ending`: it is switched off, and its views are being removed.
 */
export const publicationStates = ['off', 'waiting', 'current', 'stays', 'ending'] as const

/** What a set demands of the latest run of each connector. Each of them must have completed. */
export const PublicationRule = z.object({
  TieOut: z.enum(tieOutDemands),
  /** Every table was verified identical within so many days. Null: not demanded. */
  VerifiedWithinDays: z.number().int().min(1).nullable(),
})

export const PublicationConnector = z.object({
  ConnectorId: z.uuid(),
  Name: z.string(),
  Type: z.string(),
  IsInSet: z.boolean(),
  /** The cut-off of the published run. Null: not published. */
  MomentUtc: time.nullable(),
  RunId: z.uuid().nullable(),
  /** For people: why its latest run is not published. Null: it could be. */
  HeldBecause: z.string().nullable(),
  HeldSinceUtc: time.nullable(),
})
export type PublicationConnector = z.infer<typeof PublicationConnector>

/** One for each target database. `Id` stays the same when it is switched off and on again. */
export const PublicationSet = z.object({
  Id: z.uuid(),
  /** The target database, for people. */
  Target: z.string(),
  /** The schema of the views. Null: the database has no schemas, and their names begin with `published_`. */
  Schema: z.string().nullable(),
  State: z.enum(publicationStates),
  Rule: PublicationRule,
  /** Hours after which a connector that holds the publication back is an incident. Null: never. */
  IncidentAfterHours: z.number().int().min(1).nullable(),
  /** All that load this database, and those of the set. */
  Connectors: z.array(PublicationConnector),
  PublishedAtUtc: time.nullable(),
  /** Since when the latest runs do not satisfy the rule. */
  StaysSinceUtc: time.nullable(),
  /** For people: why the publication could not be made, although the rule is satisfied. */
  Notice: z.string().nullable(),
})
export type PublicationSet = z.infer<typeof PublicationSet>

/** A publication that was made. Without runs: publishing was switched off, and the views were removed. */
export const Publication = z.object({
  Number: z.number().int(),
  PublishedAtUtc: time,
  Notice: z.string().nullable(),
  Runs: z.array(
    z.object({
      ConnectorId: z.uuid(),
      Name: z.string(),
      RunId: z.uuid(),
      MomentUtc: time,
      /** Of the run. Null: the source has no report to compare with. */
      TieOut: z.enum(['green', 'amber', 'red']).nullable(),
      Tables: count,
      /** Tables that were identical with the source when they were verified last. */
      VerifiedTables: count,
      /** The earliest of these verifications. */
      VerifiedSinceUtc: time.nullable(),
    }),
  ),
})
export type Publication = z.infer<typeof Publication>

const path = '/tributary/clients/:clientId/publication-sets'
const ofSet = { scope: clientInPath, params: z.object({ clientId: Id, setId: Id }) }

export const publications = {
  list: route({
    tokenScopes: ['administer'],
    method: 'GET',
    path,
    summary:
      'For each target database: whether its tables are published, what published views show, and why they do not move forward.',
    allow: 'editConnector',
    ...ofClient,
    passive: true,
    reply: z.array(PublicationSet),
  }),
  save: route({
    tokenScopes: ['administer'],
    method: 'PUT',
    path: `${path}/:setId`,
    summary:
      'Publish the tables of connectors that load this database. All their tables keep history from their next runs on; the first publication follows when each has completed one.',
    allow: 'editConnector',
    ...ofSet,
    body: z.strictObject({
      connectors: z.array(Id).min(1).max(publicationLimits.connectorsMax),
      tieOut: z.enum(tieOutDemands),
      verifiedWithinDays: z.number().int().min(1).max(publicationLimits.daysMax).nullable(),
      incidentAfterHours: z.number().int().min(1).max(publicationLimits.hoursMax).nullable(),
    }),
    reply: PublicationSet,
    faults: ['settingsWrong', 'targetTablesOnly'],
  }),
  switchOff: route({
    tokenScopes: ['administer'],
    method: 'DELETE',
    path: `${path}/:setId`,
    summary: 'Switch publishing off. The views are removed; history that was kept stays.',
    allow: 'editConnector',
    ...ofSet,
    reply: PublicationSet,
  }),
  history: route({
    tokenScopes: ['administer'],
    method: 'GET',
    path: `${path}/:setId/publications`,
    summary: 'The publications that were made, latest first, with the verdicts of each run.',
    allow: 'editConnector',
    ...ofSet,
    query: z.strictObject(paging),
    passive: true,
    reply: z.array(Publication),
  }),
} as const
