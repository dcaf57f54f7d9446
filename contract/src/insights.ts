/** The provider's dashboard: what runs now, and which organisation needs help first. */
import * as z from 'zod'
import { paging } from './paging.ts'
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

/** Those that need help, those with the most rows, or those nearest to a limit first; or by name. */
const organisationOrders = ['need', 'size', 'calls', 'name'] as const
export type OrganisationOrder = (typeof organisationOrders)[number]

const OrganisationInsightQuery = z.strictObject({
  search: z.string().max(200).optional(),
  /** Default: those that need help first. */
  order: z.enum(organisationOrders).optional(),
  ...paging,
})
export type OrganisationInsightQuery = z.infer<typeof OrganisationInsightQuery>

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
      'Organisations that are not archived, with their failures, lateness, size, calls and licences; a page of fifty by default. In an installation with more than 500, the order is some minutes old.',
    allow: 'seeInsights',
    scope: 'none',
    passive: true,
    query: OrganisationInsightQuery,
    reply: z.array(OrganisationInsight),
  }),
} as const
