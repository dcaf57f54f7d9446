/** The port of a source. A connector author implements it as one object in one folder. */
import type { AccessTokenProvider, OAuthProvider } from './oauth.ts'
import type { ApprovedHosts, CustomerDescription } from './approved-hosts.ts'
import type { CallMeter } from './call-meter.ts'
import type { CompanySet } from './companies.ts'
import type { Clock } from './clock.ts'
import type { ClosedPeriodDefinition } from './closed-periods.ts'
import type { DocumentSample, NoSample, SampleRequest } from './document-sample.ts'
import type { Fault } from './faults.ts'
import type { RowBatch, Checkpoint, RowEncoding, Table } from './model.ts'
import type { Network } from './network.ts'
import type { ConnectionTestResult, ConnectorSettingsSection } from './settings.ts'
import type { QuestionSet } from './questions.ts'
import type { RowCondition } from './table-rules.ts'
import type { TieOutDefinition } from './tie-out.ts'
import type { RateLimiters } from './rate-limit.ts'
import type { SourceTable } from './verified-table.ts'

/** Dependencies of an open source or target. */
export interface ConnectionContext {
  readonly network: Network
  readonly clock: Clock
  readonly signal: AbortSignal
  /** For sources that people authorise with OAuth. */
  readonly accessTokens?: AccessTokenProvider
  /** For sources that customers describe. Absent: no host is approved, so such a source does not open. */
  readonly approvedHosts?: ApprovedHosts
  /** Rate limiters shared with other processes. Absent: the limits of a source apply within this process only. */
  readonly rateLimiters?: RateLimiters | undefined
  /** Counts the calls to the API of a source and holds them back once its allowance is used. Absent: neither. */
  readonly calls?: CallMeter | undefined
  /** The only folder of this server where a catalog of Iceberg may be. Absent: in none. */
  readonly lakeFolder?: string | undefined
  /** Sees every call to the API of a source and its reply, for a person who tries a description. */
  readonly observe?: ((exchange: ObservedExchange) => void) | undefined
}

/** Headers, address and reply have secrets in them. */
export interface ObservedExchange {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Null if there was no complete reply. */
  readonly reply: {
    readonly status: number
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
    readonly body: Uint8Array
  } | null
}

export interface Source<Settings = unknown> {
  readonly type: string
  readonly title: string
  /** One line for the catalogue: the prerequisites of a connection. */
  readonly needs: string
  /** One sentence: the data that it provides. */
  readonly description: string
  /** Steps to find the settings in the source. */
  readonly guide: readonly string[]
  /** The bundles in which its streams are licensed. Absent: everything belongs to the base bundle. */
  readonly bundles?: readonly StreamBundle[]
  readonly sections: readonly ConnectorSettingsSection[]
  /** The documented limit of calls for one connection. Absent: none. */
  readonly callLimit?: CallLimit
  /** Terms of the source that restrict what assistants may do with its data. Its tables are then closed to them until they are confirmed. */
  readonly assistantTerms?: AssistantTerms
  /** Set if the source has a ledger whose closed periods can be watched. */
  readonly closedPeriods?: ClosedPeriodDefinition
  /** Set if people authorise the connector at the source instead of entering credentials. */
  readonly oauth?: OAuthProvider
  /** Set if customers describe the source. It opens only if every host is among the approved ones of its context. */
  readonly customer?: CustomerDescription<Settings>
  /**
   * Parses the stored properties.
   * @throws Fault `settings`, with the field that must change
   */
  parse(properties: ConnectorProperties): Settings
  open(settings: Settings, context: ConnectionContext): Promise<OpenSource>
}

export interface AssistantTerms {
  /** The title of the document. */
  readonly name: string
  readonly address: string
  /** One sentence: what they forbid. */
  readonly restriction: string
}

export interface CallLimit {
  readonly calls: number
  readonly per: 'day' | 'minute'
}

