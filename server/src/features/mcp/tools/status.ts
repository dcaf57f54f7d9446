import * as z from 'zod'
import { describeConnector, listSeenConnectors } from '../connectors.ts'
import { Connector, connectorId, tool } from '../tool.ts'

export const statusTool = tool({
  name: 'status',
  title: 'Status of connectors',
  description:
    'Shows the state of each connector that you may see: whether it is fresh, late, running or needs help, its last run, its schedule and the rows written today. Start here.',
  scope: 'status.read',
  input: z.strictObject({ connectorId }),
  output: z.object({
    connectors: z.array(
      Connector.extend({
        state: z
          .string()
          .describe(
            'forbidden, targetDown, failed, tieOut, changes, stalled, late, running, never, fresh or disconnected',
          ),
        freshAtUtc: z.string().nullable().describe('The rows are as new as the source was then. Null: never loaded.'),
        lateSinceUtc: z.string().nullable(),
        schedule: z.string().nullable().describe('Cron, in timeZone. Null: by hand.'),
        timeZone: z.string(),
        nextRunAtUtc: z.string().nullable(),
        lastRun: z
          .object({
            id: z.string(),
            status: z.string(),
            queuedAtUtc: z.string(),
            completedAtUtc: z.string().nullable(),
          })
          .nullable(),
        rowsToday: z.number(),
        schemaChangesToDecide: z.number(),
        tieOut: z.string().nullable().describe('The result of the latest tie-out. Null: there is none.'),
        sharedBy: z.string().nullable().describe('The organisation that shares it with yours.'),
      }),
    ),
    openIncidents: z.number(),
  }),
  async run(call, input) {
    const { connectors, incidents } = await listSeenConnectors(call, input.connectorId)
    return {
      connectors: connectors.map((seen) => {
        const { health } = seen
        const { LastRun } = health
        return {
          ...describeConnector(seen),
          state: health.State,
          freshAtUtc: health.FreshAtUtc,
          lateSinceUtc: health.LateSinceUtc,
          schedule: health.Schedule,
          timeZone: health.TimeZone,
          nextRunAtUtc: health.NextRunAtUtc,
          lastRun: LastRun && {
            id: LastRun.Id,
            status: LastRun.Status,
            queuedAtUtc: LastRun.QueuedAtUtc,
            completedAtUtc: LastRun.CompletedAtUtc,
          },
          rowsToday: health.RowsToday,
          schemaChangesToDecide: health.PendingChanges,
          tieOut: health.TieOut,
          sharedBy: health.SharedBy,
        }
      }),
      openIncidents: incidents.length,
    }
  },
})
