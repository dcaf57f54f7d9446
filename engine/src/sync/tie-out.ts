/** Tie-out: compares the rows in the target with the source's own report, and reads months that differ again. */
import type { CompanySet } from '../ports/companies.ts'
import { asFault } from '../ports/faults.ts'
import type { Stream } from '../ports/source.ts'
import { FencedError } from '../ports/target.ts'
import type { CompanyTieOut, TieOutResult, TieOutResultLine } from '../ports/tie-out.ts'
import type { StreamOutcome, SyncRunRequest } from './sync-request.ts'
import type { ClearedStream } from './schema-changes.ts'
import { type RereadResult, rereadMonths } from './tie-out-reread.ts'
import { selectCompany, selectDocuments, selectFigures, type TieOutContext, defineViews } from './tie-out-queries.ts'
import { differs, type TieOutFigure, isUnexplained, figureKey, monthName, monthsOf } from './tie-out-figures.ts'
import { summariseLines, buildLines, describeUnannouncedChanges } from './tie-out-lines.ts'
import { type DatedLine, type RereadFigures, readRereadFigures, writeTieOut } from './tie-out-table.ts'

/** A month that still differs by the same amount is read again once a day. */
const rereadIntervalMs = 24 * 60 * 60_000

interface TieOutWork extends TieOutContext {
  readonly request: SyncRunRequest
  /** The finished streams by name. */
  readonly streams: ReadonlyMap<string, ClearedStream>
  readonly now: number
}

/**
 * Runs a tie-out. Null if the source has no report, or this run did not move all required streams. Faults are part of
 * the result.
 * @throws FencedError, and the abort reason after an abort
 */
