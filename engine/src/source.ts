/** What a connector author writes: one object, in one folder. */
import type { Clock } from './clock.ts'
import type { Batch, Checkpoint, Encoding, Table } from './model.ts'
import type { Network } from './network.ts'
import type { CheckResult, SettingsSection } from './settings.ts'

/** What the engine lends to a source or target while it is open. */
export interface Surroundings {
  readonly network: Network
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface Source<Settings = unknown> {
  readonly type: string
  readonly title: string
  /** One line for the catalogue: what a person needs before they start. */
  readonly needs: string
  readonly sections: readonly SettingsSection[]
  /** Turns stored properties (their values as section 7 names them) into settings, or throws a `settings` Fault naming the field. */
  parse(properties: Properties): Settings
  open(settings: Settings, around: Surroundings): Promise<OpenSource>
}

/** A connector's properties by name, secrets in clear; they live only as long as the source is open. */
export type Properties = { readonly [name: string]: unknown }

export interface OpenSource extends AsyncDisposable {
  /** Named checks in order (reachable, login, may read …); the first failure leaves the rest `skipped`. */
  check(): Promise<readonly CheckResult[]>
  /** Every stream that these credentials may read. */
  streams(): Promise<readonly Stream[]>
  read(stream: Stream, request: ReadRequest): AsyncIterable<Batch>
  /**
   * Yields the keys of every row the source has now, encoded as `text`, in the stream's key columns and order.
   * Absent where deletes are told by the source or cannot be known.
   */
  keys?(stream: Stream): AsyncIterable<Batch>
}

/** One thing that is read on its own and has one checkpoint: a table with, perhaps, child tables. */
export interface Stream {
  /** Unique in the source: `public.invoice`, `saleList`. */
  readonly name: string
  readonly table: Table
  readonly children: readonly Table[]
  /** `since` streams can be read from a checkpoint; `whole` streams are read again each time. */
  readonly reads: 'since' | 'whole'
  /** Within one read every key comes once at most, so a target need not look for the last of several. */
  readonly distinct: boolean
  /** Where given, rows can be had in COPY binary; equal fingerprints mean the same column types in the same order. */
  readonly binaryFingerprint?: string
  /** Set where rows can be had in `plain`, too. */
  readonly plain?: true
  /** Read so slowly (a call for each row) that a first load shows its rows as they come instead of all at the end. */
  readonly slow?: boolean
  /** An estimate for progress, where the source has one. */
  readonly rowsEstimate?: number
}

export interface ReadRequest {
  /** Null reads from the beginning. */
  readonly since: Checkpoint | null
  /** Binary only where the target has said it takes this stream's fingerprint, plain only where the stream offers it. */
  readonly encoding: Encoding
  /** What the source has to say to people while it reads: a page skipped, a detail queue that goes on tomorrow. */
  readonly tell: (line: string) => void
}
