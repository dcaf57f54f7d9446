/** The request that begins a load. */
import * as z from 'zod'
import { columnTypes } from './column-types.ts'
import { Id } from './id.ts'
import { nameMax, sheetColumnsMax } from './limits.ts'

/** The client that a load or undo comes from. */
export const LoadSource = z.enum(['portal', 'addin'])

const name = z.string().normalize('NFC').trim().max(nameMax)
/** The request that begins a load: the table, the origin of the sheet, and the values that all rows share. */
export const BeginLoad = z.strictObject({
  comOrganisationId: Id.optional(),
  /** One of the two. */
  versionId: Id.optional(),
  helperTableId: Id.optional(),
  source: LoadSource,
  workbook: z.string().max(260),
  sheet: z.string().max(100),
  /** The cell of the first heading: `1` and `1` for A1. */
  firstRow: z.number().int().min(1).max(1_048_576).default(1),
  firstColumn: z.number().int().min(1).max(16_384).default(1),
  columns: z.array(name).min(1).max(sheetColumnsMax),
  /** Types of columns that are new to the table. By default a new column gets the type of most of its cells. */
  types: z
    .array(z.strictObject({ column: name, type: z.enum(columnTypes) }))
    .max(sheetColumnsMax)
    .optional(),
  /** Names for which the sheet has no column. */
  entity: name.optional(),
  area: name.optional(),
  subarea: name.optional(),
  milestone: name.optional(),
  /** Instead of chunks: a sheet of an uploaded file. */
  fileId: Id.optional(),
})
