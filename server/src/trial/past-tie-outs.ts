/**
 * The past tie-outs of a trial: all agree, except one that could not be checked and one that differed until the next
 * run.
 */
import type { PastRun, TrialTieOut } from './history.ts'

const agreed = { accounts: 21, differing: 0, notice: null, mended: [] } as const

/** @param company the company of every tie-out. */
export function withTieOuts(runs: readonly PastRun[], company: Pick<TrialTieOut, 'company' | 'currency'>): PastRun[] {
  const completed = runs.filter(({ status }) => status === 'COMPLETED')
  const at = (share: number) => completed[Math.floor(completed.length * share)]
  const [unchecked, differing] = [at(0.4), at(0.75)]
  const corrected = differing && completed[completed.indexOf(differing) + 1]
  return runs.map((run) => {
    if (run.status !== 'COMPLETED') return run
    if (run === unchecked)
      return { ...run, tieOut: { ...company, state: 'amber', ...agreed, accounts: 0, notice: reportUnavailable } }
    if (run === differing)
      return { ...run, tieOut: { ...company, state: 'red', ...agreed, differing: 2, notice: differsIn(run) } }
    return {
      ...run,
      tieOut: { ...company, state: 'green', ...agreed, mended: run === corrected ? [monthOf(run)] : [] },
    }
  })
}

const reportUnavailable =
  'The trial balance could not be read from Xero, so the rows could not be compared with it. They are loaded correctly otherwise.'

function differsIn(run: PastRun): string {
  const month = run.queuedAt.toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return `2 accounts differ in ${month}.`
}

function monthOf({ queuedAt }: PastRun): string {
  return `${queuedAt.toISOString().slice(0, 7)}-01`
}
