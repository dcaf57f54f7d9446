/** What a source offers so that its rows in a target can be proven against its own report. */
import type { Fault } from './faults.ts'
import type { StatementNames } from './view-names.ts'

export type TieOutResultState = 'green' | 'amber' | 'red'

export interface TieOutDefinition {
  /** The names of the streams that the computation needs; it is left out where one of them is not moved. */
  readonly requiredStreams: readonly string[]
  /** The stream that holds the source's own report, month by month. */
  readonly reportStream: string
  /** One row: the company's name and its base currency. */
  company(words: StatementNames): string
  /** How the figures are computed. @param streams the names of those that are moved. */
  ledger(streams: ReadonlySet<string>): Ledger
  /** Where a person looks at a document at the source; null where there is no such place. */
  addressOf(document: { readonly kind: string; readonly id: string }): string | null
}

/** SELECTs over the target's tables, and over views of these. Amounts have two decimals. */
export interface Ledger {
  readonly basis: 'documents' | 'journals'
  /** The streams whose rows have a date and may change unannounced: what is read again where a month differs. */
  readonly datedStreams: readonly string[]
  /** Views in the order in which they can be made; reports may use them, too. */
  readonly views: readonly LedgerView[]
  /**
   * One row for each account and month: month, account id, code, name, computed, reported, and why a difference would be beyond
   * the rows (null: it would not). Amounts are movements in base currency, debit positive.
   */
  selectFigures(words: StatementNames): string
  /** What makes up the computed figures of these: month, account id, kind, id, number, date, contact, amount; the latest five hundred of each. */
  selectDocuments(words: StatementNames, of: readonly LedgerCell[]): string
}

export interface LedgerView {
  readonly name: string
  select(words: StatementNames): string
}

/** As `compare` told them. */
export interface LedgerCell {
  readonly month: string
  readonly accountId: string
}

export interface TieOutResult {
  readonly state: TieOutResultState
  /** Why it is not green, for people. */
  readonly notice: string | null
  readonly company: string
  readonly currency: string | null
  readonly basis: 'documents' | 'journals'
  readonly checkedAt: Date
  /** Months that differed at first and agree since they were read again. */
  readonly mended: readonly string[]
  readonly lines: readonly TieOutResultLine[]
  /** What kept it from being told in whole, for the log. */
  readonly fault: Fault | null
}

export interface TieOutResultLine {
  /** First day of the month. */
  readonly period: string
  readonly accountId: string
  readonly code: string | null
  readonly name: string
  /** Exact decimals as text. */
  readonly computed: string
  readonly reported: string
  readonly difference: string
  readonly state: TieOutResultState
  readonly notice: string | null
  /** The first five hundred of an account that differs; of one that was mended, those that had changed unannounced. */
  readonly documents: readonly TieOutResultDocument[]
}

export interface TieOutResultDocument {
  readonly kind: string
  readonly id: string
  readonly number: string | null
  readonly date: string
  readonly contact: string | null
  readonly amount: string
  /** The source had changed it without saying so, and reading it again found that. */
  readonly wasQuiet: boolean
  readonly address: string | null
}
