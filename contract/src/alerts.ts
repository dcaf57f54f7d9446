/** Alerts: who is notified when a connector needs attention, once per incident and once when it is over. */
import * as z from 'zod'
import { guestView, withheldList, withheldNotice } from './guest-view.ts'
import { Id } from './id.ts'
import { route } from './route.ts'
import { ofConnector, ofConnectorOrGuest } from './route-parts.ts'

const time = z.iso.datetime()
export const webhookUrlMax = 2_000

/**
 * `Users` null: the organisation's administrators. The webhook's secret is returned once, by the call that creates it.
 */
export const Alerts = z.object({
  Users: z.array(z.uuid()).nullable(),
  Webhook: z.object({ Url: z.string(), Secret: z.string().nullable() }).nullable(),
})
export type Alerts = z.infer<typeof Alerts>

export const Incident = z.object({
  Id: z.uuid(),
  RunId: z.uuid().nullable(),
  /**
   * A kind of fault, `stalled`, `tieOut` where the rows do not add up to the source's own report, `verification` where they differ from
   * the source, or `closedPeriod`.
   */
  Kind: z.string(),
  Notice: z.string(),
  OpenedAtUtc: time,
  ClosedAtUtc: time.nullable(),
  /** Messages to the connector’s webhook and to channels of the organisation, latest first. */
  Deliveries: z.array(
    z.object({
      /** The name of the channel. Null: the connector’s webhook. */
      Channel: z.string().nullable(),
      Event: z.enum(['opened', 'recovered']),
      Status: z.enum(['WAITING', 'DELIVERED', 'FAILED']),
      AtUtc: time,
      Notice: z.string().nullable(),
    }),
  ),
})
export type Incident = z.infer<typeof Incident>
const GuestIncident = guestView(Incident, ['Id', 'RunId', 'Kind', 'OpenedAtUtc', 'ClosedAtUtc'], {
  Notice: withheldNotice,
  Deliveries: withheldList,
})

const path = '/tributary/clients/:clientId/connectors/:connectorId/alerts'

export const alerts = {
  read: route({
    method: 'GET',
    path,
    summary: 'Who is notified of this connector’s incidents.',
    allow: 'editAlerts',
    ...ofConnector,
    reply: Alerts,
  }),
  save: route({
    method: 'PUT',
    path,
    summary: 'Set who is notified. A new webhook address creates a new secret, which the reply contains.',
    allow: 'editAlerts',
    ...ofConnector,
    body: z.strictObject({
      users: z.array(Id).max(1_000).nullable(),
      webhook: z.strictObject({ url: z.url().max(webhookUrlMax) }).nullable(),
    }),
    reply: Alerts,
    faults: ['settingsWrong'],
  }),
  test: route({
    method: 'POST',
    path: `${path}/test`,
    summary: 'Send a test message to the webhook and return its response.',
    allow: 'editAlerts',
    ...ofConnector,
    reply: z.object({ Delivered: z.boolean(), Notice: z.string() }),
    faults: ['settingsWrong', 'tooMany'],
  }),
  incidents: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/connectors/:connectorId/incidents',
    tokenScopes: ['status.read'],
    summary: 'Incidents of the connector, latest first.',
    allow: 'seeRuns',
    ...ofConnectorOrGuest,
    passive: true,
    guestReply: z.array(GuestIncident),
    reply: z.array(Incident),
  }),
} as const
