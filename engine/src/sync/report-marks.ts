/** Marks "as reported": views that show the ledger as it was when it was reported, over history alone. */
import { createHash } from 'node:crypto'
import { type CompanyColumn, selectByCompany } from '../ports/company-names.ts'
import { asFault } from '../ports/faults.ts'
import { FencedError } from '../ports/target.ts'
import type { Stream } from '../ports/source.ts'
import type { Ledger } from '../ports/tie-out.ts'
import type { StatementNames } from '../ports/view-names.ts'
import { companyColumnOf } from './company-column.ts'
import { type MarkedView, markedPlans, markedViewPrefix } from './marked-plans.ts'
import type { ClearedStream } from './schema-changes.ts'
import type { MarkOutcome, ReportMark, StreamOutcome, SyncRunRequest } from './sync-request.ts'

/**
 * Creates the views of marks that do not have them. A source with a ledger has its general ledger, trial balance and plans, once this run has moved what
 * they need; another source has each of its tables that kept history then. Faults are part of the result.
 * @throws FencedError, and the abort reason after an abort
 */
export async function defineMarkedViews(
  request: SyncRunRequest,
  cleared: readonly ClearedStream[],
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<readonly MarkOutcome[]> {
  const { source, target, marks = [], signal, log } = request
  if (marks.length === 0) return []
  const done = cleared.map(({ stream }) => stream).filter(({ name }) => outcomes.get(name)?.progress.phase === 'done')
  const names = new Set(done.map(({ name }) => name))
  const definition = source.tieOut
  if (definition !== undefined && !definition.requiredStreams.every((name) => names.has(name))) return []
  const owned = new Set(await target.listOwnedViews())
  const define =
    definition === undefined
      ? tableMarks(request, done, owned)
      : ledgerMarks(request, { done, ledger: definition.ledger(names), owned })
  const results: MarkOutcome[] = []
  for (const mark of marks) {
    try {
      results.push(await define(mark))
    } catch (error) {
      if (error instanceof FencedError || signal.aborted) throw error
      const { notice } = asFault(error)
      log(`The views of the mark ${mark.slug} could not be created. ${notice} The next run tries again.`)
      results.push({ slug: mark.slug, views: [], notice })
    }
  }
  return results
}

interface MarkableLedger {
  /** The finished streams. */
  readonly done: readonly Stream[]
  readonly ledger: Ledger
  /** Names of the views that the connector has. */
  readonly owned: ReadonlySet<string>
}

/** The ledger, and the plans that were loaded into the same database. */
function ledgerMarks(
  request: SyncRunRequest,
  { done, ledger, owned }: MarkableLedger,
): (mark: ReportMark) => Promise<MarkOutcome> {
  return async (mark) => {
    const plans = markedPlans(request, done, mark)
    const { views, ...outcome } = await defineViews(request, mark, [
      ...ledgerViews(ledger, mark, companyColumnOf(request.source)),
      // A plan may have been archived, or loaded with other columns, since the view was created.
      ...plans.filter(({ name }) => !owned.has(name)),
    ])
    const existing = plans.map(({ name }) => name).filter((name) => owned.has(name))
    return { ...outcome, views: [...views, ...existing] }
  }
}

function ledgerViews({ views }: Ledger, mark: ReportMark, companies: CompanyColumn | null): readonly MarkedView[] {
  return views.map((view) => {
    const select = (then: StatementNames): string => view.select(inlineViews(then, views))
    return {
      name: `${markedViewPrefix}${mark.slug}_${view.name}`,
      select: (now) => {
        const then = now.asOf({ at: mark.moment })
        return companies === null ? select(then) : selectByCompany(then, companies, select)
      },
    }
  })
}

/** Of a source without a ledger. A view that exists stays as it is, also if its table gets another column. */
function tableMarks(
  request: SyncRunRequest,
  done: readonly Stream[],
  owned: ReadonlySet<string>,
): (mark: ReportMark) => Promise<MarkOutcome> {
  const { target } = request
  const tables = done.flatMap((stream) => {
    const prepared = target.preparedTables(stream)
    return target.histories(stream).flatMap(({ table, since }) => {
      const source = prepared.find(({ name }) => name === table)?.table.name
      return source === undefined ? [] : [{ table, since, source }]
    })
  })
  return async (mark) => {
    const views = tables
      .filter(({ since }) => since <= mark.moment)
      .map(({ table, source }) => ({
        name: shortened(`${markedViewPrefix}${mark.slug}_${table}`),
        select: ({ asOf }: StatementNames) => `SELECT * FROM ${asOf({ at: mark.moment }).table(source)} AS t`,
      }))
    const { notice } = await defineViews(
      request,
      mark,
      views.filter(({ name }) => !owned.has(name)),
    )
    if (views.length > 0) return { slug: mark.slug, views: views.map(({ name }) => name), notice }
    return {
      slug: mark.slug,
      views: [],
      notice: 'No table has kept history since then, so there is nothing to show. Mark again after the next run.',
    }
  }
}

const viewNameMax = 60

/** Short enough for every database, and the same each time. */
function shortened(name: string): string {
  if (name.length <= viewNameMax) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, viewNameMax - digest.length - 1)}_${digest}`
}

async function defineViews(
  { target, log }: SyncRunRequest,
  { slug }: ReportMark,
  views: readonly MarkedView[],
): Promise<MarkOutcome> {
  const created: string[] = []
  for (const { name, select } of views) {
    if ((await target.defineOwnedView({ name, select, definition: select })) === 'taken') {
      const notice = `The target has a table or view ${name} that is not this connector’s. Rename that one.`
      log(notice)
      return { slug, views: created, notice }
    }
    created.push(name)
  }
  return { slug, views: created, notice: null }
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
