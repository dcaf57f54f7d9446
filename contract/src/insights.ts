/** Currently running connectors, for the provider's dashboard. */
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
} as const
