/** What verification has found out about the tables of a source. */
import * as z from 'zod'

const time = z.iso.datetime()
const count = z.number().int().min(0)

/**
 * `proven`: checksums of all values are equal. `sampled`: counts, totals and some documents are equal. `notProvable`: the source offers
 * nothing to compare with.
 */
export const sourceVerdicts = ['proven', 'sampled', 'notProvable'] as const
export type SourceVerdict = (typeof sourceVerdicts)[number]

/**
 * `pending`: rows differ that may have changed meanwhile; the next run decides. `none`: not verified yet. `failed`: it could not be
 * verified.
 */
export const tableVerificationStates = ['identical', 'different', 'pending', 'none', 'notProvable', 'failed'] as const
export type TableVerificationState = (typeof tableVerificationStates)[number]

export const TableVerification = z.object({
  State: z.enum(tableVerificationStates),
  Method: z.enum(['checksums', 'sample']),
  /** The source was compared as it was at this time. Null before the first verification has ended. */
  CheckedAtUtc: time.nullable(),
  /** Rows that were compared. */
  Rows: count,
  /** Rows left out because the source has changed them since the last run; they are compared after the next one. */
  NewerRows: count,
  /** Rows that differ and are not repaired. */
  Differences: count,
  /** Columns that were compared row by row, because no checksum of both databases covers them. */
  ColumnsRowByRow: count,
  /** When the table was last found identical. */
  ProvenAtUtc: time.nullable(),
  /** For people: what could not be compared, and why. */
  Notice: z.string().nullable(),
})
export type TableVerification = z.infer<typeof TableVerification>

/** What verification says about a connector as a whole. */
export const SourceVerification = z.object({
  /** Null until every table has been verified, and while rows differ. */
  Verdict: z.enum(sourceVerdicts).nullable(),
  /** Tables that hold rows of the source, and how many of them have been verified. */
  Tables: count,
  Verified: count,
  /** Tables that were not verified within seven days. One of which the source could not decide rows counts since it was last identical. */
  Overdue: count,
  /** Tables whose latest verification failed. */
  Failed: count,
  /** Tables with rows that differ, and the number of these rows. */
  Differing: count,
  Differences: count,
  /** Rows that were compared. */
  Rows: count,
  /** Rows left out because the source has changed them since the last run. */
  NewerRows: count,
  /** The oldest of the latest verifications: every table has been verified since. */
  CheckedAtUtc: time.nullable(),
})
export type SourceVerification = z.infer<typeof SourceVerification>
