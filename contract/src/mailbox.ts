/** The mailbox of a trial: emails that would have been sent. */
import * as z from 'zod'
import { route } from './route.ts'
import { forVisitors } from './route-parts.ts'

export const Mail = z.object({
  Id: z.uuid(),
  To: z.string(),
  Subject: z.string(),
  Text: z.string(),
  Html: z.string(),
  CreatedAtUtc: z.string(),
})
export type Mail = z.infer<typeof Mail>

export const mailbox = {
  list: route({
    method: 'GET',
    path: '/mailbox',
    summary: 'In a trial: every mail that was sent, newest first. Not available otherwise.',
    ...forVisitors,
    reply: z.array(Mail),
  }),
} as const
