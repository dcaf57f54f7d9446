/** The history of a table of the warehouse, and the moments at which its rows can be read. */
import * as z from 'zod'

/** In UTC, with up to six fractional digits: cut-offs of runs have them. */
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?Z$/u)

/** `SinceUtc`: the cut-off of the run that began it; nothing is known of before. `EndedAtUtc`: null while it is kept. */
export const DataHistory = z.object({
  /** Of the history table, in the same schema. */
  Name: z.string(),
  SinceUtc: moment,
  EndedAtUtc: moment.nullable(),
})
export type DataHistory = z.infer<typeof DataHistory>

/** `Runs`: the latest first. `AsOf`: the moment at which rows are as the run left them. `Status`: null if the run is no longer known. */
export const TableMoments = DataHistory.extend({
  Runs: z.array(z.object({ RunId: z.string(), AsOf: moment, Status: z.string().nullable() })),
})
export type TableMoments = z.infer<typeof TableMoments>

/** A moment of which rows are wanted as they were then. */
export const AsOf = moment.refine((text) => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 16) === text.slice(0, 16)
}, 'must be a date and time that exist')
