/** Key comparison: deletes rows whose keys are gone from the source, and reads rows that only the source has. */
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

export async function compareStreamKeys(context: StreamContext, counters: StreamCounters): Promise<void> {
  const { source, target, stream, described, clock, signal } = context
  const keys = source.keys?.(described)
  if (keys === undefined || stream.table.key.length === 0) return
  const state = validateState(context, await target.state(stream))
  if (!isKeyComparisonDue(state, clock.now(), stream.keyComparison)) return
  if (state.checkpoint !== null && (await source.seesAllRows?.(described, state.checkpoint)) === false) return
  counters.enterPhase('sweeping')
  const result = await target.compareKeys(stream, readAhead(keys, signal), shrinkGuard)
  if (result.outcome === 'done') {
    if (result.unstorableKeys !== undefined)
      context.log(`${stream.name}: ${describeUnstorableKeys(result.unstorableKeys)}`)
    counters.addDeleted(result.deleted)
  }
  if (stream.hasUnfilteredKeys !== true) await readMissingRows(context, result.missing, counters)
  if (result.outcome === 'refused') throw shrinkFault(context, result)
}

function shrinkFault(
  { stream }: StreamContext,
  { wouldDelete, rows }: Extract<KeyComparisonResult, { outcome: 'refused' }>,
): Fault {
  return new Fault('data', {
    code: 'engine.shrink_guard',
    notice: `${wouldDelete} of the ${rows} rows of ‘${stream.table.name}’ are no longer in the source. That is unusual, so nothing was deleted; all other changes are done. If it is right, load this table whole: ‘One table alone’ next to ‘Refresh’.`,
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
 * Reads rows that only the source has. A row with an old modification date, such as from an import or a backup, is in
 * no read from the checkpoint; only the key comparison finds it. The checkpoint and the table's freshness stay
 * unchanged.
 */
async function readMissingRows(
  context: StreamContext,
  { count, rows }: MissingKeys,
  counters: StreamCounters,
): Promise<void> {
  const { source, target, stream, described, log, signal } = context
  const keys = withoutRejected(context, rows, counters.rejected)
  const wanted = count - (countRows(rows) - countRows(keys))
  if (wanted === 0) return
  log(
    `${stream.name}: comparing keys showed ${wanted === 1 ? 'one row' : `${wanted} rows`} that the source had not reported as changed. They are read now.`,
  )
  if (source.readByKey === undefined || count > missingKeysMax) return await rereadStream(context, counters)
  const stored = (await target.state(stream)).checkpoint ?? {}
  await using load = await target.load(stream, { kind: 'merge' })
  counters.enterPhase('reading')
  try {
    const batches = source.readByKey(described, keys, { encoding: load.encoding, log })
    for await (const batch of withoutRejectedColumns(context, readAhead(batches, signal))) {
      await load.write(batch)
      counters.addRead(batch, load)
    }
    signal.throwIfAborted()
    counters.addWritten(await load.commit(stored), load, true)
  } finally {
    counters.closeLoad(load)
  }
}

async function rereadStream(context: StreamContext, counters: StreamCounters): Promise<void> {
  const { checkpoint } = validateState(context, await context.target.state(context.stream))
  counters.forgetRejected()
  const read = { kind: 'read', mode: { kind: 'merge' }, since: null } as const
  await readStream(context, checkpoint === null ? read : { ...read, keptCheckpoint: checkpoint }, counters)
}

/** Leaves out rows that this run has rejected: they are missing because the target cannot store them. */
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
