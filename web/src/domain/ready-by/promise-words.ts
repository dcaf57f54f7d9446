/** The sentence about kept and missed promises of *Ready by*. */
import type { PromiseCounts } from '@tributary/contract/ready-by'
import { readyByLimits } from '@tributary/contract/limits'
import { formatCount } from '../../ui/formats.ts'

/** 'On time for 18 of 20 promises in 30 days'. */
export function describeCounts({ Kept, Missed }: PromiseCounts): string {
  const all = Kept + Missed
  if (all === 0) return 'No promise has come due yet'
  return `On time for ${formatCount(Kept)} of ${formatCount(all)} ${all === 1 ? 'promise' : 'promises'} in ${readyByLimits.countedDays} days`
}
