/** The words of the Trust page. Pure. */
import type { TrustSource } from '@tributary/contract/trust'
import { describeSource } from '../../domain/verifications/verification-words.ts'
import { formatCount, formatDay, formatMoment } from '../../ui/formats.ts'

/** One sentence about all sources. Null if there are none. */
export function summariseTrust(sources: readonly TrustSource[]): string | null {
  if (sources.length === 0) return null
  const parts = [describeAgreement(sources), ...describeFilters(sources), describeClosedMonths(sources)]
  return `${[...parts, ...describeFailedRuns(sources)].join('; ')}.`
}

const agrees = ({ Verdict }: TrustSource): boolean => Verdict === 'proven' || Verdict === 'sampled'

function describeAgreement(sources: readonly TrustSource[]): string {
  const [only, ...others] = sources
  const all = sources.length
  const agreeing = sources.filter(agrees)
  if (only !== undefined && others.length === 0 && !agrees(only)) return singleWords[only.Verdict]
  const proof = oldestProof(agreeing)
  const asOf = proof === undefined ? '' : ` as of ${formatMoment(proof, 'weekdayDateTime')}`
  const sampled = agreeing.filter(({ Verdict }) => Verdict === 'sampled').length
  if (agreeing.length === all) {
    const bySample = sampled === 0 ? '' : sampled === all ? ', by sample' : `, ${sampled} of them by sample`
    const who = all === 1 ? 'The source agrees with its origin' : `All ${all} sources agree with their origin`
    return `${who}${asOf}${bySample}`
  }
  const first =
    agreeing.length === 0
      ? `None of ${all} sources is proven to agree with its origin`
      : `${agreeing.length} of ${all} sources ${agreeing.length === 1 ? 'agrees with its' : 'agree with their'} origin${asOf}`
  return [first, ...describeOthers(sources)].join(', ')
}

/** The sentence must not be taken for rows that were left out. */
function describeFilters(sources: readonly TrustSource[]): string[] {
  const tables = sources.reduce((sum, { FilteredTables }) => sum + FilteredTables, 0)
  if (tables === 0) return []
  return [
    tables === 1 ? 'a filter leaves out rows of one table' : `filters leave out rows of ${formatCount(tables)} tables`,
  ]
}

const singleWords: Readonly<Record<TrustSource['Verdict'], string>> = {
  differs: 'The source differs from its origin',
  unknown: 'The source could not be compared with its origin',
  outdated: 'The proof that the source agrees with its origin is older than seven days',
  unproven: 'The source is not proven to agree with its origin yet',
  notProvable: 'The source offers nothing that its rows could be compared with',
  sampled: 'The source agrees with its origin',
  proven: 'The source agrees with its origin',
}

function describeOthers(sources: readonly TrustSource[]): string[] {
  const words: readonly (readonly [TrustSource['Verdict'], (count: number) => string])[] = [
    ['differs', (count) => (count === 1 ? '1 differs' : `${count} differ`)],
    ['unknown', (count) => `${count} could not be compared`],
    ['outdated', (count) => `the proof of ${count} is older than seven days`],
    ['unproven', (count) => `${count} ${count === 1 ? 'is' : 'are'} not verified completely yet`],
    ['notProvable', (count) => `${count} ${count === 1 ? 'is' : 'are'} not provable`],
  ]
  return words.flatMap(([verdict, describe]) => {
    const count = sources.filter(({ Verdict }) => Verdict === verdict).length
    return count === 0 ? [] : [describe(count)]
  })
}

/** The sentence is as old as its oldest proof. */
function oldestProof(sources: readonly TrustSource[]): string | undefined {
  return sources.flatMap(({ ProvenAtUtc }) => ProvenAtUtc ?? []).toSorted()[0]
}

function describeClosedMonths(sources: readonly TrustSource[]): string {
  if (!sources.some(({ WatchesClosedPeriods }) => WatchesClosedPeriods)) return 'closed months are not watched'
  const months = new Set(sources.flatMap(({ ChangedPeriods }) => ChangedPeriods))
  if (months.size === 0) return 'no watched closed month has changes to acknowledge'
  const since = sources.every(isAllReported) ? 'reported' : 'closed'
  return months.size === 1
    ? `one closed month has changed since it was ${since}`
    : `${months.size} closed months have changed since they were ${since}`
}

/** Whether every changed month is in a period that was marked as reported. */
function isAllReported({ ChangedPeriods, Marks }: TrustSource): boolean {
  return ChangedPeriods.every((month) => Marks.some(({ PeriodEnd }) => month <= PeriodEnd))
}

const failedStates: readonly TrustSource['State'][] = ['forbidden', 'targetDown', 'failed']

function describeFailedRuns(sources: readonly TrustSource[]): string[] {
  const failed = sources.filter(({ State }) => failedStates.includes(State)).length
  if (failed === 0) return []
  if (sources.length === 1) return ['its last run failed, so newer rows are missing']
  return [`the last run of ${failed} ${failed === 1 ? 'source' : 'sources'} failed, so newer rows are missing`]
}

/** What the verification of its tables has found. */
export function describeRows({ FilteredTables, Verification, Verdict }: TrustSource): string {
  const { Overdue, Verdict: found } = Verification
  const state = `${describeSource(Verification) ?? 'No run has read a table yet'}${describeFiltered(FilteredTables)}`
  if (Verdict !== 'outdated' && (found === null || Overdue === 0)) return state
  return `${state}; ${Overdue === 1 ? '1 table was' : `${formatCount(Overdue)} tables were`} not verified within seven days`
}

/** Nothing is said about rows that a filter leaves out. */
function describeFiltered(tables: number): string {
  if (tables === 0) return ''
  return tables === 1
    ? ', in 1 table only of the rows of its filter'
    : `, in ${formatCount(tables)} tables only of the rows of their filters`
}

/** What the last comparison with the source's own report has found; null without one. */
export function describeFigures({ ComparedAtUtc, Differences, Notice }: TrustSource): string | null {
  if (ComparedAtUtc === null) return null
  const at = formatMoment(ComparedAtUtc, 'weekdayDateTime')
  if (Differences > 0)
    return `${Differences === 1 ? 'One figure differs' : `${formatCount(Differences)} figures differ`} from the source’s own report, ${at}`
  return Notice === null ? `All figures agree with the source’s own report, ${at}` : Notice
}

/** '3 figures, 2 rows'. */
export function describeDifferences({ Differences, Verification }: TrustSource): string {
  const parts = [
    ...(Differences > 0 ? [`${formatCount(Differences)} ${Differences === 1 ? 'figure' : 'figures'}`] : []),
    ...(Verification.Differences > 0
      ? [`${formatCount(Verification.Differences)} ${Verification.Differences === 1 ? 'row' : 'rows'}`]
      : []),
  ]
  return parts.length === 0 ? 'None known' : parts.join(', ')
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
  const wait = moment === null ? 'waiting' : 'unchanged'
  return `${shown}, ${wait} since ${formatMoment(since, 'dateTime')}: ${because ?? 'another connector holds the publication back.'}`
}
