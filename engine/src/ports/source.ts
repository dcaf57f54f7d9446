/** What a connector author writes: one object, in one folder. */
import type { AccessTokenProvider, OAuthProvider } from './oauth.ts'
import type { Clock } from './clock.ts'
import type { Fault } from './faults.ts'
import type { RowBatch, Checkpoint, RowEncoding, Table } from './model.ts'
import type { Network } from './network.ts'
import type { ConnectionCheckResult, ConnectorSettingsSection } from './settings.ts'
import type { TieOutDefinition } from './tie-out.ts'
import type { RateLimiters } from './rate-limit.ts'

/** What the engine lends to a source or target while it is open. */
export interface ConnectionContext {
  readonly network: Network
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Given to sources that people authorise. */
  readonly accessTokens?: AccessTokenProvider
  /** Paces shared with other processes. Absent: the limits of a source hold for this process alone. */
  readonly rateLimiters?: RateLimiters | undefined
}

export interface Source<Settings = unknown> {
  readonly type: string
  readonly title: string
  /** One line for the catalogue: what a person needs before they start. */
  readonly needs: string
  /** One sentence: what comes out of it. */
  readonly description: string
  /** Step by step, where in the source the settings are found. */
  readonly guide: readonly string[]
  /** What its streams are sold in; without any, everything is in one that every connector has. */
  readonly bundles?: readonly StreamBundle[]
  readonly sections: readonly ConnectorSettingsSection[]
  /** Set where a person signs in at the source instead of typing credentials. */
  readonly oauth?: OAuthProvider
  /** Turns stored properties (their values as section 7 names them) into settings, or throws a `settings` Fault naming the field. */
  parse(properties: ConnectorProperties): Settings
  open(settings: Settings, around: ConnectionContext): Promise<OpenSource>
}

/** A named set of streams. Base ones come with every connector. */
export interface StreamBundle {
  readonly id: string
  readonly base: boolean
  readonly title: string
  readonly description: string
  /** The names of its streams, where they are known before the source is asked. */
  readonly streams: readonly string[]
}

/** The bundle of a stream that names none. */
export const baseBundle = 'Base'

/** A connector's properties by name, secrets in clear; they live only as long as the source is open. */
export type ConnectorProperties = { readonly [name: string]: unknown }

export interface OpenSource extends AsyncDisposable {
  /**
   * Tells the company or database that is read from every other; no secret. What was read elsewhere is not gone on with: all is read, and
   * takes its place. Absent where every row tells by its key whose it is.
   */
  readonly origin?: string
  /** Named checks in order (reachable, login, may read …); the first failure leaves the rest `skipped`. */
  check(): Promise<readonly ConnectionCheckResult[]>
  /** Every stream that these credentials may read. */
  streams(): Promise<readonly Stream[]>
  /**
   * What cannot be had though it is expected: chosen in the settings and not among the streams (gone, renamed, not readable any more), or
   * moved by earlier runs and not readable or not there any more. Absent where nothing is chosen by name.
   * @param moved names of the streams that earlier runs have moved
   */
  missingSelections?(moved?: readonly string[]): Promise<readonly MissingSelection[]>
  /** Tables that are there and that these credentials may not read. Absent where the source does not show them. */
  unreadableTables?(): Promise<readonly MissingSelection[]>
  read(stream: Stream, request: ReadRequest): AsyncIterable<RowBatch>
  /** From where to read again what has changed since a moment; null where the source cannot tell. Absent: it never can. */
  checkpointAt?(stream: Stream, moment: Date): Promise<Checkpoint | null>
  /**
   * Whether an incremental run leaves a stream as it is, because it was read not long before and each reading costs calls.
   * @param checkpoint where the last reading stopped. Absent: no stream ever rests.
   */
  isFreshEnough?(stream: Stream, checkpoint: Checkpoint): boolean
  /**
   * Yields the keys of every row the source has now, encoded as `text`, in the stream's key columns and order.
   * Absent where deletes are told by the source or cannot be known.
   */
  keys?(stream: Stream): AsyncIterable<RowBatch>
  /**
   * Yields the rows that have these keys, with their children; a key that is gone yields nothing, and a row may come that nobody asked for.
   * No checkpoint comes with them. Absent: rows that only a comparison of keys shows are had by reading the stream from its beginning.
   * @param keys rows of key values, encoded as `keys` yields them
   */
  readByKey?(stream: Stream, keys: Uint8Array, request: KeyReadRequest): AsyncIterable<RowBatch>
  /**
   * Whether all that this checkpoint was reached with can be seen now. Where not, keys are not compared: what is hidden for a time would be
   * deleted, and taken to be there by all that goes on from the checkpoint. Absent: always.
   */
  seesAllRows?(stream: Stream, checkpoint: Checkpoint): Promise<boolean>
  /** Set where the source has a report of its own that its rows must add up to. */
  readonly tieOut?: TieOutDefinition
}

/** Something chosen by name that cannot be had. */
export interface MissingSelection {
  readonly name: string
  /** It was moved by earlier runs, nobody named it, and it is there no more: no fault, but a change to be told of. */
  readonly isGone?: true
  /** The statements by which the database's owner mends it, where that is known. */
  readonly remedy?: string
}

/** One thing that is read on its own and has one checkpoint: a table with, perhaps, child tables. */
export interface Stream {
  /** Unique in the source: `public.invoice`, `saleList`. */
  readonly name: string
  readonly table: Table
  readonly children: readonly Table[]
  /** `since` streams can be read from a checkpoint; `whole` streams are read again each time. */
  readonly reads: 'since' | 'whole'
  /** Which of the source's bundles it belongs to. */
  readonly bundle?: string
  /** In words, why a `whole` stream cannot be read from a checkpoint. */
  readonly wholeReason?: string
  /** Within one read every key comes once at most, so a target need not look for the last of several. */
  readonly hasDistinctKeys: boolean
  /** Where given, rows can be had in COPY binary; equal fingerprints mean the same column types in the same order. */
  readonly binaryFingerprint?: string
  /** Set where rows can be had in `plain`, too. */
  readonly offersPlain?: true
  /** Read so slowly (a call for each row) that a first load shows its rows as they come instead of all at the end. */
  readonly isSlow?: boolean
  /** How often its complete keys are asked for: `daily` where that costs calls, `never` where a read tells what is gone; absent, by the table's size. */
  readonly keyComparison?: 'daily' | 'never'
  /** An estimate for progress, where the source has one. */
  readonly rowsEstimate?: number
  /**
   * Another text whenever the definition of the table is another. Rows that were read under the former one are read once more, for a column
   * that was swapped leaves no trace in them. Absent where the source notices by itself.
   */
  readonly definition?: string
  /** Columns of the source's table that are left out by choice. */
  readonly excludedColumns?: readonly string[]
  /** Why it cannot be read now, where the source knows beforehand: the stream fails with it, and nothing of it is touched in the target. */
  readonly fault?: Fault
}

export type KeyReadRequest = Pick<ReadRequest, 'encoding' | 'log'>

export interface ReadRequest {
  /** Null reads from the beginning. */
  readonly since: Checkpoint | null
  /** Binary only where the target has said it takes this stream's fingerprint, plain only where the stream offers it. */
  readonly encoding: RowEncoding
  /**
   * Only rows that are dated in these months, each given by its first day (`2026-03-01`), whatever has changed in them: `since`
   * counts for nothing, and no checkpoint is yielded. Asked only of the streams that the source's tie-out names.
   */
  readonly months?: readonly string[]
  /** What the source has to say to people while it reads: a page skipped, a detail queue that goes on tomorrow. */
  readonly log: (line: string) => void
}
