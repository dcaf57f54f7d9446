/** The form of a source description: one YAML file that says how to read a REST or OData API. It is data: nothing in it is executed. */
import * as z from 'zod'
import { columnTypeWords, parseColumnType } from './column-type.ts'
import { Changes, Deletes } from './schema-changes.ts'
import { Paging } from './schema-paging.ts'
import { bundleName, Detail, name, Parameters, pathText, pointer, settingName, text } from './schema-parts.ts'
import { SignIn } from './schema-sign-in.ts'
import { TieOut } from './schema-tie-out.ts'

export const ColumnType = z
  .string()
  .refine((written) => parseColumnType(written) !== null, { error: `is not a type: write ${columnTypeWords}` })

/** How the API writes a date or a moment. `iso` is the default. */
export const dateFormats = ['iso', 'unixSeconds', 'unixMilliseconds', 'msDate'] as const

const reference = text.regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/u, 'is written as table.column')

const FullColumn = z.strictObject({
  type: ColumnType,
  at: pointer
    .optional()
    .describe('Where the value is in the record. Without it: the member with the name of the column.'),
  format: z
    .enum(dateFormats)
    .optional()
    .describe(
      'How the API writes dates and moments: iso (2026-01-31T13:05:00Z), unixSeconds, unixMilliseconds or msDate (/Date(1769864700000)/).',
    ),
  zone: text
    .optional()
    .describe('The time zone of moments that the API writes without one, such as Europe/Copenhagen. Without it: UTC.'),
  map: name.optional().describe('A map of the source, which replaces the values of the API by others.'),
  absent: text.optional().describe('What the API means by leaving the value out, such as false. Without it: no value.'),
  about: text.optional().describe('What the values mean, for the dictionary.'),
  refersTo: reference.optional(),
})
const Column = z.union([ColumnType, FullColumn])
const Columns = z.record(name, Column).refine((columns) => Object.keys(columns).length > 0, 'has no column')

const Child = z.strictObject({
  records: pointer.describe('The list in the record of the parent.'),
  key: z
    .array(name)
    .min(1)
    .optional()
    .describe('The columns that identify a row within its parent. Without it: its position, in the column ordinal.'),
  columns: Columns,
  continued: z
    .strictObject({
      when: pointer.describe('A boolean in the record of the parent: whether its list has only the first rows.'),
      path: pathText.describe('Where the whole list is read, with {column} for a value of the row of the parent.'),
      query: Parameters.optional().describe('A value may have {column}, too.'),
      records: pointer,
      paging: Paging.optional(),
    })
    .optional(),
  about: text.optional(),
})

const Grid = z
  .strictObject({
    columns: pointer.describe('The list of the columns in the reply.'),
    name: pointer.describe('The name of a column, in the column.'),
    cells: pointer.describe(
      'The list of the cells of a row, in the order of the columns. A row without it only has rows below it.',
    ),
    rows: pointer.optional().describe('The list of the rows below a row, in the row.'),
    needs: z
      .array(pointer)
      .min(1)
      .optional()
      .describe('Values that a record must have. Rows without them, such as balances carried forward, are left out.'),
  })
  .describe(
    'The records are rows of a report. Each becomes an object that has the cells by the names of their columns.',
  )

const Stream = z.strictObject({
  path: pathText,
  query: Parameters.optional(),
  records: pointer.describe('The list of records in a reply. An empty text: the reply itself is the list.'),
  grid: Grid.optional(),
  follow: z
    .array(pointer)
    .min(1)
    .max(3)
    .optional()
    .describe(
      'Where the records of the list have the address of another list. Its records, or those of the last of several such lists, are the rows; only it gets the query.',
    ),
  paging: Paging.optional(),
  key: z.array(name).describe('The columns that identify a row. Empty: every run replaces the table.'),
  columns: Columns,
  children: z.record(name, Child).optional(),
  detail: Detail.optional(),
  rest: name.optional().describe('A JSON column for the members that no column has.'),
  changes: Changes.optional().describe('How rows that changed are found. Without it: every run reads the whole list.'),
  deletes: Deletes.optional().describe('How rows that were deleted are found. Needed with changes.'),
  bundle: bundleName.optional(),
  about: text.optional(),
})

const Setting = z.strictObject({
  label: text,
  kind: z.enum(['text', 'secret', 'list']).default('text'),
  required: z.boolean().default(true),
  help: text.optional(),
  placeholder: text.optional(),
  pattern: text.optional().describe('A regular expression that the whole value must match.'),
  misfit: text.optional().describe('For people: what is wrong with a value that does not match, and what to enter.'),
  missing: text.optional().describe('For people: what to enter.'),
})

/** `positionGone`: the record after which a page begins was deleted, so an earlier one is named. */
export const verdicts = ['wait', 'signInAgain', 'skipRecord', 'positionGone', 'failStream', 'failRun'] as const

