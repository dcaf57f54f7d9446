/** Which tables of a source are its ledger, and which report its rows must add up to. */
import * as z from 'zod'
import { MomentParameter, name, text } from './schema-parts.ts'

/** A column of the engine `rest`, or a property of the engine `odata`. */
const field = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.]{0,127}$/u, 'is not the name of a column or property')
  .describe('A column (engine rest) or a property (engine odata) of the table, or of its parent.')
const stream = text.describe('The name of a stream (engine rest) or of an entity set (engine odata).')
const table = name.optional().describe('A child table of the stream. Without it: the table of the stream itself.')

const amounts = {
  amount: field.optional().describe('The amount in the currency of the company, debit positive.'),
  debit: field.optional().describe('Instead of amount: the amount of a debit.'),
  credit: field.optional().describe('Instead of amount: the amount of a credit, positive.'),
}

/** Written into SQL, therefore without quotes. */
const plainValue = z.string().regex(/^[\w .-]{1,60}$/u, 'has only letters, digits, blanks, dots, - and _')
const only = z
  .strictObject({ column: field, equals: z.array(plainValue).min(1) })
  .optional()
  .describe('Only rows with one of these values count. Upper and lower case are the same.')

const period = z
  .strictObject({ year: field, number: field })
  .optional()
  .describe('With periods: the period that it counts for, which need not be that of its date.')

const Entries = z.strictObject({
  stream,
  table,
  date: field.describe('The day for which the entry counts.'),
  period,
  account: field.describe('What identifies the account, as id of accounts.'),
  ...amounts,
  only,
  document: z.strictObject({
    id: field.describe('What identifies the document that the entry is a part of.'),
    kind: field.optional().describe('What kind of document it is. Without it: Entry.'),
    number: field.optional(),
    contact: field.optional(),
  }),
  again: z
    .strictObject({ from: MomentParameter, to: MomentParameter.describe('The last day that is included.') })
    .optional()
    .describe(
      'Engine rest: the parameters that read the entries of some days, so that months that differ are read again. A service of the engine odata needs none.',
    ),
})

export const TieOut = z.strictObject({
  company: z
    .strictObject({ stream, table, name: field, currency: field.optional() })
    .optional()
    .describe('Name and base currency of the company. Without it: the title of the source.'),
  accounts: z.strictObject({ stream, table, id: field, code: field.optional(), name: field }),
  periods: z
    .strictObject({ stream, table, year: field, number: field, start: field.describe('The first day.') })
    .optional()
    .describe(
      'If the report has periods of a year of the books instead of dates: the table of the periods. The month of a period is that of its first day. Of a period that is not listed, such as that of opening balances, it is January of the year.',
    ),
  entries: z.array(Entries).min(1).max(20),
  report: z
    .strictObject({
      stream,
      table,
      account: field.describe('What identifies the account, as id of accounts.'),
      code: field.optional().describe('For accounts that are gone.'),
      name: field.optional(),
      ...amounts,
      month: field
        .optional()
        .describe('A date within the month of the figure. Not for a stream with changes of the kind months.'),
      period,
      only,
    })
    .describe('The movement of each account in each month, as the source reports it itself.'),
  addresses: z
    .record(text, text)
    .optional()
    .describe('By kind of document: the web address of one at the source, with {id}. * stands for all other kinds.'),
})
export type TieOutDescription = z.infer<typeof TieOut>
export type PeriodDescription = NonNullable<EntriesDescription['period']>
export type EntriesDescription = z.infer<typeof Entries>
export type AmountsDescription = Pick<EntriesDescription, 'amount' | 'debit' | 'credit'>