export async function tieOut(
  request: SyncRunRequest,
  cleared: readonly ClearedStream[],
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<TieOutResult | null> {
  const { source, target, clock, signal, log } = request
  const definition = source.tieOut
  const done = cleared.filter(({ stream }) => outcomes.get(stream.name)?.progress.phase === 'done')
  const streams = new Map(done.map((each) => [each.stream.name, each]))
  if (
    definition === undefined ||
    request.streams !== undefined ||
    !definition.requiredStreams.every((name) => streams.has(name))
  )
    return null
  const ledger = definition.ledger(new Set(streams.keys()))
  const failed = {
    company: '',
    currency: null,
    basis: ledger.basis,
    checkedAt: new Date(clock.now()),
    mended: [],
    lines: [],
  }
  const filtered = [
    ...new Set([...definition.requiredStreams, definition.reportStream, ...ledger.datedStreams]),
  ].flatMap((name) => streams.get(name)?.stream ?? [])
  const notice = describeFiltered(filtered)
  if (notice !== null) {
    log(`Tie-out: ${notice}`)
    return { ...failed, state: 'amber', notice, fault: null }
  }
  try {
    await defineViews(request, ledger)
    const work = { request, target, definition, ledger, streams, now: clock.now(), of: null }
    const { companies } = source
    if (companies !== undefined) return await tieOutCompanies(work, companies)
    const { result, lines } = await runTieOut(work)
    const checkedAt = new Date(work.now)
    await writeTieOut(target, { writer: request.writer, checkedAt, lines, companyColumn: null })
    return result
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    const fault = asFault(error)
    log(`Tie-out: it is not known whether the rows agree with the source’s report. ${fault.notice}`)
    return { ...failed, state: 'amber', notice: fault.notice, fault }
  }
}

/** Compares each company with its own report. The result is that of the worst. */
async function tieOutCompanies(work: TieOutWork, companies: CompanySet): Promise<TieOutResult> {
  const { request, target, definition, ledger, now } = work
  const needed = [...definition.requiredStreams, definition.reportStream]
  const results: (CompanyResult & { readonly company: CompanyTieOut })[] = []
  for (const { id, name } of companies.chosen) {
    const isRead = needed.every((stream) => companies.readable(stream).some((company) => company.id === id))
    const of = { id, name, column: companies.column }
    const result = isRead ? await runTieOut({ ...work, of }) : unreadCompany(work, name)
    const { state, notice, currency } = result.result
    results.push({ ...result, company: { id, name, state, notice, currency, compared: isRead } })
  }
  const compared = results.map(({ company }) => company)
  const lines = results.flatMap(({ lines: ofCompany, company }) =>
    ofCompany.map(({ line, rereadAt }) => ({ line: { ...line, company: company.id }, rereadAt })),
  )
  await writeTieOut(target, {
    writer: request.writer,
    checkedAt: new Date(now),
    lines,
    companyColumn: companies.column,
  })
  const notices = compared.flatMap(({ name, notice }) => (notice === null ? [] : [`‘${name}’: ${notice}`]))
  return {
    state: (['red', 'amber'] as const).find((state) => compared.some((each) => each.state === state)) ?? 'green',
    notice: notices.length === 0 ? null : notices.join(' '),
    company: compared.map(({ name }) => name).join(', '),
    currency: sharedCurrency(compared.filter((company) => company.compared)),
    basis: ledger.basis,
    checkedAt: new Date(now),
    mended: [...new Set(results.flatMap(({ result }) => result.mended))],
    lines: lines.map(({ line }) => line),
    fault: results.find(({ result }) => result.fault !== null)?.result.fault ?? null,
    companies: compared,
  }
}

/** Null if the companies have several. */
function sharedCurrency(companies: readonly CompanyTieOut[]): string | null {
  const [first = null, ...others] = new Set(companies.map(({ currency }) => currency))
  return others.length === 0 ? first : null
}

function unreadCompany({ ledger, now }: TieOutWork, company: string): CompanyResult {
  const notice = 'It could not be read completely in this run, so it was not compared.'
  const empty = { currency: null, basis: ledger.basis, checkedAt: new Date(now), mended: [], lines: [], fault: null }
  return { lines: [], result: { ...empty, state: 'amber', notice, company } }
}

interface CompanyResult {
  readonly result: TieOutResult
  readonly lines: readonly DatedLine[]
}

/** Null if no filter leaves out rows that the source's report includes. */
function describeFiltered(streams: readonly Stream[]): string | null {
  const words = streams.flatMap(({ table, filteredTo }) =>
    filteredTo === undefined ? [] : [`${table.name} (${filteredTo})`],
  )
  return words.length === 0
    ? null
    : `The source’s report includes rows that a filter leaves out, so nothing is compared. Filtered tables: ${words.join(' ')}`
}

async function runTieOut(work: TieOutWork): Promise<CompanyResult> {
  const { request, definition, ledger, target, now, of } = work
  const company = await selectCompany(work)
  const former = await readRereadFigures(target, of)
  const isNew = (figure: TieOutFigure): boolean => isUnexplained(figure) && !wasRereadRecently(figure, former, now)
  const first: RereadFiguresResult = { figures: await selectFigures(work), months: new Set(), fault: null }
  // The stored report of earlier months may predate documents of this run.
  const report = await rereadFigures(work, first, {
    figures: first.figures.filter(isNew),
    streamNames: [definition.reportStream],
  })
  const wrong = report.figures.filter((figure) => isNew(figure) && report.months.has(figure.period))
  const before = await selectDocuments(work, wrong)
  const last = await rereadFigures(work, report, { figures: wrong, streamNames: ledger.datedStreams })
  const after = await selectDocuments(work, orderForLookup(last.figures, before))
  const isReadAgain = (figure: TieOutFigure): boolean =>
    last.months.has(figure.period) || wasRereadRecently(figure, former, now)
  const lines = buildLines({
    figures: last.figures,
    before,
    after,
    wasReread: isReadAgain,
    addressOf: definition.addressOf,
  })
  const readAgainAt = (line: TieOutResultLine): number | undefined =>
    line.state !== 'red' ? undefined : last.months.has(line.period) ? now : former.get(figureKey(line))?.rereadAt
  const about = of === null ? '' : ` of ‘${of.name}’`
  const mended = [...last.months].filter(
    (month) => !lines.some((line) => line.state === 'red' && line.period === month),
  )
  if (mended.length > 0)
    request.log(
      `Tie-out${about}: ${mended.map(monthName).join(', ')} differed at first and was read again.${describeUnannouncedChanges(lines)}`,
    )
  const { state, notice, logText } = summariseLines(lines, last.fault)
  request.log(`Tie-out${about}: ${logText}`)
  const summary = { company: company.name, currency: company.currency, basis: ledger.basis, checkedAt: new Date(now) }
  return {
    result: { state, notice, ...summary, mended, lines, fault: last.fault },
    lines: lines.map((line) => ({ line, rereadAt: readAgainAt(line) })),
  }
}

/** The months that were read again, and the figures afterwards. */
interface RereadFiguresResult extends RereadResult {
  readonly figures: readonly TieOutFigure[]
}

interface RereadInput {
  readonly figures: readonly TieOutFigure[]
  /** Names of the streams to read. */
  readonly streamNames: readonly string[]
}

async function rereadFigures(
  work: TieOutWork,
  before: RereadFiguresResult,
  { figures, streamNames }: RereadInput,
): Promise<RereadFiguresResult> {
  if (figures.length === 0 || before.fault !== null) return { ...before, months: new Set() }
  const streams = streamNames.flatMap((name) => work.streams.get(name) ?? [])
  const again = await rereadMonths(work.request, { streams, company: work.of }, monthsOf(figures))
  return { ...again, figures: again.months.size === 0 ? before.figures : await selectFigures(work) }
}

/** True if its month was read again within the last day, and the figure has not changed since. */
function wasRereadRecently(figure: TieOutFigure, former: RereadFigures, now: number): boolean {
  const last = former.get(figureKey(figure))
  const isSame = last?.computed === figure.computed && last.reported === figure.reported
  return isSame && now - last.rereadAt < rereadIntervalMs
}

/** Orders figures for the limited lookup of documents: unexplained ones, corrected ones, then the rest that differ. */
function orderForLookup(
  figures: readonly TieOutFigure[],
  before: ReadonlyMap<string, unknown>,
): readonly TieOutFigure[] {
  const unexplained = figures.filter(isUnexplained)
  const mended = figures.filter((figure) => !differs(figure) && before.has(figureKey(figure)))
  return [...unexplained, ...mended, ...figures.filter((figure) => differs(figure) && !isUnexplained(figure))]
}
