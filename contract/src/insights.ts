/** The provider's dashboard: what runs now, and which organisation needs help first. */
import * as z from 'zod'
import { route } from './route.ts'

export const Insight = z.object({
  ClientName: z.string(),
  ClientConnectorName: z.string(),
  ClientConnectorId: z.uuid(),
  AutomaticallyTriggeredAtUtc: z.iso.datetime().nullable(),
  ManuallyTriggeredAtUtc: z.iso.datetime().nullable(),
})
export type Insight = z.infer<typeof Insight>

const count = z.number().int().min(0)

/** An organisation's connectors at a glance. */
export const OrganisationInsight = z.object({
  Id: z.uuid(),
  CompanyName: z.string(),
  CreatedAtUtc: z.iso.datetime(),
  /** Connected ones. */
  Connectors: count,
  Running: count,
  /** The latest run failed, the source refuses the sign-in, or the target does not answer. */
  Failing: count,
  /** A run has stalled, or none has completed since the scheduled time. */
  Late: count,
  /** It has never had a connector. */
  NeverConnected: z.boolean(),
  /** Rows in the targets of its connectors. */
  Rows: count,
  /** The calls that runs have made today (UTC) to sources with a documented limit, the nearest to it first. */
  Calls: z.array(
    z.object({
      Type: z.string(),
      ConnectorName: z.string(),
      Used: count,
      Limit: count,
      Per: z.enum(['day', 'minute']),
    }),
  ),
  /** Bundles that were granted in addition to the Base ones, and how many connectors hold each. */
  Licences: z.array(z.object({ Type: z.string(), Title: z.string(), Connectors: count })),
})
export type OrganisationInsight = z.infer<typeof OrganisationInsight>

export const insights = {
  list: route({
    method: 'GET',
    path: '/tributary/connectors/insights',
    summary: 'The connectors that are running now, of every organisation the caller may see.',
    allow: 'seeInsights',
    scope: 'none',
    passive: true,
    reply: z.array(Insight),
  }),
  organisations: route({
    method: 'GET',
    path: '/tributary/insights/organisations',
    summary:
      'Every organisation that is not archived, with its failures, lateness, size, calls and licences; those that need help first.',
    allow: 'seeInsights',
    scope: 'none',
    passive: true,
    reply: z.array(OrganisationInsight),
  }),
} as const
