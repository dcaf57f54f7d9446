/** How a described source finds rows that were changed or deleted. */
import * as z from 'zod'
import { Paging } from './schema-paging.ts'
import { Detail, MomentParameter, name, Parameters, pathText, pointer, text } from './schema-parts.ts'

export const balances = z
  .boolean()
  .default(false)
  .describe(
    'The figures are balances at the end of a month, not movements. Each month then has those of the end of the month before, too, read at the same time: the column balance_at has start or end.',
  )

const days = z.number().int().min(1).max(3_660)

const FirstDay = z.strictObject({
  path: pathText,
  query: Parameters.optional(),
  at: pointer,
  format: z.enum(['iso', 'unixSeconds', 'unixMilliseconds', 'msDate']).default('iso'),
})
export type FirstDay = z.infer<typeof FirstDay>

export const Changes = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cursor'),
    column: name.describe('The column with the moment of the last change.'),
    from: MomentParameter.describe('The parameter with the earliest moment, which is included.'),
    to: MomentParameter.optional().describe('The parameter with the latest moment.'),
    query: Parameters.optional().describe('More parameters of a read of changes, such as the order.'),
    order: z
      .enum(['ascending', 'none'])
      .default('none')
      .describe('ascending: the API promises that the records come in the order of the column.'),
    overlapSeconds: z
      .number()
      .int()
      .min(0)
      .max(7 * 86_400)
      .default(300),
    maxAgeDays: days
      .optional()
      .describe('The API reports changes only of so many days. After a longer pause, everything is read.'),
    path: pathText
      .optional()
      .describe(
        'Where changes are read, if that is not the path of the list. The query of the list is not sent there.',
      ),
    records: pointer.optional(),
    paging: Paging.optional().describe('The paging of a read of changes, if that is not the one of the list.'),
    rowsMax: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('The API reports at most so many changes at once. If there are as many, everything is read.'),
  }),
  z.strictObject({
    kind: z.literal('windows'),
    column: name.describe('The column with the date by which windows are cut.'),
    from: MomentParameter,
    to: MomentParameter.describe('The first moment after the window.'),
    start: z.iso
      .date('is not a date')
      .describe('The day on which the first window begins. Earlier records are not read.'),
    days: days.describe('The length of a window.'),
    againDays: days.describe('How many days before the last read each run reads again.'),
    aheadDays: z.number().int().min(0).max(3_660).default(3_660).describe('How many days ahead records are dated.'),
  }),
  z.strictObject({
    kind: z.literal('feed'),
    token: pointer.describe('The token in the last reply, or the address with which changes are read from then on.'),
    parameter: text.optional().describe('The parameter that takes the token. Without it, the token is an address.'),
    expired: z
      .array(z.number().int().min(400).max(499))
      .min(1)
      .default([410])
      .describe('The statuses with which the API says that a token is too old. Then everything is read.'),
  }),
  z.strictObject({
    kind: z.literal('events'),
    path: pathText.describe('The list of events, with the paging of the stream.'),
    records: pointer,
    from: MomentParameter.describe('The parameter with the earliest moment of events, which is included.'),
    of: z
      .array(
        z.strictObject({
          query: Parameters.optional().describe('Parameters that choose the events, such as their types.'),
          ids: z
            .array(pointer)
            .min(1)
            .describe('Where the key of the record is that the event is about. An event without it is ignored.'),
        }),
      )
      .min(1),
    record: Detail.describe('Where a record is read by its key: what events say about it may be outdated.'),
    overlapSeconds: z.number().int().min(0).max(86_400).default(300),
    maxAgeDays: days.describe('Events are kept for so many days. After a longer pause, everything is read.'),
  }),
  z
    .strictObject({
      kind: z.literal('months'),
      from: MomentParameter.optional().describe('The parameter with the first day of the month.'),
      to: MomentParameter.describe('The parameter with the last day of the month, or with the day after it.'),
      toDay: z.enum(['last', 'next']).default('last').describe('next: to takes the day after the last one.'),
      first: z
        .union([FirstDay, z.array(FirstDay).min(1).max(20)])
        .describe(
          'The call that finds the date of the oldest entry, with whose month the reports begin; or several calls, of which the oldest date counts.',
        ),
      balances: balances,
    })
    .describe(
      'A report with a call for each month. The table has a row for each month, and a child table with the ending _line the rows of the report.',
    ),
])
export type Changes = z.infer<typeof Changes>

export const Deletes = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    at: pointer,
    equals: z
      .array(z.union([z.string(), z.boolean()]))
      .min(1)
      .optional()
      .describe('Without it: the member is there.'),
  }),
  z.strictObject({
    kind: z.literal('keys'),
    query: Parameters.optional().describe('More parameters of a read of keys, to have less to read.'),
  }),
  z
    .strictObject({ kind: z.literal('events') })
    .describe('Records that events name, and that are gone when they are read.'),
  z.strictObject({ kind: z.literal('never'), why: text.describe('Why records of this API are never deleted.') }),
])
export type Deletes = z.infer<typeof Deletes>
