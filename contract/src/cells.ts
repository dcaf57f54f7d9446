/** Cells of a sheet, as a load carries them. */
import * as z from 'zod'

/**
 * A cell as it was in the sheet: text as text, a number as `{n: '1234.5'}` (every digit that the sheet holds), a day or a moment as
 * `{d: '2026-01-31'}` or `{d: '2026-01-31T13:05:00'}`, an error of the sheet as `{e: '#REF!'}`, empty as null.
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
