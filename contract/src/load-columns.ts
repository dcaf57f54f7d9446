/** The columns of a sheet as a check shows them. */
import * as z from 'zod'
import { cellKinds, columnTypes } from './column-types.ts'

/** How many cells of a column are of a kind, and the first of them: `C17` and what the sheet shows there. Empty cells are not counted. */
export const LoadKind = z.object({
  Kind: z.enum(cellKinds),
  Cells: z.number().int().min(0),
  FirstCell: z.string(),
  FirstValue: z.string(),
})
export type LoadKind = z.infer<typeof LoadKind>

export const LoadColumn = z.object({
  Name: z.string(),
  /** Of a new column: what was chosen when the load was begun, else the type of most of its cells. */
  Type: z.enum(columnTypes),
  /** The table gets it with this load, or its type is widened by it. */
  IsNew: z.boolean(),
  IsWidened: z.boolean(),
  Kinds: z.array(LoadKind),
})
export type LoadColumn = z.infer<typeof LoadColumn>
