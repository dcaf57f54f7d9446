/** The form of a description with the engine `odata`: which entity sets of a service are read, and how. Their columns come from `$metadata`. */
import * as z from 'zod'
import { balances } from './schema-changes.ts'
import { ColumnType, descriptionParts } from './schema.ts'
import { bundleName, name, pathText, settingName, text } from './schema-parts.ts'

/** The name of an entity set or property, as the metadata have it. */
const edmName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.]{0,127}$/u, 'is not the name of an entity set or property of OData')
const edmNames = z.array(edmName).min(1)

const Service = z.strictObject({
  literals: z
    .enum(['v3', 'v4'])
    .default('v4')
    .describe("How $filter writes dates and ids: v3 as datetime'2026-01-31T00:00:00', v4 as 2026-01-31T00:00:00Z."),
  metadata: pathText
    .default('$metadata')
    .describe('Where the metadata are. With {company}: every company has metadata, with fields that it has added.'),
})

const ODataPaging = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('nextLink'),
    count: z
      .boolean()
      .default(false)
      .describe('The service counts the rows with each page, so that a shrinking list is noticed.'),
  }),
  z.strictObject({
    kind: z.literal('offset'),
    rows: z.number().int().min(2).max(10_000),
    count: z.boolean().default(false),
  }),
  z.strictObject({
    kind: z.literal('keyset'),
    rows: z
      .number()
      .int()
      .min(2)
      .max(10_000)
      .describe('Pages by the last key. Only for sets whose key is one property.'),
  }),
])

const Companies = z.strictObject({
  set: edmName.describe('The entity set that lists the companies which the login sees.'),
  id: edmName,
  name: edmName,
  path: pathText
    .refine((path) => path.includes('{company}'), 'needs {company}')
    .describe('The path below which the sets of a company are.'),
  column: name.default('company_id').describe('The column of every table with the company of the row.'),
  type: ColumnType.default('text').describe('The type of that column.'),
  setting: settingName.optional().describe('The setting, a list, that chooses companies by id or name. Empty: all.'),
  inUser: z
    .strictObject({ setting: settingName, pattern: text.describe('A regular expression. Its first group is the id.') })
    .optional()
    .describe('A user name may have the company in it, which is chosen unless the setting chooses others.'),
  most: z.number().int().min(1).max(1_000).default(25).describe('With more companies than these, some must be chosen.'),
})

const Tables = z.strictObject({
  setting: settingName.describe('The setting, a list, that chooses sets. Empty: those of the description; *: all.'),
})

const Names = z.strictObject({
  suffix: text.optional().describe('The ending of the names of sets that the names of tables leave out.'),
  ownFields: text
    .optional()
    .describe('The ending of a set that has the same rows as another one, and fields that the customer has added.'),
})

const Keys = z.strictObject({
  preferred: edmNames.optional().describe('Properties, each of which identifies the rows of every set that has it.'),
  areUnique: z
    .boolean()
    .default(true)
    .describe('false: rows with the same key occur. They are numbered in the column occurrence, so that none is lost.'),
})

const Types = z.strictObject({
  days: edmNames.optional().describe('Moments that are days, because the service writes them with midnight.'),
  amounts: edmNames.optional().describe('Texts that are amounts, and become decimals.'),
  bigints: edmNames.optional().describe('Whole numbers that outgrow their declared type.'),
  numbers: z
    .enum(['plain', 'grouped'])
    .default('plain')
    .describe(
      'grouped: numbers can be texts with separators, such as 1.250,50. The last separator is the decimal mark.',
    ),
  moments: z
    .enum(['declared', 'local'])
    .default('declared')
    .describe('local: the offset of a DateTimeOffset is not that of its time, which is moved as it is written.'),
  zone: text.optional().describe('The time zone of moments without an offset. Without it: they are moved as written.'),
})

const days = z.number().int().min(1).max(3_660)

