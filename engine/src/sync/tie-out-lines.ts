/** The result lines of a tie-out and its summary in words. Pure. */
import type { Fault } from '../ports/faults.ts'
import type { TieOutDefinition, TieOutResultDocument, TieOutResultLine, TieOutResultState } from '../ports/tie-out.ts'
import {
  findChangedDocuments,
  differs,
  type TieOutFigure,
  type FigureDocument,
  figureKey,
  monthName,
  monthsOf,
} from './tie-out-figures.ts'

/** Documents by `figureKey`. */
type DocumentsByFigure = ReadonlyMap<string, readonly FigureDocument[]>

export interface TieOutFindings {
  readonly figures: readonly TieOutFigure[]
  /** Documents before and after months were read again. */
  readonly before: DocumentsByFigure
  readonly after: DocumentsByFigure
  /** Whether a figure's month was read again, in this run or recently. */
  readonly wasReread: (figure: TieOutFigure) => boolean
  readonly addressOf: TieOutDefinition['addressOf']
}

export function buildLines(findings: TieOutFindings): readonly TieOutResultLine[] {
  return findings.figures.map((figure) => {
    const documents = selectLineDocuments(findings, figure)
    const { state, notice } = judgeFigure(findings, figure, documents)
    const { period, accountId, code, name, computed, reported, difference } = figure
    return { period, accountId, code, name, computed, reported, difference, state, notice, documents }
  })
}

function judgeFigure(
  { before, wasReread }: TieOutFindings,
  figure: TieOutFigure,
  documents: readonly TieOutResultDocument[],
): { readonly state: TieOutResultState; readonly notice: string | null } {
  if (!differs(figure))
    return { state: 'green', notice: before.has(figureKey(figure)) ? describeCorrection(documents.length) : null }
  if (figure.reason !== null) return { state: 'amber', notice: figure.reason }
  if (wasReread(figure)) return { state: 'red', notice: 'The month was read again, and the account still differs.' }
  return { state: 'amber', notice: notRereadYet }
}

const notRereadYet = 'The account differs, and the month has not been read again yet.'

function describeCorrection(documents: number): string {
  const which =
    documents === 1 ? '1 document had changed unannounced' : `${documents} documents had changed unannounced`
  return documents === 0
    ? 'It differed until the month was read again.'
    : `It differed until the month was read again: ${which}.`
}

/** For a figure that agrees now, only the documents that had changed. */
function selectLineDocuments(
  { before, after, addressOf }: TieOutFindings,
  figure: TieOutFigure,
): readonly TieOutResultDocument[] {
  const found = after.get(figureKey(figure)) ?? []
  const former = before.get(figureKey(figure))
  const quiet = former === undefined ? new Set() : findChangedDocuments(former, found)
  return found
    .filter((document) => differs(figure) || quiet.has(document))
    .map((document) => ({ ...document, wasQuiet: quiet.has(document), address: addressOf(document) }))
}

export interface TieOutVerdict {
  readonly state: TieOutResultState
  readonly notice: string | null
  /** The summary for the log. */
  readonly logText: string
}

/** @param fault why not all differing months could be read again; null if they were */
export function summariseLines(lines: readonly TieOutResultLine[], fault: Fault | null): TieOutVerdict {
  if (lines.length === 0) return { state: 'amber', notice: noFiguresYet, logText: noFiguresYet }
  const notices = listNotices(lines, fault)
  const green = lines.filter((line) => line.state === 'green').length
  const equal = `${formatCount(green)} ${green === 1 ? 'figure' : 'figures'} equal to the cent.`
  const isRed = lines.some((line) => line.state === 'red')
  const state = isRed ? 'red' : notices.length > 0 ? 'amber' : 'green'
  return { state, notice: notices.length === 0 ? null : notices.join(' '), logText: [...notices, equal].join(' ') }
}

function listNotices(lines: readonly TieOutResultLine[], fault: Fault | null): readonly string[] {
  const red = lines.filter(({ state }) => state === 'red')
  const amber = lines.filter(({ state }) => state === 'amber')
  const waiting = amber.filter(({ notice }) => notice === notRereadYet).length
  const beyond = amber.length - waiting
  return [
    ...(red.length > 0 ? [`${describeDifferingMonths(red)}.`] : []),
    ...(waiting > 0 ? [`${describeDifferingFigures(waiting)} and will be read again.`] : []),
    ...(beyond > 0 ? [`${describeDifferingFigures(beyond)} by what the source books by itself.`] : []),
    ...(fault === null ? [] : [fault.notice]),
  ]
}

const noFiguresYet = 'The source’s report has no figures to compare with yet.'

const formatCount = (of: number): string => of.toLocaleString('en-GB')

function describeDifferingFigures(of: number): string {
  return of === 1 ? '1 figure differs' : `${formatCount(of)} figures differ`
}

/** `2 accounts differ in March 2026, 1 in April 2026`, for the latest three months. */
function describeDifferingMonths(lines: readonly TieOutResultLine[]): string {
  const months = monthsOf(lines)
  const latest = months.slice(0, 3).map((month, at) => {
    const accounts = lines.filter(({ period }) => period === month).length
    const what = at > 0 ? String(accounts) : accounts === 1 ? '1 account differs' : `${accounts} accounts differ`
    return `${what} in ${monthName(month)}`
  })
  return `${latest.join(', ')}${months.length > latest.length ? ` and more in ${months.length - latest.length} months before` : ''}`
}

/** Names the first few documents that had changed unannounced, for the log. */
export function describeUnannouncedChanges(lines: readonly TieOutResultLine[]): string {
  const named = lines.flatMap(({ documents }) => documents.filter(({ wasQuiet }) => wasQuiet))
  const quiet = [...new Set(named.map(({ kind, id, number }) => `${kind} ${number ?? id}`))]
  if (quiet.length === 0) return ''
  const rest = quiet.length - unannouncedNamedMax
  return ` Changed unannounced: ${quiet.slice(0, unannouncedNamedMax).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`
}

const unannouncedNamedMax = 5
