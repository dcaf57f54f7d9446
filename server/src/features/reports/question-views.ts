/** Which figures of a ready question a report adds up. */
import type { ReportAmount, ReportColumn } from './report-model.ts'

/** Ratios do not add up, and the balance at the beginning of a period is the one before it at the end. */
const notAdded = /_per_|^opening_|rate$/u

/** Each tracking category has all amounts of the statement. */
export function repeatedBy(columns: readonly ReportColumn[]): string | null {
  return columns.find(({ name }) => name === 'tracking_category')?.name ?? null
}

/** Of a question with a day on which its figures stand, every figure is a balance. */
export function amountsOf(columns: readonly ReportColumn[]): readonly ReportAmount[] {
  const isSnapshot = columns.some(({ name }) => name === 'as_of')
  return columns
    .filter(({ name, kind }) => (kind === 'money' || kind === 'number') && !notAdded.test(name))
    .map(({ name }) => ({ column: name, kind: isSnapshot || name.endsWith('balance') ? 'balance' : 'flow' }))
}
