/** What a tie-out asks of the target. */
import { asFault } from '../ports/faults.ts'
import { Fenced, type OpenTarget } from '../ports/target.ts'
import type { Ledger, TieOut } from '../ports/tie-out.ts'
import type { ViewWords } from '../ports/view-names.ts'
import type { SyncRequest } from './sync-request.ts'
import { documentOf, type Figure, figureOf, type FoundDocument, keyOf, type SelectedRow } from './tie-out-figures.ts'

export interface Asking {
  readonly target: OpenTarget
  readonly port: TieOut
  readonly ledger: Ledger
}

export interface Company {
  readonly name: string
  readonly currency: string | null
}

export async function askCompany({ target, port }: Asking): Promise<Company> {
  const [row] = await target.select((words) => port.company(words))
  return { name: row?.[0] ?? '', currency: row?.[1] ?? null }
}

export async function askFigures(asking: Asking): Promise<readonly Figure[]> {
  return (await ask(asking, (words) => asking.ledger.compare(words))).map(figureOf)
}

/** Figures whose documents are looked up: nobody goes through more. */
const looksMax = 50

/** By the figures' keys, the latest first. */
export async function askDocuments(
  asking: Asking,
  figures: readonly Figure[],
): Promise<ReadonlyMap<string, readonly FoundDocument[]>> {
  const places = figures.slice(0, looksMax).map(({ period, accountId }) => ({ month: period, accountId }))
  if (places.length === 0) return new Map()
  const rows = await ask(asking, (words) => asking.ledger.documents(words, places))
  const found = new Map(
    places.map(({ month, accountId }): [string, FoundDocument[]] => [keyOf({ period: month, accountId }), []]),
  )
  for (const [month, accountId, ...row] of rows)
    found.get(keyOf({ period: month ?? '', accountId: (accountId ?? '').toLowerCase() }))?.push(documentOf(row))
  for (const documents of found.values())
    documents.sort((one, other) => other.date.localeCompare(one.date) || one.id.localeCompare(other.id))
  return found
}

/** The views stand for what they select, so that nothing here depends on the right to make them. */
function ask({ target, ledger }: Asking, select: (words: ViewWords) => string): Promise<readonly SelectedRow[]> {
  return target.select((words) => select(unfolding(words, ledger)))
}

function unfolding(words: ViewWords, { views }: Ledger): ViewWords {
  const unfolded: ViewWords = {
    ...words,
    view: (name) => {
      const view = views.find((each) => each.name === name)
      return view === undefined ? words.view(name) : `(${view.select(unfolded)})`
    },
  }
  return unfolded
}

/** They are for people's reports alone: where they cannot be made, it is told. */
export async function makeViews({ target, signal, tell }: SyncRequest, { views }: Ledger): Promise<void> {
  try {
    for (const view of views) await target.defineView(view.name, (words) => view.select(words))
  } catch (error) {
    if (error instanceof Fenced || signal.aborted) throw error
    const names = views.map(({ name }) => name).join(' and ')
    tell(`The views ${names} could not be brought up to date. ${asFault(error).notice}`)
  }
}
