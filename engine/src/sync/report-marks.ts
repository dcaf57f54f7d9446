/** Marks "as reported": views that show the ledger as it was when it was reported, over history alone. */
import { asFault } from '../ports/faults.ts'
import { FencedError } from '../ports/target.ts'
import type { Ledger } from '../ports/tie-out.ts'
import type { StatementNames } from '../ports/view-names.ts'
import type { ClearedStream } from './schema-changes.ts'
import type { MarkOutcome, ReportMark, StreamOutcome, SyncRunRequest } from './sync-request.ts'

/** The views of marks begin like this. Ready questions leave them alone. */
export const markedViewPrefix = 'reported_'

/**
 * Creates the views of marks that do not have them, and keeps the definition of the others up to date. Faults are part of the
 * result. Nothing if this run did not move what the ledger needs: a later run creates them.
 * @throws FencedError, and the abort reason after an abort
 */
export async function defineMarkedViews(
  request: SyncRunRequest,
  cleared: readonly ClearedStream[],
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<readonly MarkOutcome[]> {
  const { source, marks = [], signal, log } = request
  const done = cleared.filter(({ stream }) => outcomes.get(stream.name)?.progress.phase === 'done')
  const names = new Set(done.map(({ stream }) => stream.name))
  const definition = source.tieOut
  if (definition === undefined || !definition.requiredStreams.every((name) => names.has(name))) return []
  const results: MarkOutcome[] = []
  for (const mark of marks) {
    try {
      results.push(await defineMark(request, definition.ledger(names), mark))
    } catch (error) {
      if (error instanceof FencedError || signal.aborted) throw error
      const { notice } = asFault(error)
      log(`The views of the mark ${mark.slug} could not be created. ${notice} The next run tries again.`)
      results.push({ slug: mark.slug, views: [], notice })
    }
  }
  return results
}

async function defineMark({ target, log }: SyncRunRequest, { views }: Ledger, mark: ReportMark): Promise<MarkOutcome> {
  const created: string[] = []
  for (const view of views) {
    const name = `${markedViewPrefix}${mark.slug}_${view.name}`
    const select = (now: StatementNames): string => view.select(inlineViews(now.asOf({ at: mark.moment }), views))
    if ((await target.defineOwnedView({ name, select, definition: select })) === 'taken') {
      const notice = `The target has a table or view ${name} that is not this connector’s. Rename that one.`
      log(notice)
      return { slug: mark.slug, views: created, notice }
    }
    created.push(name)
  }
  return { slug: mark.slug, views: created, notice: null }
}

/** Views are inlined, because the present ones read the present tables. */
function inlineViews(names: StatementNames, views: Ledger['views']): StatementNames {
  const inlined: StatementNames = {
    ...names,
    view: (name) => {
      const view = views.find((each) => each.name === name)
      if (view === undefined) throw new Error(`The ledger has no view ${name}.`)
      return `(${view.select(inlined)})`
    },
  }
  return inlined
}
