/** What the tie-outs of the trial's past came to: they agreed, but for one that could not be told and one that differed until the next run. */
import type { PastRun, TrialTieOut } from './history.ts'

const agreed = { accounts: 21, differing: 0, notice: null, mended: [] } as const

/** @param company what each of them was about. */
export function withTieOuts(runs: readonly PastRun[], company: Pick<TrialTieOut, 'company' | 'currency'>): PastRun[] {
  const completed = runs.filter(({ status }) => status === 'COMPLETED')
  const at = (share: number) => completed[Math.floor(completed.length * share)]
  const [untold, differed] = [at(0.4), at(0.75)]
  const mended = differed && completed[completed.indexOf(differed) + 1]
  return runs.map((run) => {
    if (run.status !== 'COMPLETED') return run
    if (run === untold)
      return { ...run, tieOut: { ...company, state: 'amber', ...agreed, accounts: 0, notice: reportAway } }
    if (run === differed)
      return { ...run, tieOut: { ...company, state: 'red', ...agreed, differing: 2, notice: differsIn(run) } }
    return { ...run, tieOut: { ...company, state: 'green', ...agreed, mended: run === mended ? [monthOf(run)] : [] } }
  })
}

const reportAway =
  'The trial balance could not be read from Xero, so nothing could be compared. The rows are as they should be otherwise.'

function differsIn(run: PastRun): string {
  const month = run.queuedAt.toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return `2 accounts differ in ${month}.`
}

function monthOf({ queuedAt }: PastRun): string {
  return `${queuedAt.toISOString().slice(0, 7)}-01`
}
