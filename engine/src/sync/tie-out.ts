/** Proves the rows in the target against the source's own report, and reads again what does not agree. */
import { asFault } from '../ports/faults.ts'
import { Fenced } from '../ports/target.ts'
import type { TieOutLine, TieOutResult } from '../ports/tie-out.ts'
import type { StreamOutcome, SyncRequest } from './sync-request.ts'
import type { Cleared } from './schema-changes.ts'
import { type ReadAgain, readAgain } from './tie-out-reread.ts'
import { askCompany, askDocuments, askFigures, type Asking, makeViews } from './tie-out-queries.ts'
import { differs, type Figure, isUnexplained, keyOf, monthName, monthsOf } from './tie-out-figures.ts'
import { concludeLines, linesOf, quietWords } from './tie-out-lines.ts'
import { type Former, readFormer, writeTieOut } from './tie-out-table.ts'

/** A month that goes on differing by the same is read again once a day. */
const againEveryMs = 24 * 60 * 60_000

interface Work extends Asking {
  readonly request: SyncRequest
  /** Of the streams that were moved to their end, by name. */
  readonly streams: ReadonlyMap<string, Cleared>
  readonly now: number
}

/** Null where the source has no report, or this run did not move all that is needed. Throws only `Fenced`, or after an abort. */
export async function tieOut(
  request: SyncRequest,
  cleared: readonly Cleared[],
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<TieOutResult | null> {
  const { source, target, clock, signal, tell } = request
  const port = source.tieOut
  const done = cleared.filter(({ stream }) => outcomes.get(stream.name)?.progress.phase === 'done')
  const streams = new Map(done.map((each) => [each.stream.name, each]))
  if (port === undefined || request.streams !== undefined || !port.needs.every((name) => streams.has(name))) return null
  const ledger = port.ledger(new Set(streams.keys()))
  const untold = {
    company: '',
    currency: null,
    basis: ledger.basis,
    checkedAt: new Date(clock.now()),
    mended: [],
    lines: [],
  }
  try {
    return await compare({ request, target, port, ledger, streams, now: clock.now() })
  } catch (error) {
    if (error instanceof Fenced || signal.aborted) throw error
    const fault = asFault(error)
    tell(`Tie-out: it could not be told whether the rows agree with the source’s report. ${fault.notice}`)
    return { ...untold, state: 'amber', notice: fault.notice, fault }
  }
}

async function compare(work: Work): Promise<TieOutResult> {
  const { request, port, ledger, target, now } = work
  await makeViews(request, ledger)
  const company = await askCompany(work)
  const former = await readFormer(target)
  const isNews = (figure: Figure): boolean => isUnexplained(figure) && !isKnown(figure, former, now)
  const first: Reading = { figures: await askFigures(work), months: new Set(), fault: null }
  // The report of earlier months may be from before the documents that came with this run.
  const report = await readMonths(work, first, { wrong: first.figures.filter(isNews), names: [port.report] })
  const wrong = report.figures.filter((figure) => isNews(figure) && report.months.has(figure.period))
  const before = await askDocuments(work, wrong)
  const last = await readMonths(work, report, { wrong, names: ledger.dated })
  const after = await askDocuments(work, worthLookingUp(last.figures, before))
  const isReadAgain = (figure: Figure): boolean => last.months.has(figure.period) || isKnown(figure, former, now)
  const lines = linesOf({ figures: last.figures, before, after, isReadAgain, addressOf: port.addressOf })
  const readAgainAt = (line: TieOutLine): number | undefined =>
    line.state !== 'red' ? undefined : last.months.has(line.period) ? now : former.get(keyOf(line))?.readAgainAt
  await writeTieOut(target, { writer: request.writer, checkedAt: new Date(now), lines, readAgainAt })
  const mended = [...last.months].filter(
    (month) => !lines.some((line) => line.state === 'red' && line.period === month),
  )
  if (mended.length > 0)
    request.tell(
      `Tie-out: ${mended.map(monthName).join(', ')} differed at first and was read again.${quietWords(lines)}`,
    )
  const { state, notice, words } = concludeLines(lines, last.fault)
  request.tell(`Tie-out: ${words}`)
  const told = { company: company.name, currency: company.currency, basis: ledger.basis, checkedAt: new Date(now) }
  return { state, notice, ...told, mended, lines, fault: last.fault }
}

/** Which months have been read again, and the figures as they are since. */
interface Reading extends ReadAgain {
  readonly figures: readonly Figure[]
}

interface Wrong {
  readonly wrong: readonly Figure[]
  /** Of the streams to be read. */
  readonly names: readonly string[]
}

async function readMonths(work: Work, before: Reading, { wrong, names }: Wrong): Promise<Reading> {
  if (wrong.length === 0 || before.fault !== null) return { ...before, months: new Set() }
  const streams = names.flatMap((name) => work.streams.get(name) ?? [])
  const again = await readAgain(work.request, streams, monthsOf(wrong))
  return { ...again, figures: again.months.size === 0 ? before.figures : await askFigures(work) }
}

/** Red when its month was last read again, not long ago, and the same since. */
function isKnown(figure: Figure, former: Former, now: number): boolean {
  const last = former.get(keyOf(figure))
  const isSame = last?.computed === figure.computed && last.reported === figure.reported
  return isSame && now - last.readAgainAt < againEveryMs
}

/** Those that nothing explains, then those that were mended, then the rest that differ. */
function worthLookingUp(figures: readonly Figure[], before: ReadonlyMap<string, unknown>): readonly Figure[] {
  const unexplained = figures.filter(isUnexplained)
  const mended = figures.filter((figure) => !differs(figure) && before.has(keyOf(figure)))
  return [...unexplained, ...mended, ...figures.filter((figure) => differs(figure) && !isUnexplained(figure))]
}