/** A named set of streams, licensed together. Every connector includes the base bundles. */
export interface StreamBundle {
  readonly id: string
  readonly base: boolean
  readonly title: string
  readonly description: string
  /** The names of its streams, as far as they are known without a connection. */
  readonly streams: readonly string[]
}

/** The bundle of streams without one. */
export const baseBundle = 'Base'

/** A connector's properties by name, with decrypted secrets. Hold them only while the source is open. */
export type ConnectorProperties = { readonly [name: string]: unknown }

export interface OpenSource extends AsyncDisposable {
  /**
   * Identifies the company or database; not a secret. If the stored rows have another origin, the stream is read in
   * full and replaces them. Absent if the keys of the rows identify their company.
   */
  readonly origin?: string | undefined
  /** Named checks in order: reachable, login, privileges. After the first failure the rest is `skipped`. */
  check(): Promise<readonly ConnectionTestResult[]>
  /** Every stream that the credentials may read. */
  streams(): Promise<readonly Stream[]>
  /**
   * Expected streams that are unavailable: selected in the settings or moved by earlier runs, but dropped, renamed or
   * no longer readable. Absent if nothing is selected by name.
   * @param moved names of the streams that earlier runs have moved
   */
  missingSelections?(moved?: readonly string[]): Promise<readonly MissingSelection[]>
  /** Existing tables that the credentials may not read. Absent if the source does not list them. */
  unreadableTables?(): Promise<readonly MissingSelection[]>
  read(stream: Stream, request: ReadRequest): AsyncIterable<RowBatch>
  /**
   * The checkpoint from which to read all changes since a time; null if the source cannot provide it. Absent: it never
   * can.
   */
  checkpointAt?(stream: Stream, moment: Date): Promise<Checkpoint | null>
  /**
   * Whether an incremental run skips a stream to save its rate budget, because it was read recently. Absent: no stream
   * is skipped.
   * @param checkpoint where the last read stopped
   */
  isFreshEnough?(stream: Stream, checkpoint: Checkpoint): boolean
  /**
   * Yields the complete keys of the source, encoded as `text`, with the key columns in order.
   * Absent if the source reports deletions, or cannot list its keys.
   * @param request only if `keysWithColumns`
   */
  keys?(stream: Stream, request?: KeysRequest): AsyncIterable<RowBatch>
  /** `keys` can yield values of other columns after those of the key. */
  readonly keysWithColumns?: true
  /**
   * Yields the rows with these keys and their children, without a checkpoint. A deleted key yields nothing; additional
   * rows are allowed. Absent: if the key comparison finds missing rows, the stream is read from the beginning.
   * @param keys rows of key values, encoded as in `keys`
   */
  readByKey?(stream: Stream, keys: Uint8Array, request: KeyReadRequest): AsyncIterable<RowBatch>
  /**
   * Whether everything that contributed to this checkpoint is visible now. If not, keys are not compared: rows that are
   * hidden for a while would be deleted, and later reads from the checkpoint would not restore them. Absent: always.
   */
  seesAllRows?(stream: Stream, checkpoint: Checkpoint): Promise<boolean>
  /**
   * Opens a table for verification by checksums. Absent: see `sample`.
   * @param since the checkpoint that decides which rows are newer
   */
  verifiedTable?(stream: Stream, since: Checkpoint | null): Promise<SourceTable>
  /**
   * Reads some documents again, or all of a short list, and counts. Only for sources without `verifiedTable`. Absent: their rows cannot
   * be compared.
   */
  sample?(stream: Stream, request: SampleRequest): Promise<DocumentSample | NoSample>
  /** Set if several companies share its tables. Streams with the column of the companies have a checkpoint for each of them. */
  readonly companies?: CompanySet
  /** Set if the source has a report that its rows must add up to. */
  readonly tieOut?: TieOutDefinition
  /** Set if there are views that answer common questions about its rows. */
  readonly questions?: QuestionSet
}

