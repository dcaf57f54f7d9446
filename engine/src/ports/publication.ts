/** Publications: views that show one completed run of each connector of a set, until all of them move forward together. */
import type { StatementNames } from './view-names.ts'

/** A SELECT that is published in addition to the tables, such as a ready question. */
export interface PublishableView {
  readonly name: string
  /** @param names whose tables are those of the publication, and whose views are published ones */
  select(names: StatementNames): string
}

export interface PublishedRun {
  readonly connectorId: string
  readonly runId: string
}

export interface PublicationRequest {
  /** Identifies the set of connectors that move forward together. */
  readonly set: string
  /** Of the publication; each has a higher one than the last. The same number again completes what a crash cut off. */
  readonly number: number
  /** Connectors that are not listed leave the set. Their published views are dropped. */
  readonly runs: readonly PublishedRun[]
}

export type PublicationResult =
  | { readonly outcome: 'published' }
  /** A later publication has been made. */
  | { readonly outcome: 'superseded' }
  /** These connectors have not offered the run, or not any more. Nothing was changed. */
  | { readonly outcome: 'notOffered'; readonly connectorIds: readonly string[] }

export interface PublicationState {
  readonly number: number
  readonly runs: readonly (PublishedRun & {
    /** The cut-off of the run. */
    readonly moment: string
  })[]
  readonly views: readonly PublishedView[]
}

export interface PublishedView {
  readonly connectorId: string
  /** The table or view that it shows, as named in the target. */
  readonly relation: string
  /** Its schema; empty where the database has none. */
  readonly schema: string
  readonly name: string
}

export interface OfferedRows {
  /** Their names. */
  readonly streams: ReadonlySet<string>
  readonly views: readonly PublishableView[]
}

/** The part of a target that publishes. */
export interface PublishingTarget {
  /**
   * Offers the tables of these streams that were prepared, and these views over them, as this run leaves them. Readers
   * notice nothing. Requires history of every table.
   */
  offerPublication(set: string, offered: OfferedRows): Promise<void>
  /** Shows the offered runs. One committed row decides what readers see. Needs no `begin`. */
  publish(request: PublicationRequest): Promise<PublicationResult>
  /** Null before the first publication. Needs no `begin`. */
  readPublication(set: string): Promise<PublicationState | null>
}
