/** The columns of a sheet in the result of a check. */
import * as z from 'zod'
import { cellKinds, columnTypes } from './column-types.ts'

/**
 * How many cells of a column are of a kind, and the first of them: `C17` and what the sheet shows there. Empty cells
 * are not counted.
 */
export const LoadKind = z.object({
  Kind: z.enum(cellKinds),
  Cells: z.number().int().min(0),
  FirstCell: z.string(),
  FirstValue: z.string(),
})
export type LoadKind = z.infer<typeof LoadKind>

export const LoadColumn = z.object({
  Name: z.string(),
  /** For a new column: the type chosen when the load began, or else the type of most cells. */
  Type: z.enum(columnTypes),
  /** This load adds the column or widens its type. */
  IsNew: z.boolean(),
  IsWidened: z.boolean(),
  Kinds: z.array(LoadKind),
})
export type LoadColumn = z.infer<typeof LoadColumn>
