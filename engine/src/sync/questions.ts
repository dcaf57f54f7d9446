/** Keeps the views of the ready questions in the target up to date. They never make a run fail. */
import { asFault } from '../ports/faults.ts'
import {
  type BudgetTable,
  inlinedQuestion,
  missingStreams,
  type QuestionSet,
  type ReadyQuestion,
} from '../ports/questions.ts'
import { FencedError } from '../ports/target.ts'
import { markedViewPrefix } from './marked-plans.ts'
import type { StreamOutcome, SyncRunRequest } from './sync-request.ts'

/**
 * Creates the views whose streams this run has moved, and drops those whose streams the connector no longer moves. A
 * view whose stream failed stays as it is, and so do all views in a run of some streams.
 * @throws FencedError, and the abort reason after an abort
 */
export async function updateQuestions(
  request: SyncRunRequest,
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<void> {
  const { source, target, streams: wanted, log } = request
  if (source.questions === undefined || wanted !== undefined) return
  const set = withBudget(source.questions, request.budgetTables ?? [])
  const moved = new Set(outcomes.keys())
  const done = new Set([...outcomes].filter(([, { progress }]) => progress.phase === 'done').map(([name]) => name))
  const isPossible = (name: string): boolean =>
    set.questions.some((each) => each.name === name && missingStreams(each, moved).length === 0)
  await attempt(request, 'The views of the ready questions could not be listed.', async () => {
    const order = set.questions.map(({ name }) => name)
    const impossible = (await target.listOwnedViews()).filter(
      (name) => !name.startsWith(markedViewPrefix) && !isPossible(name),
    )
    // A view may read those before it.
    for (const name of impossible.toSorted((one, other) => order.indexOf(other) - order.indexOf(one)))
      await attempt(request, `The view ${name}, which is out of date now, could not be removed.`, async () => {
        await target.dropOwnedView(name)
        log(`The view ${name} was removed, because not everything that it needs is moved any more.`)
      })
  })
  for (const question of set.questions)
    if (missingStreams(question, done).length === 0)
      await attempt(
        request,
        `The view ${question.name} (‘${question.title}’) could not be brought up to date, so it may be missing or show an earlier definition.`,
        () => defineQuestion(request, set, { question, done }),
      )
}

function withBudget(set: QuestionSet, tables: readonly BudgetTable[]): QuestionSet {
  if (set.budget === undefined || tables.length === 0) return set
  return { ...set, questions: [...set.questions, set.budget(tables)] }
}

/** Logs a fault with what it means, and what to do. */
async function attempt({ signal, log }: SyncRunRequest, meaning: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    log(`${meaning} ${asFault(error).notice} The next run tries again.`)
  }
}

interface QuestionToDefine {
  readonly question: ReadyQuestion
  /** Names of the finished streams. */
  readonly done: ReadonlySet<string>
}

async function defineQuestion(
  { target, clock, log }: SyncRunRequest,
  set: QuestionSet,
  { question, done }: QuestionToDefine,
): Promise<void> {
  const context = { streams: done, now: clock.now() }
  const outcome = await target.defineOwnedView({
    name: question.name,
    select: (names) => question.select(names, context),
    definition: (names) => inlinedQuestion(names, { set, question, context }),
  })
  if (outcome === 'taken')
    log(
      `The view ${question.name} (‘${question.title}’) was not created, because the target has a table or view of that name that is not this connector’s. Rename that one, or choose another target schema.`,
    )
}
