/** The tie-out port: how a source's rows in a target are compared with the source's own report. */
import type { NamedCompany } from './companies.ts'
import type { Fault } from './faults.ts'
import type { StatementNames } from './view-names.ts'

export type TieOutResultState = 'green' | 'amber' | 'red'

export interface TieOutDefinition {
  /** Names of the streams that the computation needs. Without one of them the tie-out is skipped. */
  readonly requiredStreams: readonly string[]
  /** The stream with the source's own monthly report. */
  readonly reportStream: string
  /** A SELECT with one row: the company's name and base currency. */
  company(names: StatementNames): string
  /** How the figures are computed. @param streams names of the moved streams */
  ledger(streams: ReadonlySet<string>): Ledger
  /** The URL of a document at the source; null if it has none. */
  addressOf(document: { readonly kind: string; readonly id: string }): string | null
}

/** SELECTs over the target's tables and views. Amounts have two decimals. */
export interface Ledger {
  readonly basis: 'documents' | 'journals'
  /** Streams with dated rows that may change unannounced. They are read again for months that differ. */
  readonly datedStreams: readonly string[]
  /** Views in the order of creation. People's reports may use them, too. */
  readonly views: readonly LedgerView[]
  /**
   * One row per account and month: month, account id, code, name, computed, reported, and why the rows cannot explain a
   * difference (null: they should). Amounts are movements in base currency, debit positive.
   */
  selectFigures(names: StatementNames): string
  /**
   * The documents behind the computed figures of these cells: month, account id, kind, id, number, date, contact,
   * amount. The latest 500 per cell.
   */
  selectDocuments(names: StatementNames, of: readonly LedgerCell[]): string
}

export interface LedgerView {
  readonly name: string
  select(names: StatementNames): string
}

/** An account in a month, as `selectFigures` returns them. */
export interface LedgerCell {
  readonly month: string
  readonly accountId: string
}

export interface TieOutResult {
  readonly state: TieOutResultState
  /** For people: why it is not green. */
  readonly notice: string | null
  readonly company: string
  readonly currency: string | null
  readonly basis: 'documents' | 'journals'
  readonly checkedAt: Date
  /** Months that differed at first, and agree after they were read again. */
  readonly mended: readonly string[]
  readonly lines: readonly TieOutResultLine[]
  /** Why the tie-out is incomplete, for the log. */
  readonly fault: Fault | null
  /** Set if several companies share the tables: each of them compared with its own report. */
  readonly companies?: readonly CompanyTieOut[]
}

export interface CompanyTieOut extends NamedCompany {
  readonly state: TieOutResultState
  readonly notice: string | null
  readonly currency: string | null
  /** False: it could not be read completely, so it has no lines. */
  readonly compared: boolean
}

export interface TieOutResultLine {
  /** Id of its company, if several share the tables. */
  readonly company?: string
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
  /**
   * Up to 500 documents of a figure that differs. For a figure that agrees again, those that had changed unannounced.
   */
  readonly documents: readonly TieOutResultDocument[]
}

export interface TieOutResultDocument {
  readonly kind: string
  readonly id: string
  readonly number: string | null
  readonly date: string
  readonly contact: string | null
  readonly amount: string
  /** The source had changed it unannounced, which the second read found. */
  readonly wasQuiet: boolean
  readonly address: string | null
}
