/** The calls to the API of a connector's source, against what the source allows. */
import * as z from 'zod'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'

const count = z.number().int().min(0)
/** Calls, and bytes of the bodies of their replies as transferred. */
const figures = { Calls: count, Bytes: count }

/** Days are in UTC. */
export const ConnectorUsage = z.object({
  /** What the source allows for the credentials; null if it documents no limit. */
  Limit: z.object({ Calls: count, Per: z.enum(['day', 'minute']) }).nullable(),
  /** Every day of the period, oldest first. */
  Days: z.array(z.object({ Day: z.iso.date(), ...figures })),
  /** By stream in the period, most calls first. `Name` is null for calls that belong to no stream. */
  Streams: z.array(z.object({ Name: z.string().nullable(), ...figures })),
  Month: z.object({
    /** Calls since the first of the month. */
    Used: count,
    /** Expected until the end of the month; null before seven whole days were counted. */
    Forecast: count.nullable(),
    /** What the source allows in the whole month. */
    Allowed: count.nullable(),
    /** The day after today, in this month, with the most expected calls. */
    Busiest: z.object({ Day: z.iso.date(), Calls: count }).nullable(),
  }),
  /** Today’s calls with the same credentials, by all connectors. */
  Today: z.object({
    Calls: count,
    EndsAtUtc: z.iso.datetime(),
    /** `near`: from 80 % of the day’s calls on; `used`: from 95 % on. */
    State: z.enum(['open', 'near', 'used']),
    /** The connectors that share the credentials, most calls first, at most a hundred; only for the provider’s staff. */
    Connectors: z.array(z.object({ CompanyName: z.string(), ConnectorName: z.string(), Calls: count })),
  }),
  /** The provider’s rules for sources near their limit. */
  Rules: z.object({ Wait: z.boolean(), ThinOut: z.boolean(), RefuseManual: z.boolean() }),
})
export type ConnectorUsage = z.infer<typeof ConnectorUsage>

export const usage = {
  read: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/connectors/:connectorId/usage',
    tokenScopes: ['status.read'],
    summary: 'The calls of the connector to its source by day and stream, against the limit of the source.',
    allow: 'seeRuns',
    ...ofConnector,
    passive: true,
    query: z.strictObject({ days: z.coerce.number<number>().int().min(1).max(366).default(30) }),
    reply: ConnectorUsage,
  }),
} as const
