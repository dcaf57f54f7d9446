/** The port of closed periods: how a source's documents in closed periods are compared between two runs. */
import type { Fault } from './faults.ts'
import type { StatementNames } from './view-names.ts'

export interface ClosedPeriodDefinition {
  /** Names of the streams without which nothing is compared. */
  readonly requiredStreams: readonly string[]
  /** Set if the source reports lock dates. */
  readonly lockDates?: LockDateDefinition
  /** @param streams names of the moved streams */
  ledger(streams: ReadonlySet<string>): ClosedPeriodLedger
  /** The URL of a document at the source; null if it has none. */
  addressOf(document: { readonly kind: string; readonly id: string }): string | null
}

export interface LockDateDefinition {
  /** The stream with the lock dates. While closed periods are on, every run reads it. */
  readonly stream: string
  /** A SELECT with one row: the lock date of periods, and that of financial years. Documents up to each day are locked. */
  select(names: StatementNames): string
}

/** SELECTs over the target's tables. They read no views. */
export interface ClosedPeriodLedger {
  /** Names of the streams that the SELECTs read. Their tables need history. */
  readonly streams: readonly string[]
  /**
   * What documents post: `date`, `kind`, `document_id`, `document_number`, `contact`, `account_id`, `account_code`,
   * `account_name`, `amount`, and the columns of `compared`. Ids and amounts are not null.
   */
  postings(names: StatementNames): string
  /**
   * `amounts`: a document has changed if its number, its date or its amount on an account has. `rows`: or if any of its rows
   * has.
   */
  readonly compares: 'amounts' | 'rows'
  /** Further columns of `postings` that are compared. */
  readonly compared: readonly string[]
  /**
   * Every document, also those that post nothing: `kind`, `document_id`, `status` (`VOIDED`, `DELETED` or another), `changed_at`.
   * Absent: the source has none of these facts.
   */
  documents?(names: StatementNames): string
}

/** A table with dated rows, as an administrator describes it. Names are those of the source. */
export interface DatedTable {
  readonly stream: string
  readonly dateColumn: string
  /** Rows with the same number are one document. Null: each row is one. */
  readonly numberColumn: string | null
  readonly accountColumn: string | null
  readonly amountColumn: string | null
}

export interface ClosedPeriodRequest {
  /** Identifies the settings; the result repeats it. */
  readonly version: string
  /** The cut-off up to which earlier runs were examined; null before the first. */
  readonly examinedUpTo: string | null
  /** The run that examined up to it. If it is this run, an earlier attempt of it did. */
  readonly examinedBy: string | null
  /** The cut-off from which that run examined. */
  readonly examinedFrom: string | null
  /** Documents up to this day were closed at `examinedUpTo`; null: none. */
  readonly closedThrough: string | null
  /** The same at `examinedFrom`. */
  readonly closedThroughBefore: string | null
  /** For a source without a ledger. Null: the source's own ledger. */
  readonly table: DatedTable | null
  /** The day that an administrator has set; the result repeats it. */
  readonly administratorDate: string | null
}

export interface LockDates {
  readonly period: string | null
  readonly yearEnd: string | null
}

export interface ClosedPeriodExamination extends Pick<ClosedPeriodRequest, 'version' | 'administratorDate'> {
  /** Null: nothing was compared, because this is the first examination, or there is no history back to the last one. */
  readonly from: string | null
  readonly upTo: string
  /** Documents up to this day were compared; null: none. */
  readonly closedThrough: string | null
  /** As the source reports them now; null if it reports none. */
  readonly lockDates: LockDates | null
  readonly changes: readonly ClosedPeriodChange[]
  /** For people: why the examination began again. */
  readonly notice: string | null
}

/** The examination could not be made. The next run examines from the same cut-off. */
export interface FailedExamination extends Pick<ClosedPeriodRequest, 'version'> {
  readonly fault: Fault
}

export const changeKinds = ['added', 'changed', 'voided', 'deleted'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface ClosedPeriodChange {
  readonly change: ChangeKind
  /** The kind of document: `Invoice`. */
  readonly kind: string
  readonly id: string
  /** Null: it posted nothing. */
  readonly before: DocumentState | null
  readonly after: DocumentState | null
  /** By account: the amount in the closed period before and after. */
  readonly moved: readonly MovedAmount[]
  /** The source's own time of the last change, ISO 8601; null if it has none. */
  readonly changedAt: string | null
  readonly address: string | null
}

export interface DocumentState {
  /** Its dates, the earliest first. */
  readonly dates: readonly string[]
  readonly number: string | null
  readonly contact: string | null
  /** What it posts to each account, whatever the date. */
  readonly postings: readonly AccountAmount[]
}

export interface AccountAmount {
  readonly accountId: string
  readonly code: string | null
  readonly name: string | null
  /** An exact decimal, debit positive. */
  readonly amount: string
}

export interface MovedAmount {
  readonly accountId: string
  readonly code: string | null
  readonly name: string | null
  readonly before: string
  readonly after: string
  readonly moved: string
}
