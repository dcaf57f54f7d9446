/** The figures of a tie-out: parsing, comparison, formatting. Pure. */
import type { TieOutResultDocument } from '../ports/tie-out.ts'

export type SelectedRow = readonly (string | null)[]

/** One account in one month. */
export interface TieOutFigure {
  /** First day of the month. */
  readonly period: string
  readonly accountId: string
  readonly code: string | null
  readonly name: string
  readonly computed: string
  readonly reported: string
  readonly difference: string
  /** Why the rows cannot explain a difference; null if they should. */
  readonly reason: string | null
}

export function toFigure(row: SelectedRow): TieOutFigure {
  const [period, accountId, code, name, computed, reported, reason] = row
  const [left, right] = [toCents(computed), toCents(reported)]
  return {
    period: period ?? '',
    accountId: (accountId ?? '').toLowerCase(),
    code: code ?? null,
    name: name ?? '',
    computed: fromCents(left),
    reported: fromCents(right),
    difference: fromCents(left - right),
    reason: reason ?? null,
  }
}

export function differs({ computed, reported }: Pick<TieOutFigure, 'computed' | 'reported'>): boolean {
  return computed !== reported
}

/** True if it differs for no known reason. */
export function isUnexplained(figure: TieOutFigure): boolean {
  return differs(figure) && figure.reason === null
}

export function figureKey({ period, accountId }: Pick<TieOutFigure, 'period' | 'accountId'>): string {
  return `${period} ${accountId}`
}

/** The months of these figures, newest first. */
export function monthsOf(figures: readonly Pick<TieOutFigure, 'period'>[]): readonly string[] {
  return [...new Set(figures.map(({ period }) => period))].toSorted().toReversed()
}

export type FigureDocument = Omit<TieOutResultDocument, 'wasQuiet' | 'address'>

export function toDocument(row: SelectedRow): FigureDocument {
  const [kind, id, number, date, contact, amount] = row
  return {
    kind: kind ?? '',
    id: (id ?? '').toLowerCase(),
    number: nullIfEmpty(number),
    date: date ?? '',
    contact: nullIfEmpty(contact),
    amount: fromCents(toCents(amount)),
  }
}

function nullIfEmpty(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

/** The documents that are new or count differently than before. A renamed contact does not matter to the ledger. */
export function findChangedDocuments(
  before: readonly FigureDocument[],
  documents: readonly FigureDocument[],
): ReadonlySet<FigureDocument> {
  const countOf = ({ kind, id, date, amount }: FigureDocument): string => [kind, id, date, amount].join(' ')
  const known = new Set(before.map(countOf))
  return new Set(documents.filter((document) => !known.has(countOf(document))))
}

const written = /^(-?)(\d+)(?:\.(\d{1,2})\d*)?$/

/** Exact for amounts of any size. */
function toCents(text: string | null | undefined): bigint {
  const [, sign = '', whole = '0', part = ''] = written.exec(text ?? '') ?? []
  const cents = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

function fromCents(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const monthNames = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** For people: `March 2026`. */
export function monthName(period: string): string {
  return monthNames.format(Date.parse(period))
}
