/** Plans next to actual figures as both were when they were reported. */
import { inlinedQuestion, missingStreams, questionTables, type ReadyQuestion } from '../ports/questions.ts'
import type { Stream } from '../ports/source.ts'
import type { StatementNames } from '../ports/view-names.ts'
import type { ReportMark, SyncRunRequest } from './sync-request.ts'

/** The views of marks begin like this. Ready questions leave them alone. */
export const markedViewPrefix = 'reported_'

export interface MarkedView {
  readonly name: string
  select(now: StatementNames): string
}

/** The view of a mark. None if no plan, or not every table that it reads, has kept history since then. @param done the finished streams */
export function markedPlans(
  { source: { questions: set }, target, budgetTables = [], clock }: SyncRunRequest,
  done: readonly Stream[],
  mark: ReportMark,
): readonly MarkedView[] {
  const plans = budgetTables.filter(({ history }) => history != null && history.since <= mark.moment)
  if (set?.budget === undefined || plans.length === 0) return []
  const { budget } = set
  const context = { streams: new Set(done.map(({ name }) => name)), now: clock.now() }
  const questionAt = (moment: string): ReadyQuestion =>
    budget(plans.map((plan) => ({ ...plan, table: `(${plan.history?.select(moment) ?? plan.table})` })))
  const question = questionAt('')
  const kept = new Set(
    done.flatMap((stream) => {
      const since = new Map(target.histories(stream).map((each) => [each.table, each.since]))
      const isKept = (name: string): boolean => (since.get(name) ?? '~') <= mark.moment
      return target.preparedTables(stream).flatMap(({ name, table }) => (isKept(name) ? [table.name] : []))
    }),
  )
  const isPossible =
    missingStreams(question, context.streams).length === 0 &&
    questionTables(set, question, context).every((table) => kept.has(table))
  if (!isPossible) return []
  const select = (now: StatementNames): string =>
    inlinedQuestion(now.asOf({ at: mark.moment }), { set, question: questionAt(now.moment(mark.moment)), context })
  return [{ name: `${markedViewPrefix}${mark.slug}_${question.name}`, select }]
}

/** Names of the streams that a marked view of plans reads. Empty without plans. @param streams of the connector */
export function streamsOfPlans(
  { source: { questions: set }, budgetTables = [], clock }: SyncRunRequest,
  streams: readonly Stream[],
): ReadonlySet<string> {
  if (set?.budget === undefined || budgetTables.length === 0) return new Set()
  const context = { streams: new Set(streams.map(({ name }) => name)), now: clock.now() }
  const tables = new Set(questionTables(set, set.budget(budgetTables), context))
  const reads = ({ table, children }: Stream): boolean => [table, ...children].some(({ name }) => tables.has(name))
  return new Set(streams.filter(reads).map(({ name }) => name))
}
