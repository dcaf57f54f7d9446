/** What is told of a tie-out: its lines, and the words for the whole. Pure. */
import type { Fault } from '../ports/faults.ts'
import type { TieOut, TieOutDocument, TieOutLine, TieOutState } from '../ports/tie-out.ts'
import {
  changedSince,
  differs,
  type Figure,
  type FoundDocument,
  keyOf,
  monthName,
  monthsOf,
} from './tie-out-figures.ts'

/** Documents behind figures, by the figures' keys. */
type Behind = ReadonlyMap<string, readonly FoundDocument[]>

export interface Findings {
  readonly figures: readonly Figure[]
  /** Before months were read again, and now. */
  readonly before: Behind
  readonly after: Behind
  /** Whether a figure's month was read again, in this run or not long ago. */
  readonly isReadAgain: (figure: Figure) => boolean
  readonly addressOf: TieOut['addressOf']
}

export function linesOf(findings: Findings): readonly TieOutLine[] {
  return findings.figures.map((figure) => {
    const documents = documentsOf(findings, figure)
    const { state, notice } = verdictOf(findings, figure, documents)
    const { period, accountId, code, name, computed, reported, difference } = figure
    return { period, accountId, code, name, computed, reported, difference, state, notice, documents }
  })
}

function verdictOf(
  { before, isReadAgain }: Findings,
  figure: Figure,
  documents: readonly TieOutDocument[],
): { readonly state: TieOutState; readonly notice: string | null } {
  if (!differs(figure)) return { state: 'green', notice: before.has(keyOf(figure)) ? mendedBy(documents.length) : null }
  if (figure.reason !== null) return { state: 'amber', notice: figure.reason }
  if (isReadAgain(figure)) return { state: 'red', notice: 'The month was read again, and the account still differs.' }
  return { state: 'amber', notice: notReadAgain }
}

const notReadAgain = 'The account differs, and the month has not been read again yet.'

function mendedBy(documents: number): string {
  const which =
    documents === 1 ? '1 document had changed unannounced' : `${documents} documents had changed unannounced`
  return documents === 0
    ? 'It differed until the month was read again.'
    : `It differed until the month was read again: ${which}.`
}

/** Of a figure that agrees now, only what had changed. */
function documentsOf({ before, after, addressOf }: Findings, figure: Figure): readonly TieOutDocument[] {
  const found = after.get(keyOf(figure)) ?? []
  const former = before.get(keyOf(figure))
  const quiet = former === undefined ? new Set() : changedSince(former, found)
  return found
    .filter((document) => differs(figure) || quiet.has(document))
    .map((document) => ({ ...document, wasQuiet: quiet.has(document), address: addressOf(document) }))
}

export interface Verdict {
  readonly state: TieOutState
  readonly notice: string | null
  /** For the log, after what was mended. */
  readonly words: string
}

/** @param fault why not all months that differ could be read again. */
export function concludeLines(lines: readonly TieOutLine[], fault: Fault | null): Verdict {
  if (lines.length === 0) return { state: 'amber', notice: nothingYet, words: nothingYet }
  const notices = noticesOf(lines, fault)
  const green = lines.filter((line) => line.state === 'green').length
  const equal = `${count(green)} ${green === 1 ? 'figure' : 'figures'} equal to the cent.`
  const isRed = lines.some((line) => line.state === 'red')
  const state = isRed ? 'red' : notices.length > 0 ? 'amber' : 'green'
  return { state, notice: notices.length === 0 ? null : notices.join(' '), words: [...notices, equal].join(' ') }
}

function noticesOf(lines: readonly TieOutLine[], fault: Fault | null): readonly string[] {
  const red = lines.filter(({ state }) => state === 'red')
  const amber = lines.filter(({ state }) => state === 'amber')
  const waiting = amber.filter(({ notice }) => notice === notReadAgain).length
  const beyond = amber.length - waiting
  return [
    ...(red.length > 0 ? [`${whereItDiffers(red)}.`] : []),
    ...(waiting > 0 ? [`${figuresDiffer(waiting)} and will be read again.`] : []),
    ...(beyond > 0 ? [`${figuresDiffer(beyond)} by what the source books by itself.`] : []),
    ...(fault === null ? [] : [fault.notice]),
  ]
}

const nothingYet = 'The source’s report has no figures to compare with yet.'

const count = (of: number): string => of.toLocaleString('en-GB')

function figuresDiffer(of: number): string {
  return of === 1 ? '1 figure differs' : `${count(of)} figures differ`
}

/** `2 accounts differ in March 2026, 1 in April 2026`; the latest three months. */
function whereItDiffers(lines: readonly TieOutLine[]): string {
  const months = monthsOf(lines)
  const told = months.slice(0, 3).map((month, at) => {
    const accounts = lines.filter(({ period }) => period === month).length
    const what = at > 0 ? String(accounts) : accounts === 1 ? '1 account differs' : `${accounts} accounts differ`
    return `${what} in ${monthName(month)}`
  })
  return `${told.join(', ')}${months.length > told.length ? ` and more in ${months.length - told.length} months before` : ''}`
}

/** The first few documents that had changed unannounced, for the log. */
export function quietWords(lines: readonly TieOutLine[]): string {
  const named = lines.flatMap(({ documents }) => documents.filter(({ wasQuiet }) => wasQuiet))
  const quiet = [...new Set(named.map(({ kind, id, number }) => `${kind} ${number ?? id}`))]
  if (quiet.length === 0) return ''
  const rest = quiet.length - quietTold
  return ` Changed unannounced: ${quiet.slice(0, quietTold).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`
}

const quietTold = 5
