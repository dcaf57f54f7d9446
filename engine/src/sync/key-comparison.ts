/** Compares all keys of a stream: what is gone from the source goes, and what only the source has is read by its key. */
import { countRows, eachRow, encodeRow } from '../encoding/copy-text.ts'
import { Fault } from '../ports/faults.ts'
import { type MissingKeys, missingKeysMax, type RejectedRowRecord, type KeyComparisonResult } from '../ports/target.ts'
import { validateState } from './checkpoint-validity.ts'
import { withoutRejectedColumns } from './rejected-columns.ts'
import { isKeyComparisonDue, shrinkGuard } from './plan.ts'
import { readAhead } from './read-ahead.ts'
import { readStream } from './read-stream.ts'
import type { StreamCounters } from './stream-counters.ts'
import type { StreamContext } from './stream-context.ts'

export async function compareStreamKeys(work: StreamContext, tally: StreamCounters): Promise<void> {
  const { source, target, stream, described, clock, signal } = work
  const keys = source.keys?.(described)
  if (keys === undefined || stream.table.key.length === 0) return
  const state = validateState(work, await target.state(stream))
  if (!isKeyComparisonDue(state, clock.now(), stream.keyComparison)) return
  if (state.checkpoint !== null && (await source.seesAllRows?.(described, state.checkpoint)) === false) return
  tally.enterPhase('sweeping')
  const swept = await target.compareKeys(stream, readAhead(keys, signal), shrinkGuard)
  if (swept.outcome === 'done') {
    if (swept.unstorableKeys !== undefined) work.log(`${stream.name}: ${describeUnstorableKeys(swept.unstorableKeys)}`)
    tally.addDeleted(swept.deleted)
  }
  await readMissingRows(work, swept.missing, tally)
  if (swept.outcome === 'refused') throw shrinkFault(work, swept)
}

function shrinkFault(
  { stream }: StreamContext,
  { wouldDelete, rows }: Extract<KeyComparisonResult, { outcome: 'refused' }>,
): Fault {
  return new Fault('data', {
    code: 'engine.shrink_guard',
    notice: `${wouldDelete} of the ${rows} rows of ‘${stream.table.name}’ are no longer in the source. That is unusual, so nothing was deleted; all other changes are done. If it is right, load this table whole: ‘One table alone’ beside ‘Refresh’.`,
  })
}

function describeUnstorableKeys(keys: number): string {
  const rows =
    keys === 1
      ? 'one row of the source has a key that the target cannot store, so it is'
      : `${keys} rows of the source have keys that the target cannot store, so they are`
  return `${rows} not in the target. The rejected rows of the run that first met them say why; shorten the keys in the source.`
}

/**
 * A row that was written with an old date of change (by an import, from a backup) is told by no read from the checkpoint; the
 * comparison of keys shows it. Neither the checkpoint nor the freshness of the table changes by reading it.
 */
async function readMissingRows(
  work: StreamContext,
  { count, rows }: MissingKeys,
  tally: StreamCounters,
): Promise<void> {
  const { source, target, stream, described, log, signal } = work
  const keys = withoutRejected(work, rows, tally.rejected)
  const wanted = count - (countRows(rows) - countRows(keys))
  if (wanted === 0) return
  log(
    `${stream.name}: comparing keys showed ${wanted === 1 ? 'one row' : `${wanted} rows`} that no change had told of. They are read now.`,
  )
  if (source.readByKey === undefined || count > missingKeysMax) return await rereadStream(work, tally)
  const stored = (await target.state(stream)).checkpoint ?? {}
  await using load = await target.load(stream, { kind: 'merge' })
  tally.enterPhase('reading')
  try {
    const batches = source.readByKey(described, keys, { encoding: load.encoding, log })
    for await (const batch of withoutRejectedColumns(work, readAhead(batches, signal))) {
      await load.write(batch)
      tally.addRead(batch, load)
    }
    signal.throwIfAborted()
    tally.addWritten(await load.commit(stored), load, true)
  } finally {
    tally.closeLoad(load)
  }
}

async function rereadStream(work: StreamContext, tally: StreamCounters): Promise<void> {
  const { checkpoint } = validateState(work, await work.target.state(work.stream))
  tally.forgetRejected()
  const read = { kind: 'read', mode: { kind: 'merge' }, since: null } as const
  await readStream(work, checkpoint === null ? read : { ...read, keptCheckpoint: checkpoint }, tally)
}

/** Rows that this very run has rejected are missing with good reason. */
function withoutRejected(
  { stream: { table } }: StreamContext,
  keys: Uint8Array,
  rejected: readonly RejectedRowRecord[],
): Uint8Array {
  const known = new Set(
    rejected
      .filter((each) => each.table === table.name)
      .map(({ row }) => encodeRow(table.key.map((name) => row[name] ?? null))),
  )
  if (known.size === 0) return keys
  return Buffer.from(
    eachRow(keys)
      .filter((row) => !known.has(row))
      .join(''),
  )
}
