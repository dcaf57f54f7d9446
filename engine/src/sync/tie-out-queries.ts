/** The queries of a tie-out on the target. */
import { asFault } from '../ports/faults.ts'
import { FencedError, type OpenTarget } from '../ports/target.ts'
import type { NamedCompany } from '../ports/companies.ts'
import { type CompanyColumn, ofCompany, selectByCompany } from '../ports/company-names.ts'
import type { Ledger, LedgerView, TieOutDefinition } from '../ports/tie-out.ts'
import type { StatementNames } from '../ports/view-names.ts'
import { companyColumnOf } from './company-column.ts'
import type { SyncRunRequest } from './sync-request.ts'
import {
  toDocument,
  type TieOutFigure,
  toFigure,
  type FigureDocument,
  figureKey,
  type SelectedRow,
} from './tie-out-figures.ts'

export interface TieOutContext {
  readonly target: OpenTarget
  readonly definition: TieOutDefinition
  readonly ledger: Ledger
  /** The company that is compared, if several share the tables. */
  readonly of: ComparedCompany | null
}

export interface ComparedCompany extends NamedCompany {
  readonly column: string
}

export interface TieOutCompany {
  readonly name: string
  readonly currency: string | null
}

export async function selectCompany({ target, definition, of }: TieOutContext): Promise<TieOutCompany> {
  const [row] = await target.select((words) => definition.company(tablesOf(words, of)))
  return { name: row?.[0] ?? '', currency: row?.[1] ?? null }
}

export async function selectFigures(asking: TieOutContext): Promise<readonly TieOutFigure[]> {
  return (await selectInlined(asking, (words) => asking.ledger.selectFigures(words))).map(toFigure)
}

/** The most figures whose documents are looked up. */
const lookupsMax = 50

/** The documents of the figures by `figureKey`, latest first. */
export async function selectDocuments(
  asking: TieOutContext,
  figures: readonly TieOutFigure[],
): Promise<ReadonlyMap<string, readonly FigureDocument[]>> {
  const places = figures.slice(0, lookupsMax).map(({ period, accountId }) => ({ month: period, accountId }))
  if (places.length === 0) return new Map()
  const rows = await selectInlined(asking, (words) => asking.ledger.selectDocuments(words, places))
  const found = new Map(
    places.map(({ month, accountId }): [string, FigureDocument[]] => [figureKey({ period: month, accountId }), []]),
  )
  for (const [month, accountId, ...row] of rows)
    found.get(figureKey({ period: month ?? '', accountId: (accountId ?? '').toLowerCase() }))?.push(toDocument(row))
  for (const documents of found.values())
    documents.sort((one, other) => other.date.localeCompare(one.date) || one.id.localeCompare(other.id))
  return found
}

/** Inlines the views as subqueries, so that a tie-out works without the privilege to create views. */
function selectInlined(
  { target, ledger, of }: TieOutContext,
  select: (words: StatementNames) => string,
): Promise<readonly SelectedRow[]> {
  return target.select((words) => select(inlineViews(tablesOf(words, of), ledger)))
}

function tablesOf(words: StatementNames, of: ComparedCompany | null): StatementNames {
  return of === null ? words : ofCompany(words, of.column, of.id)
}

function inlineViews(words: StatementNames, { views }: Ledger): StatementNames {
  const unfolded: StatementNames = {
    ...words,
    view: (name) => {
      const view = views.find((each) => each.name === name)
      return view === undefined ? words.view(name) : `(${view.select(unfolded)})`
    },
  }
  return unfolded
}

/** Creates the views for people's reports. A failure is logged, because the tie-out itself does not need them. */
export async function defineViews({ source, target, signal, log }: SyncRunRequest, ledger: Ledger): Promise<void> {
  const { views } = ledger
  const companies = companyColumnOf(source)
  const selectShared = (words: StatementNames, view: LedgerView, shared: CompanyColumn): string =>
    selectByCompany(words, shared, (own) => view.select(own))
  try {
    for (const view of views)
      await target.defineView(view.name, (words) =>
        companies === null ? view.select(words) : selectShared(words, view, companies),
      )
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    const names = views.map(({ name }) => name).join(' and ')
    log(`The views ${names} could not be brought up to date. ${asFault(error).notice}`)
  }
}
