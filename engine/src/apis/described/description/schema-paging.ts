/** How a list of records is divided into pages. */
import * as z from 'zod'
import { pointer, text } from './schema-parts.ts'

const size = z.strictObject({ parameter: text, rows: z.number().int().min(2).max(10_000) })

export const Paging = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('nextLink'),
    at: pointer.describe('The address of the next page in the reply. An empty value or none: the last page.'),
    size: size.optional(),
    total: pointer.optional(),
  }),
  z.strictObject({ kind: z.literal('linkHeader'), size: size.optional() }),
  z.strictObject({
    kind: z.literal('pageNumber'),
    parameter: text,
    first: z.number().int().min(0).max(1).default(1),
    size: size
      .optional()
      .describe('Pages of different sizes show whether records move from page to page while the list is read.'),
    total: pointer.optional(),
    stable: text
      .optional()
      .describe('Why no record can move to another page while the list is read. Needed without size.'),
  }),
  z.strictObject({ kind: z.literal('offset'), parameter: text, size, total: pointer.optional() }),
  z.strictObject({
    kind: z.literal('statement'),
    parameter: text.describe('The query parameter with a statement of a query language.'),
    text: text
      .refine(
        (written) => written.includes('{position}') && written.includes('{rows}'),
        'needs {position} and {rows} where the first record and the number of records stand',
      )
      .describe('What is added to the statement for a page, such as: startposition {position} maxresults {rows}.'),
    first: z.number().int().min(0).max(1).default(1).describe('The number of the first record.'),
    rows: z.number().int().min(2).max(10_000),
  }),
  z.strictObject({
    kind: z.literal('cursor'),
    parameter: text,
    at: pointer.describe('The cursor of the next page in the reply.'),
    more: pointer.optional().describe('A boolean in the reply: whether there is another page.'),
    size: size.optional(),
  }),
  z.strictObject({
    kind: z.literal('keyset'),
    parameter: text,
    at: pointer.describe('The value in the last record of a page after which the next page begins.'),
    more: pointer.optional(),
    size,
  }),
])
export type Paging = z.infer<typeof Paging>
