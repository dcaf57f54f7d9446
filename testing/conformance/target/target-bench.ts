/** What the cases of the target suite stand on: a target to open, a writer nobody has seen, one whole load. */
import { randomUUID } from 'node:crypto'
import type { RowBatch, Checkpoint, Table } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'
import type { WriteCounts, LoadMode, OpenTarget, Writer } from '@tributary/engine/ports/target'
import type { Fields } from '../../engine/sync/fixtures.ts'

export interface TargetUnderTest extends AsyncDisposable {
  /** A new connection to the same place each time. */
  open(signal?: AbortSignal): Promise<OpenTarget>
  /**
   * Every row of a table in canonical text, columns in the order of `table.columns`, rows in that of their first column;
   * what stands in the target is found by the names the source uses.
   */
  rows(table: Table): Promise<readonly Fields[]>
  /** Rows of one of our own tables, all values as text, by run or table. */
  report(
    which: 'run' | 'freshness',
    connectorId: string,
  ): Promise<readonly { readonly [column: string]: string | null }[]>
  drop(table: Table): Promise<void>
  /** Must never be found in a fault. */
  readonly secrets: readonly string[]
}

/** The target of one suite, there from the first test on. */
export interface Bench {
  readonly open: TargetUnderTest['open']
  readonly rows: TargetUnderTest['rows']
  readonly report: TargetUnderTest['report']
  readonly drop: TargetUnderTest['drop']
  readonly secrets: readonly string[]
}

/** Whether the server under test is declared to be unable to do something that its kind does. */
export type Lacks = (what: 'alterView' | 'alterColumn' | 'anyName' | 'ticks' | 'bulkTime') => boolean

/** A writer nobody has seen, so that one test cannot meet another's state. */
export function newWriter(fence = 1): Writer {
  return { connectorId: randomUUID(), runId: randomUUID(), fence }
}

/** A table name of its own for each test of a suite. */
export function newName(word: string): string {
  return `${word} ${randomUUID().slice(0, 8)}`
}

export interface Loading {
  readonly mode?: LoadMode
  readonly batches: readonly RowBatch[]
  readonly checkpoint?: Checkpoint | null
}

/** One whole load, as the loop does it: every checkpoint that a batch brings is committed. */
export async function load(target: OpenTarget, stream: Stream, loading: Loading): Promise<WriteCounts> {
  await target.prepare(stream)
  await using open = await target.load(stream, loading.mode ?? { kind: 'merge' })
  for (const batch of loading.batches) {
    await open.write(batch)
    if (batch.checkpoint !== undefined) await open.commit(batch.checkpoint)
  }
  return await open.finish(loading.checkpoint ?? { at: 'end' })
}

/** Opens the target as a writer of its own, works, closes. */
export async function writing<T>(
  bench: Bench,
  work: (target: OpenTarget) => Promise<T>,
  writer = newWriter(),
): Promise<T> {
  await using target = await bench.open()
  await target.begin(writer)
  return await work(target)
}
