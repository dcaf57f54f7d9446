/** Fixtures of the target suite: a target to open, a new writer, a complete load. */
import { randomUUID } from 'node:crypto'
import type { RowBatch, Checkpoint, Table } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'
import type { WriteCounts, LoadMode, OpenTarget, Writer } from '@tributary/engine/ports/target'
import type { RowFields } from '../../engine/sync/fixtures.ts'

export interface TargetUnderTest extends AsyncDisposable {
  /** Opens a new connection to the same database each time. */
  open(signal?: AbortSignal): Promise<OpenTarget>
  /**
   * Every row of a table in canonical text, with columns in the order of `table.columns`, sorted by the first column.
   * Tables and columns are found by the source's names.
   */
  rows(table: Table): Promise<readonly RowFields[]>
  /** Rows of one of our own tables, all values as text, by run or table. */
  report(
    which: 'run' | 'freshness',
    connectorId: string,
  ): Promise<readonly { readonly [column: string]: string | null }[]>
  drop(table: Table): Promise<void>
  /** What a person reads of a table of the target as of a moment, one text for each row. */
  asOf(table: string, moment: string): Promise<readonly string[]>
  /** Values that must never appear in a fault. */
  readonly secrets: readonly string[]
}

/** The target of one suite, available from the first test on. */
export interface TargetBench {
  readonly open: TargetUnderTest['open']
  readonly rows: TargetUnderTest['rows']
  readonly report: TargetUnderTest['report']
  readonly drop: TargetUnderTest['drop']
  readonly asOf: TargetUnderTest['asOf']
  readonly secrets: readonly string[]
}

/**
 * Whether the server under test is declared to lack a feature that servers of its kind have. `sql`: the target stores tables only.
 * `textLength`: its columns of text have no greatest length.
 */
export type LacksFeature = (
  what: 'alterView' | 'alterColumn' | 'anyName' | 'ticks' | 'bulkTime' | 'sql' | 'textLength',
) => boolean

/** A writer with new ids, so that tests do not share state. */
export function newWriter(fence = 1): Writer {
  return { connectorId: randomUUID(), runId: randomUUID(), fence }
}

/** A unique table name, so that tests do not share tables. */
export function newName(word: string): string {
  return `${word} ${randomUUID().slice(0, 8)}`
}

export interface SuiteLoadOptions {
  readonly mode?: LoadMode
  readonly batches: readonly RowBatch[]
  readonly checkpoint?: Checkpoint | null
}

/** Runs a complete load as the sync loop does: commits every checkpoint that a batch carries. */
export async function load(target: OpenTarget, stream: Stream, loading: SuiteLoadOptions): Promise<WriteCounts> {
  await target.prepare(stream)
  await using open = await target.load(stream, loading.mode ?? { kind: 'merge' })
  for (const batch of loading.batches) {
    await open.write(batch)
    if (batch.checkpoint !== undefined) await open.commit(batch.checkpoint)
  }
  return await open.finish(loading.checkpoint ?? { at: 'end' })
}

/** Opens the target, begins as the writer, runs `work` and closes the target. */
export async function writing<T>(
  bench: Pick<TargetBench, 'open'>,
  work: (target: OpenTarget) => Promise<T>,
  writer = newWriter(),
): Promise<T> {
  await using target = await bench.open()
  await target.begin(writer)
  return await work(target)
}