const SetChanges = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cursor'),
    property: edmName.describe('The moment of the last change of a row.'),
    overlapSeconds: z
      .number()
      .int()
      .min(0)
      .max(7 * 86_400)
      .default(300),
    maxAgeDays: days.optional(),
  }),
  z.strictObject({
    kind: z.literal('windows'),
    property: edmName.describe('The date of a row, by which it is read.'),
    againDays: days.describe('How many days before the last read each run reads again.'),
    growing: z
      .strictObject({
        property: edmName,
        overlap: z.number().int().min(0).max(100_000).describe('How many numbers before the last one are read again.'),
      })
      .optional()
      .describe('A number that is higher in rows that were added later, whatever their date.'),
  }),
  z.strictObject({
    kind: z.literal('feed'),
    expired: z.array(z.number().int().min(400).max(499)).min(1).default([410]),
  }),
  z
    .strictObject({
      kind: z.literal('months'),
      property: edmName.describe('The date that a condition of each read limits to a month.'),
      first: z
        .strictObject({ set: edmName, property: edmName })
        .describe('The set and the date of which the oldest row decides with which month the reports begin.'),
      balances: balances,
    })
    .describe(
      'A report with a read for each month. The table has a row for each month, and a child table with the ending _line the rows of the report.',
    ),
])

const SetDeletes = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    property: edmName,
    equals: z.array(z.union([z.string(), z.boolean()])).min(1),
  }),
  z.strictObject({ kind: z.literal('keys') }),
  z.strictObject({ kind: z.literal('never'), why: text }),
])

const EntitySet = z.strictObject({
  bundle: bundleName.optional(),
  table: name.optional().describe('The name of the table. Without it: the name of the set in lower case.'),
  key: edmNames.optional().describe('The properties that identify a row, if the metadata declare no key.'),
  leaveOut: edmNames.optional().describe('Properties without a column.'),
  select: z.boolean().default(false).describe('Only the properties with a column are asked for.'),
  expand: edmNames
    .optional()
    .describe('Navigation properties that are lists. Each is read with its row, as a child table.'),
  filter: text.optional().describe('A condition of every read, such as: Status ne 1.'),
  rest: name.optional().describe('A JSON column for members of rows that the metadata do not declare.'),
  changes: SetChanges.optional().describe('How changed rows are found. Without it: every run reads the whole set.'),
  deletes: SetDeletes.optional().describe('How deleted rows are found. Without it: all keys are compared once a day.'),
})

const Texts = z.record(z.string(), z.string())
const TableTexts = z.strictObject({ about: text, columns: Texts.optional(), references: Texts.optional() })

export const ODataDescription = z.strictObject({
  ...descriptionParts,
  engine: z.literal('odata'),
  service: Service.prefault({}),
  paging: ODataPaging.default({ kind: 'nextLink', count: false }),
  companies: Companies.optional(),
  tables: Tables.optional(),
  names: Names.default({}),
  keys: Keys.prefault({}),
  types: Types.prefault({}),
  sets: z.record(edmName, EntitySet),
  others: z
    .strictObject({
      read: z.enum(['always', 'chosen', 'never']).describe('chosen: only if the setting of the tables names them.'),
      except: edmNames.optional(),
      bundle: bundleName.optional(),
    })
    .default({ read: 'never' })
    .describe('Entity sets of the metadata that sets does not have.'),
  dictionary: z
    .strictObject({
      tables: z.record(name, TableTexts).default({}),
      columns: Texts.default({}).describe('Columns of any table. # stands for a number, {n} for the same one.'),
      references: Texts.default({}).describe('table.column by column.'),
    })
    .prefault({})
    .describe('What tables and columns mean.'),
})
export type ODataDescription = z.infer<typeof ODataDescription>
export type ODataPaging = ODataDescription['paging']
export type EntitySetDescription = z.infer<typeof EntitySet>
export type WindowSettings = z.infer<typeof SetChanges> & { readonly kind: 'windows' }
export type MonthSettings = z.infer<typeof SetChanges> & { readonly kind: 'months' }
export type CursorSettings = z.infer<typeof SetChanges> & { readonly kind: 'cursor' }
