/** Trust: for each source of an organisation, whether its rows are proven to agree with it, and what has changed since it was reported. */
import * as z from 'zod'
import { connectorStates } from './overview.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'
import { SourceVerification } from './verification-state.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

/**
 * By the latest comparison with the source's own report, and by the verification of its tables. `differs`: figures or rows differ. `unknown`:
 * one of them failed. `outdated`: a table was not verified within seven days. `unproven`: not every table was verified yet, or the next
 * run decides about one. `notProvable`, `sampled` and `proven`: what the verification found, and the report agrees if there is one. In
 * the order of urgency.
 */
export const trustVerdicts = ['differs', 'unknown', 'outdated', 'unproven', 'notProvable', 'sampled', 'proven'] as const
export type TrustVerdict = (typeof trustVerdicts)[number]

export const TrustSource = z.object({
  ConnectorId: z.uuid(),
  Name: z.string(),
  Type: z.string(),
  Verdict: z.enum(trustVerdicts),
  /** For people: why the comparison failed, or differs. */
  Notice: z.string().nullable(),
  /** The latest comparison. */
  ComparedAtUtc: time.nullable(),
  /**
   * Since when the verdict is known: the older one of the comparison and of the verification that was longest ago. Null if the source is
   * neither proven nor sampled.
   */
  ProvenAtUtc: time.nullable(),
  /** Figures that differ in the latest comparison. */
  Differences: count,
  /** Tables of which a filter leaves out rows, so that nothing is said about those. */
  FilteredTables: count,
  /** Of its tables. */
  Verification: SourceVerification,
  /** The worst problem of its runs. */
  State: z.enum(connectorStates),
  /** The start of the latest completed run of all tables: the rows are as new as the source was then. */
  FreshAtUtc: time.nullable(),
  WatchesClosedPeriods: z.boolean(),
  /** Documents up to this day are closed by lock dates or an administrator. */
  ClosedThrough: z.iso.date().nullable(),
  /** Changes in closed periods that are not acknowledged. */
  ClosedPeriodChanges: count,
  /** The first days of the closed months that these changes are in, the earliest first. */
  ChangedPeriods: z.array(z.iso.date()),
  /** The cut-off of the run that published views show. Null: not published. */
  PublishedMomentUtc: time.nullable(),
  /** Since when published views stay, because a run of this or another connector does not satisfy their rule. */
  PublicationStaysSinceUtc: time.nullable(),
  /** For people: why the latest run of this connector is not published. Null: it could be. */
  PublicationHeldBecause: z.string().nullable(),
  /** What was marked as reported and is not superseded, the latest period first. */
  Marks: z.array(z.object({ Id: z.uuid(), Name: z.string(), PeriodEnd: z.iso.date(), CreatedAtUtc: time })),
})
export type TrustSource = z.infer<typeof TrustSource>

/** Without figures, so guests receive it whole. Sources that another organisation shares are left out. */
export const Trust = z.object({
  /** Those that need a person first, then by name. */
  Sources: z.array(TrustSource),
})
export type Trust = z.infer<typeof Trust>

export const trust = {
  read: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/trust',
    tokenScopes: ['status.read'],
    summary:
      'For each source that the caller may see: whether its rows are proven to agree with it, and what changed in closed periods.',
    allow: 'seeRuns',
    ...ofClient,
    passive: true,
    reply: Trust,
  }),
} as const
