/** Descriptions of sources that customers write. */
import * as z from 'zod'
import { descriptionMax } from './limits.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

/** Without problems, `Hosts` has what the provider is to approve, and `Tables` what a run moves. */
export const CheckedDescription = z.object({
  Problems: z.array(z.object({ Line: z.number().int(), Column: z.number().int(), Message: z.string() })),
  Hosts: z.array(z.string()),
  Tables: z.array(z.string()),
})
export type CheckedDescription = z.infer<typeof CheckedDescription>

export const sourceDescriptions = {
  check: route({
    method: 'POST',
    path: '/tributary/clients/:clientId/connectors/check-description',
    summary: 'The problems of a description of a REST API, with line and column; or what it calls and reads.',
    allow: 'addConnector',
    ...ofClient,
    body: z.strictObject({ description: z.string().max(descriptionMax) }),
    reply: CheckedDescription,
    faults: ['tooMany'],
  }),
} as const