const ErrorRule = z.strictObject({
  status: z.array(z.number().int().min(200).max(599)).min(1),
  at: pointer.optional().describe('A value in the reply that must be one of equals.'),
  equals: z.array(text).min(1).optional(),
  verdict: z.enum(verdicts),
  code: z
    .string()
    .regex(/^[a-z][a-z_]{0,39}$/u, 'has lower-case letters and _')
    .optional()
    .describe('The code of the error in logs.'),
  notice: text.optional().describe('For people: what is wrong and what to do.'),
})

const Pace = z.strictObject({
  calls: z.number().int().min(1).max(100_000),
  seconds: z.number().int().min(1).max(86_400),
  atOnce: z.number().int().min(1).max(32).optional(),
  remainingHeader: z
    .string()
    .regex(/^[a-z0-9-]+$/u, 'is the name of a header in lower case')
    .optional(),
  pauses: z
    .array(z.number().int().min(1).max(3_600))
    .min(1)
    .max(10)
    .default([5, 15, 60])
    .describe('Seconds to wait after a refusal without Retry-After: after the first, the second and so on.'),
})

const Allowance = z.strictObject({
  calls: z.number().int().min(1),
  per: z.enum(['day', 'minute']),
  warning: z
    .strictObject({
      calls: z.number().int().min(1).describe('From so many calls of a day on, the run says so.'),
      zone: text.describe('The time zone whose midnight ends the day.'),
      notice: text.describe('What happens beyond the allowance, and what to do.'),
    })
    .optional(),
})

export const descriptionParts = {
  format: z.literal(1).describe('The version of this format.'),
  type: z.string().regex(/^[a-z][a-z0-9-]{1,39}$/u, 'has lower-case letters, digits and hyphens'),
  title: text,
  help: text.optional().describe('A sentence above the settings.'),
  needs: text.describe('What a connection needs, in one line.'),
  about: text.describe('What data it provides, in one sentence.'),
  guide: z.array(text).min(1).describe('The steps to find the settings at the source.'),
  settings: z.record(settingName, Setting).default({}),
  base: text.describe('The address that paths are relative to, with {setting} for a value of the settings.'),
  hosts: z.array(text).min(1).describe('The only hosts that are called. A leading *. stands for one more label.'),
  otherHost: text
    .optional()
    .describe('Why the hidden setting Address may name another host, such as that of an installation of the customer.'),
  signIn: SignIn,
  headers: Parameters.optional(),
  pace: Pace,
  allowance: Allowance.optional(),
  errors: z.array(ErrorRule).default([]),
  bundles: z.record(bundleName, z.strictObject({ title: text, about: text })).optional(),
  origin: z
    .array(z.strictObject({ path: pathText, at: pointer }))
    .min(1)
    .optional()
    .describe(
      'Calls with values that together identify the account. If they change, every table is read again in full.',
    ),
  tieOut: TieOut.optional().describe(
    'What the rows in the target must add up to. Each run that moves all of these tables compares them to the cent.',
  ),
}

export const RestDescription = z.strictObject({
  ...descriptionParts,
  engine: z.literal('rest'),
  paging: Paging.optional().describe('The paging of the streams that have none.'),
  check: z
    .strictObject({ path: pathText, query: Parameters.optional() })
    .describe('A cheap call that tests the connection.'),
  emptyLists: z
    .enum(['present', 'omitted'])
    .default('present')
    .describe('omitted: a reply without records has no list. What the list is a member of must still be there.'),
  maps: z
    .record(name, z.strictObject({ values: z.record(z.string(), text), otherwise: text.optional() }))
    .optional()
    .describe('Values of columns by values of the API.'),
  leaveOut: z.array(text).optional().describe('Members of records, such as links, that are left out and not reported.'),
  common: z
    .record(name, z.strictObject({ about: text, refersTo: reference.optional() }))
    .optional()
    .describe('What columns of a name mean in every table that does not describe them itself.'),
  streams: z.record(name, Stream).refine((streams) => Object.keys(streams).length > 0, 'has no stream'),
})
export type RestDescription = z.infer<typeof RestDescription>
/** What descriptions of both engines have. */
export type DescriptionParts = Pick<RestDescription, keyof typeof descriptionParts>
export type StreamDescription = z.infer<typeof Stream>
export type GridDescription = z.infer<typeof Grid>
export type ChildDescription = z.infer<typeof Child>
export type ColumnDescription = z.infer<typeof FullColumn>
export type SettingDescription = z.infer<typeof Setting>
export type ErrorRule = z.infer<typeof ErrorRule>
export type ContinuedList = NonNullable<ChildDescription['continued']>
export type DetailDescription = z.infer<typeof Detail>
/** What all tables of a source share. */
export type SharedDescription = Pick<RestDescription, 'common' | 'maps' | 'leaveOut'>
