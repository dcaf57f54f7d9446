/** Repairs rows through the load of the target, so that its fencing token, its state and the children of rows are treated as in a run. */
import { encodeRows } from '../encoding/copy-text.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type { OpenTarget } from '../ports/target.ts'
import type { ComparedTable } from './compared-table.ts'
import { canonicalText } from './compared-values.ts'
import type { FoundDifference } from './differences.ts'
import type { RowKey } from './key-ranges.ts'

export interface RepairContext {
  readonly source: OpenSource
  readonly target: OpenTarget
  readonly stream: Stream
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** Null if the stream can be repaired; otherwise why it cannot. */
export async function prepareRepair({ source, target, stream }: RepairContext): Promise<string | null> {
  if (source.readByKey === undefined && stream.table.key.length > 0)
    return 'The source cannot read rows by their keys, so the next full run repairs them.'
  if ((await target.previewChanges(stream)).length > 0)
    return 'The table changes with the next run, so rows are repaired after it.'
  // A table that has lost its key is marked to be read in full.
  await target.prepare(stream)
  return null
}

/** Deletes rows that the source does not have, and reads those again that differ. */
export async function repairRows(
  context: RepairContext,
  compared: ComparedTable,
  found: readonly FoundDifference[],
): Promise<void> {
  const keysOf = (kinds: readonly string[]): readonly RowKey[] =>
    found.filter(({ difference }) => kinds.includes(difference.kind)).map(({ inspected }) => inspected.key)
  const unwanted = keysOf(['additional'])
  const reread = keysOf(['missing', 'different'])
  if (unwanted.length > 0) await deleteRows(context, encodeKeys(compared, unwanted), unwanted.length)
  if (reread.length > 0) await rereadRows(context, encodeKeys(compared, reread))
}

/** Keys as a source and a load take them: canonical text, in the order of the key. */
function encodeKeys({ key: columns }: ComparedTable, keys: readonly RowKey[]): Uint8Array {
  return encodeRows(keys.map((key) => columns.map((column, at) => canonicalText(column, key[at] ?? null))))
}

async function deleteRows({ target, stream, signal }: RepairContext, keys: Uint8Array, rows: number): Promise<void> {
  const stored = (await target.state(stream)).checkpoint ?? {}
  await using load = await target.load(stream, { kind: 'merge' })
  await load.write({ table: stream.table.name, bytes: keys, rows, deletes: true })
  signal.throwIfAborted()
  await load.commit(stored)
}

async function rereadRows({ source, target, stream, log, signal }: RepairContext, keys: Uint8Array): Promise<void> {
  const stored = (await target.state(stream)).checkpoint ?? {}
  await using load = await target.load(stream, { kind: 'merge' })
  const batches = source.readByKey?.(stream, keys, { encoding: load.encoding, log }) ?? []
  for await (const batch of batches) await load.write(batch)
  signal.throwIfAborted()
  await load.commit(stored)
}

/** Rows without a key cannot be read again one by one, so all of them are read again and take the place of the former ones. */
export async function replaceRows({ source, target, stream, log, signal }: RepairContext): Promise<void> {
  const { checkpoint } = await target.state(stream)
  await using load = await target.load(stream, { kind: 'replace', resume: false })
  for await (const batch of source.read(stream, { since: null, encoding: load.encoding, log })) await load.write(batch)
  signal.throwIfAborted()
  await load.finish(checkpoint)
}
