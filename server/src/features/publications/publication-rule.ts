/** Whether the latest run of a connector satisfies the rule of its set, and if not, why. Pure. */
import type { TieOutDemand } from '@tributary/contract/publications'

/** A connector of a set, with what is known of its latest run of all tables that has ended. */
export interface MemberState {
  readonly connectorId: string
  readonly heldBecause: string | null
  readonly runId: string | null
  readonly runStatus: 'COMPLETED' | 'FAILED' | null
  readonly runNotice: string | null
  /** The cut-off of the run, if its target has prepared it for publishing. */
  readonly moment: string | null
  readonly offerNotice: string | null
  readonly tieOut: 'green' | 'amber' | 'red' | null
  /** Whether any run of the connector was compared with the report of its source. */
  readonly tiesOut: boolean
  /** Schema changes that wait for a decision. */
  readonly undecided: number
  readonly tables: number
  readonly differing: number
  /** Tables that were identical when they were verified last. */
  readonly verifiedTables: number
  readonly provenInTime: number
  readonly verifiedSince: string | null
}

export interface PublicationRuleValues {
  readonly tieOut: TieOutDemand
  readonly verifiedWithinDays: number | null
}

/** For people. Null: the run can be published. */
export function heldBecause(member: MemberState, rule: PublicationRuleValues): string | null {
  return becauseOfRun(member) ?? becauseOfTieOut(member, rule) ?? becauseOfVerification(member, rule)
}

function becauseOfRun({ runId, runStatus, runNotice, moment, offerNotice, undecided }: MemberState): string | null {
  if (runId === null) return 'It has not completed a run of all tables yet.'
  if (runStatus === 'FAILED') return joinSentences('Its latest run failed.', runNotice)
  if (offerNotice !== null) return joinSentences('Its latest run cannot be published.', offerNotice)
  if (moment === null)
    return 'It has not completed a run of all tables since publishing was switched on. Its next run can be published.'
  if (undecided === 0) return null
  const changes =
    undecided === 1 ? 'A schema change of the source needs' : `${undecided} schema changes of the source need`
  return `${changes} a decision. Until then a table is not updated.`
}

function becauseOfTieOut({ tieOut, tiesOut }: MemberState, rule: PublicationRuleValues): string | null {
  // A source without a report has nothing to agree with.
  if (rule.tieOut === 'any' || tieOut === 'green' || !tiesOut) return null
  if (tieOut === 'red') return 'Its latest run does not agree with the source’s own report.'
  if (rule.tieOut === 'amber') return null
  return 'Its latest run could not be compared with the source’s own report.'
}

function becauseOfVerification(
  { tables, differing, provenInTime }: MemberState,
  { verifiedWithinDays: days }: PublicationRuleValues,
): string | null {
  if (days === null) return null
  if (differing > 0)
    return `Rows of ${differing === 1 ? 'one table differ' : `${differing} tables differ`} from the source.`
  const missing = tables - provenInTime
  if (missing === 0) return null
  const within = days === 1 ? 'a day' : `${days} days`
  return `${missing} of its ${tables} tables ${missing === 1 ? 'was' : 'were'} not verified identical within ${within}. Verify its tables.`
}

function joinSentences(first: string, second: string | null): string {
  return second === null ? first : `${first} ${second}`
}
