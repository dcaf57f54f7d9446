/** Cells of a sheet in a load. */
import * as z from 'zod'

/**
 * A cell of the sheet: text as a string, a number as `{n: '1234.5'}` with all its digits, a date or timestamp as
 * `{d: '2026-01-31'}` or `{d: '2026-01-31T13:05:00'}`, an error as `{e: '#REF!'}`, an empty cell as null.
 */
export const SheetCell = z.union([
  z.null(),
  z.boolean(),
  z.string().max(32_767),
  z.strictObject({
    n: z
      .string()
      .regex(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u)
      .max(400),
  }),
  z.strictObject({ d: z.string().regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)?$/u) }),
  z.strictObject({ e: z.string().max(50) }),
])
export type SheetCell = z.infer<typeof SheetCell>
