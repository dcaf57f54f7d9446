/** How the results of verifications are named on the screens. */
import type { SourceVerdict, SourceVerification, TableVerification } from '@tributary/contract/verification-state'
import { now } from '@tributary/client/server-clock'
import { formatCount, formatMoment, formatRowCount } from '../../ui/formats.ts'

/** The verdict on a source, and what it rests on. */
export const verdictWords: Readonly<Record<SourceVerdict, { readonly label: string; readonly detail: string }>> = {
  proven: { label: 'proven', detail: 'Checksums of all values are equal in the source and in the target.' },
  sampled: {
    label: 'sampled',
    detail:
      'Counts, totals and a sample of documents that were read again are equal. The source offers no checksums of all values.',
  },
  notProvable: { label: 'not provable', detail: 'The source offers nothing that the rows could be compared with.' },
}

/** 'Verified identical 07:12, 50,271 rows', '3 rows differ', or 'Not verified yet'. */
export function describeTable(
  table: Pick<TableVerification, 'State' | 'Method' | 'CheckedAtUtc' | 'Rows' | 'NewerRows' | 'Differences'> | null,
): string {
  switch (table?.State) {
    case undefined:
    case 'none':
      return 'Not verified yet'
    case 'identical':
      return describeIdentical(table)
    case 'different':
      return describeDifferences(table.Differences)
    case 'pending':
      return 'The next run decides: rows differ that may have changed meanwhile'
    case 'notProvable':
      return 'Not provable'
    case 'failed':
      return 'Could not be verified'
  }
}

interface IdenticalRows {
  readonly Method?: TableVerification['Method']
  readonly CheckedAtUtc: string | null
  readonly Rows: number
  readonly NewerRows: number
}

function describeIdentical({ Method, CheckedAtUtc, Rows, NewerRows }: IdenticalRows): string {
  const what = Method === 'sample' ? 'Sample identical' : 'Verified identical'
  const at = CheckedAtUtc === null ? '' : ` ${formatCheckedAt(CheckedAtUtc)}`
  const newer = NewerRows === 0 ? '' : `, ${formatCount(NewerRows)} not compared yet`
  return `${what}${at}, ${formatRowCount(Rows)}${newer}`
}

function describeDifferences(rows: number): string {
  return rows === 1 ? '1 row differs' : `${formatCount(rows)} rows differ`
}

/** What verification says about a connector as a whole, in one line; null if it has no tables yet. */
export function describeSource(source: SourceVerification): string | null {
  const { Tables, Verified, Verdict, Differences, Differing, Failed } = source
  if (Tables === 0) return null
  if (Differences > 0)
    return `${describeDifferences(Differences)}${Differing === 1 ? '' : ` in ${formatCount(Differing)} tables`}`
  if (Verdict === 'notProvable') return 'Nothing to compare with'
  if (Verdict !== null) return describeIdentical({ ...source, Method: Verdict === 'sampled' ? 'sample' : 'checksums' })
  if (Failed > 0)
    return Failed === 1 ? '1 table could not be verified' : `${formatCount(Failed)} tables could not be verified`
  if (Verified === 0) return 'Not verified yet'
  return Verified < Tables
    ? `${formatCount(Verified)} of ${formatCount(Tables)} tables verified`
    : 'The next run decides: rows differ that may have changed meanwhile'
}

/** Why rows were left out; null if none were. */
export function describeNewerRows(rows: number): string | null {
  if (rows === 0) return null
  return rows === 1
    ? '1 row has changed in the source since the last run. It is compared after the next run.'
    : `${formatCount(rows)} rows have changed in the source since the last run. They are compared after the next run.`
}

/** The time on the reader's clock; with the day if it is not today. */
export function formatCheckedAt(at: string): string {
  const isToday = formatMoment(at, 'date') === formatMoment(now(), 'date')
  return formatMoment(at, isToday ? 'time' : 'weekdayDateTime')
}

/** '2 of 5 columns were compared row by row.' Null if checksums cover all of them. */
export function describeColumns(rowByRow: number, columns: number): string | null {
  if (rowByRow === 0) return null
  const which = columns === 0 ? formatCount(rowByRow) : `${formatCount(rowByRow)} of ${formatCount(columns)}`
  return `${which} ${rowByRow === 1 && columns === 0 ? 'column was' : 'columns were'} compared row by row.`
}
