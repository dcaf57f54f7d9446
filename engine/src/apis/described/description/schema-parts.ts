/** Values that several parts of a source description have. */
import * as z from 'zod'

export const text = z.string().min(1, 'is empty').max(2_000)

/** Values are looked up by names, and every object of JavaScript has members such as `constructor`. */
const isFree = (written: string): boolean => !(written in Object.prototype)
const taken = 'is a name that JavaScript uses: choose another one'

/** The name of a stream, table or column. */
export const name = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,59}$/u,
    'must begin with a lower-case letter and have only lower-case letters, digits and _, at most 60',
  )
  .refine(isFree, taken)
/** Stored with licences and connectors. */
export const bundleName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/u, 'has only letters, digits and _')
  .refine(isFree, taken)
export const settingName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,39}$/u, 'must begin with a lower-case letter and have only letters and digits')
  .refine(isFree, taken)

/** RFC 6901. */
export const pointer = z
  .string()
  .max(300)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/u, 'is not a JSON Pointer, such as /data or /lines/0/id')

/** Relative to the base address, so that it can lead nowhere else. */
export const pathText = z
  .string()
  .min(1, 'is empty')
  .max(500)
  .regex(
    /^(?!\/)(?![a-z][a-z0-9+.-]*:)[^\s?#\\]*$/iu,
    'is a path relative to the base address, without / at its beginning and without ?',
  )
  .refine((path) => !path.split('/').includes('..'), 'must not lead upwards with ..')

/** Names and values of a query or of headers. A value may have {setting}. */
export const Parameters = z.record(
  z.string().min(1).max(100),
  z.union([z.string().max(1_000), z.number(), z.boolean()]),
)

export const Detail = z.strictObject({
  path: pathText.describe('The path of one record, with {column} for a value of its row in the list.'),
  query: Parameters.optional(),
  record: pointer.default('').describe('Where the record is in the reply.'),
})

/** A moment as a parameter writes it. */
export const MomentParameter = z.strictObject({
  parameter: text.describe('The name of the query parameter.'),
  format: z.enum(['iso', 'isoWithoutZone', 'isoSeconds', 'unixSeconds', 'unixMilliseconds', 'date']).default('iso'),
  template: text
    .refine((written) => written.includes('{moment}'), 'needs {moment} where the moment stands')
    .optional()
    .describe(
      'The value of the parameter around the moment, such as: Modified ge {moment}. Two bounds in one parameter follow one another.',
    ),
})
