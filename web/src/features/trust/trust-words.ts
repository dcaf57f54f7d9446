/** The words of the Trust page. Pure. */
import type { TrustSource } from '@tributary/contract/trust'
import { formatDay, formatMoment } from '../../ui/formats.ts'

/** One sentence about all sources. Null if there are none. */
export function summariseTrust(sources: readonly TrustSource[]): string | null {
  if (sources.length === 0) return null
  return `${describeAgreement(sources)}; ${describeClosedMonths(sources)}.`
}

function describeAgreement(sources: readonly TrustSource[]): string {
  const count = (verdict: TrustSource['Verdict']): number => sources.filter(({ Verdict }) => Verdict === verdict).length
  const differing = count('differs')
  const proven = count('proven')
  const all = sources.length
  if (proven === all) {
    const asOf = ` as of ${formatMoment(oldestProof(sources), 'weekdayDateTime')}`
    return all === 1 ? `The source agrees with its origin${asOf}` : `All ${all} sources agree with their origin${asOf}`
  }
  const parts = [
    `${proven} of ${all} ${all === 1 ? 'source is' : 'sources are'} proven to agree with ${all === 1 ? 'its' : 'their'} origin`,
    ...(differing > 0 ? [`${differing} ${differing === 1 ? 'differs' : 'differ'}`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown')} could not be compared`] : []),
  ]
  return parts.join(', ')
}

/** The sentence is as old as its oldest proof. */
function oldestProof(sources: readonly TrustSource[]): string {
  return sources.flatMap(({ ProvenAtUtc }) => ProvenAtUtc ?? []).toSorted()[0] ?? ''
}

function describeClosedMonths(sources: readonly TrustSource[]): string {
  if (!sources.some(({ WatchesClosedPeriods }) => WatchesClosedPeriods)) return 'closed months are not watched'
  const months = new Set(sources.flatMap(({ ChangedPeriods }) => ChangedPeriods))
  if (months.size === 0) return 'no watched closed month has changes to acknowledge'
  return months.size === 1
    ? 'one closed month has changed since it was closed'
    : `${months.size} closed months have changed since they were closed`
}

/** What the last comparison has found. */
export function describeProof({ Verdict, Differences, Notice }: TrustSource): string {
  if (Verdict === 'proven') return 'All figures agree with the source’s own report.'
  if (Verdict === 'differs')
    return Differences === 1 ? 'One figure differs.' : `${Differences} figures differ from the source’s own report.`
  if (Verdict === 'unknown') return Notice ?? 'The last comparison failed.'
  return 'Nothing was compared yet, or the source has no report to compare with.'
}

export function describeClosedPeriods(source: TrustSource): string {
  if (!source.WatchesClosedPeriods) return 'Not watched'
  const closed =
    source.ClosedThrough === null ? 'No month is closed' : `Closed up to ${formatDay(source.ClosedThrough, 'date')}`
  const { ClosedPeriodChanges: changes } = source
  if (changes === 0) return `${closed}, no open changes`
  return `${closed}, ${changes === 1 ? 'one change' : `${changes} changes`} to acknowledge`
}

/** What published views show of the source, and why they stay. */
export function describePublication(source: TrustSource): string {
  const { PublishedMomentUtc: moment, PublicationStaysSinceUtc: since, PublicationHeldBecause: because } = source
  const shown = moment === null ? 'Not published' : `Published views show it as of ${formatMoment(moment, 'dateTime')}`
  if (since === null) return shown
  return `${shown}, unchanged since ${formatMoment(since, 'dateTime')}: ${because ?? 'another connector holds the publication back.'}`
}
