/** Compares all keys of a stream: what is gone from the source goes, and what only the source has is read by its key. */
import { countRows, eachRow, encodeRow } from '../encoding/copy-text.ts'
import { Fault } from '../ports/faults.ts'
import { type MissingKeys, missingKeysMax, type RejectedRow, type SweepResult } from '../ports/target.ts'
import { usable } from './checkpoint-validity.ts'
import { withoutLeftOut } from './rejected-columns.ts'
import { isSweepDue, shrinkGuard } from './plan.ts'
import { readAhead } from './read-ahead.ts'
import { readStream } from './read-stream.ts'
import type { Tally } from './stream-counters.ts'
import type { StreamSync } from './stream-context.ts'

export async function sweepStream(work: StreamSync, tally: Tally): Promise<void> {
  const { source, target, stream, described, clock, signal } = work
  const keys = source.keys?.(described)
  if (keys === undefined || stream.table.key.length === 0) return
  const state = usable(work, await target.state(stream))
  if (!isSweepDue(state, clock.now(), stream.sweeps)) return
  if (state.checkpoint !== null && (await source.sees?.(described, state.checkpoint)) === false) return
  tally.enter('sweeping')
  const swept = await target.sweep(stream, readAhead(keys, signal), shrinkGuard)
  if (swept.outcome === 'done') {
    if (swept.unplaced !== undefined) work.tell(`${stream.name}: ${unplacedWords(swept.unplaced)}`)
    tally.deleted(swept.deleted)
  }
  await readMissing(work, swept.missing, tally)
  if (swept.outcome === 'refused') throw unusual(work, swept)
}

function unusual({ stream }: StreamSync, { wouldDelete, rows }: Extract<SweepResult, { outcome: 'refused' }>): Fault {
  return new Fault('data', {
    code: 'engine.shrink_guard',
    notice: `${wouldDelete} of the ${rows} rows of ‘${stream.table.name}’ are no longer in the source. That is unusual, so nothing was deleted; all other changes are done. If it is right, load this table whole: ‘One table alone’ beside ‘Refresh’.`,
  })
}

function unplacedWords(keys: number): string {
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
async function readMissing(work: StreamSync, { count, rows }: MissingKeys, tally: Tally): Promise<void> {
  const { source, target, stream, described, tell, signal } = work
  const keys = withoutRejected(work, rows, tally.rejected)
  const wanted = count - (countRows(rows) - countRows(keys))
  if (wanted === 0) return
  tell(
    `${stream.name}: comparing keys showed ${wanted === 1 ? 'one row' : `${wanted} rows`} that no change had told of. They are read now.`,
  )
  if (source.readByKey === undefined || count > missingKeysMax) return await readWhole(work, tally)
  const stored = (await target.state(stream)).checkpoint ?? {}
  await using load = await target.load(stream, { kind: 'merge' })
  tally.enter('reading')
  try {
    const batches = source.readByKey(described, keys, { encoding: load.encoding, tell })
    for await (const batch of withoutLeftOut(work, readAhead(batches, signal))) {
      await load.write(batch)
      tally.read(batch, load)
    }
    signal.throwIfAborted()
    tally.written(await load.commit(stored), load, true)
  } finally {
    tally.close(load)
  }
}

async function readWhole(work: StreamSync, tally: Tally): Promise<void> {
  const { checkpoint } = usable(work, await work.target.state(work.stream))
  tally.forgetRejected()
  const read = { kind: 'read', mode: { kind: 'merge' }, since: null } as const
  await readStream(work, checkpoint === null ? read : { ...read, keeps: checkpoint }, tally)
}

/** Rows that this very run has rejected are missing with good reason. */
function withoutRejected(
  { stream: { table } }: StreamSync,
  keys: Uint8Array,
  rejected: readonly RejectedRow[],
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
