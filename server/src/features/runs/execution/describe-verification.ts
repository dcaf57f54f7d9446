/** What verifying a table came to, for the log of a run and its list of tables. */
import type { StreamVerification } from '@tributary/engine/ports/verification'

export function describeVerification({
  outcome,
  method,
  rows,
  newerRows,
  differenceCount,
  differences,
  notice,
}: StreamVerification) {
  const compared = `${formatRows(rows)} compared`
  const note = `${describeNewer(newerRows)}${notice === null ? '' : ` ${notice}`}`
  switch (outcome) {
    case 'identical':
      return method === 'sample'
        ? `The sample is identical, ${compared}.${note}`
        : `Verified identical, ${formatRows(rows)}.${note}`
    case 'different': {
      const repaired = differences.filter(({ isRepaired }) => isRepaired).length
      const repairs = repaired === 0 ? '' : ` ${formatRows(repaired)} repaired.`
      return `${formatRows(differenceCount)} ${differenceCount === 1 ? 'differs' : 'differ'}.${repairs}${note}`
    }
    case 'pending':
      return `Rows differ that may have changed meanwhile. They are compared again after the next run.${note}`
    case 'unfinished':
      return `No difference so far, ${compared}. The verification continues after the next run.${note}`
    case 'notProvable':
      return `Not provable: the source offers nothing to compare with.${note}`
    case 'failed':
      return `It could not be verified.${note}`
  }
}

function describeNewer(rows: number): string {
  if (rows === 0) return ''
  return ` ${formatRows(rows)} changed in the source since the run, and ${rows === 1 ? 'is' : 'are'} compared after the next one.`
}

function formatRows(count: number): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'row' : 'rows'}`
}
