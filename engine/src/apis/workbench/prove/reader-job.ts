/** What a process that reads a simulated API is given, and what it reports. */
import type { FaultKind } from '../../../ports/faults.ts'
import type { Checkpoint, RowBatch } from '../../../ports/model.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'

export interface ReaderJob {
  readonly description: SourceDescription
  readonly stream: string
  /** Of the simulated API. */
  readonly base: string
  readonly port: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** The file of the target. Its last checkpoint is where the read begins. */
  readonly file: string
  /** After so many batches the process stops in the middle of a write, and waits for its death. */
  readonly dieAfter: number
}

/** `dying`: it waits for its death. */
export type ReaderMessage =
  | { readonly is: 'dying' }
  | { readonly is: 'done' }
  | { readonly is: 'fault'; readonly kind: FaultKind; readonly notice: string; readonly code: string }

/** A line of the file: rows, and the checkpoint up to which they are complete. A line that was not written completely does not count. */
export interface StoredTransaction {
  readonly batches: readonly StoredBatch[]
  readonly checkpoint: Checkpoint | null
}

/** The bytes are base64. */
export type StoredBatch = Pick<RowBatch, 'table' | 'rows' | 'deletes' | 'supersedes'> & { readonly bytes: string }

/** The complete lines of the file. */
export function transactionsIn(text: string): readonly StoredTransaction[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as StoredTransaction)
}
