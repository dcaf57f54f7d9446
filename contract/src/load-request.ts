/** The request that begins a load. */
import * as z from 'zod'
import { columnTypes } from './column-types.ts'
import { Id } from './id.ts'
import { nameMax, sheetColumnsMax } from './limits.ts'

/** Where somebody loads from, or undoes. */
export const LoadSource = z.enum(['portal', 'addin'])

const name = z.string().normalize('NFC').trim().max(nameMax)
/** What a load is begun with: its table, where its sheet is from, and what all of its rows belong to. */
export const BeginLoad = z.strictObject({
  comOrganisationId: Id.optional(),
  /** One of the two. */
  versionId: Id.optional(),
  helperTableId: Id.optional(),
  source: LoadSource,
  workbook: z.string().max(260),
  sheet: z.string().max(100),
  /** Where the heading stands: `1` and `1` for A1. */
  firstRow: z.number().int().min(1).max(1_048_576).default(1),
  firstColumn: z.number().int().min(1).max(16_384).default(1),
  columns: z.array(name).min(1).max(sheetColumnsMax),
  /** Chosen for columns that are new to the table. Without a choice a new column gets the type that most of its cells have. */
  types: z
    .array(z.strictObject({ column: name, type: z.enum(columnTypes) }))
    .max(sheetColumnsMax)
    .optional(),
  /** For what the sheet has no column. Names. */
  entity: name.optional(),
  area: name.optional(),
  subarea: name.optional(),
  milestone: name.optional(),
  /** Instead of chunks: a sheet of a file that was read before. */
  fileId: Id.optional(),
})
