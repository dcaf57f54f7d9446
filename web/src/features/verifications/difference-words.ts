/** How rows that differ are named on the screen. */
import type { RowDifference } from '@tributary/contract/verifications'

export const kindWords: Readonly<Record<RowDifference['Kind'], string>> = {
  missing: 'Missing in the target',
  additional: 'Only in the target',
  different: 'Different values',
  doubled: 'Several times in the target',
}

export const causeWords: Readonly<Record<RowDifference['Cause'], string>> = {
  stampNotMoved: 'The source changed the row without moving its change stamp.',
  writtenAtTarget: 'Something other than Tributary changed it in the target.',
  rejected: 'The target cannot store the row. The latest run rejected it.',
  changedSince: 'The source has changed since. The next run brings it.',
  unknown: 'The cause is not known.',
}

/** 'id 7, day 2026-11-20'. Counts and totals are those of the table. */
export function describeKey(key: RowDifference['Key']): string {
  if (Object.keys(key).length === 0) return 'All rows'
  return Object.entries(key)
    .map(([column, value]) => `${column} ${value ?? 'NULL'}`)
    .join(', ')
}