/** An expected stream that is unavailable. */
export interface MissingSelection {
  readonly name: string
  /** Moved by earlier runs, not selected by name, and dropped at the source: a schema change, not a fault. */
  readonly isGone?: true
  /** SQL that makes it available when the database's owner runs it. */
  readonly remedy?: string
}

/** The unit of reading, with one checkpoint: a table and its child tables, if any. */
export interface Stream {
  /** Unique in the source: `public.invoice`, `saleList`. */
  readonly name: string
  readonly table: Table
  readonly children: readonly Table[]
  /** `since`: can be read from a checkpoint. `whole`: every run reads all rows. */
  readonly reads: 'since' | 'whole'
  /** The id of its bundle. */
  readonly bundle?: string
  /** For people: why a `whole` stream cannot be read from a checkpoint. */
  readonly wholeReason?: string
  /** For people: how changed and deleted rows of a `since` stream are found, if that differs from stream to stream. */
  readonly readingNote?: string
  /** Within one read every key occurs at most once, so targets skip deduplication. */
  readonly hasDistinctKeys: boolean
  /** The column of its table with the source's own time of the last change of a row, for history. Absent if it has no such column. */
  readonly changedAtColumn?: string
  /** Set if COPY binary is available. Equal fingerprints mean the same column types in the same order. */
  readonly binaryFingerprint?: string
  /** Set if the encoding `plain` is available, too. */
  readonly offersPlain?: true
  /** Reads are slow, such as one call per row. The first load merges, so that rows become visible while it runs. */
  readonly isSlow?: boolean
  /**
   * How often keys are compared: `daily` if listing them costs calls, `never` if reads report deletions. Absent:
   * depends on the table's size.
   */
  readonly keyComparison?: 'daily' | 'never'
  /** The source's estimate, for progress. */
  readonly rowsEstimate?: number
  /**
   * Changes whenever the definition of the table changes. Then all rows are read again, because a swapped column leaves
   * no trace in them. Absent if the source detects this itself.
   */
  readonly definition?: string
  /** Columns of the source's table that the settings exclude. */
  readonly excludedColumns?: readonly string[]
  /** Identifies the rules that filter its rows and mask its values. When they change, all rows are read again and replaced. */
  readonly rules?: string
  /** For people: which rows it has, if a filter leaves rows of the source out. */
  readonly filteredTo?: string
  /** Its rows are of the companies of the source, and its checkpoint has one for each of them. */
  readonly isByCompany?: true
  /** The keys that the source lists include those of rows that a filter leaves out. */
  readonly hasUnfilteredKeys?: true
  /**
   * Why it cannot be read, if known in advance. The stream fails with it, and its table in the target stays unchanged.
   */
  readonly fault?: Fault
}

export type KeyReadRequest = Pick<ReadRequest, 'encoding' | 'log'>

export interface KeysRequest {
  /** Id of the company whose keys are listed. Only for streams by company. */
  readonly company?: string
  /** Names of columns of the main table that follow the key. */
  readonly columns: readonly string[]
  /** See `ReadRequest`. */
  readonly conditions: readonly RowCondition[]
}

export interface ReadRequest {
  /** Null: read from the beginning. */
  readonly since: Checkpoint | null
  /** `binary` only if the target accepts the stream's fingerprint, `plain` only if the stream offers it. */
  readonly encoding: RowEncoding
  /**
   * Read only rows dated in these months, each given by its first day (`2026-03-01`). `since` is ignored, and no
   * checkpoint is yielded. Set only for the streams that the source's tie-out names.
   */
  readonly months?: readonly string[]
  /**
   * Rows that do not fulfil all of them may be left out, as far as the source is sure about their meaning. The caller decides about the
   * rest. Absent: all rows.
   */
  readonly conditions?: readonly RowCondition[]
  /** Ids of the companies to read; absent: all. Only for streams by company. */
  readonly companies?: readonly string[]
  /** The rows replace all those of the table, or of these companies. */
  readonly replaces?: true
  /** Writes a line to the run's log, such as a skipped page or a detail queue that continues tomorrow. */
  readonly log: (line: string) => void
}
