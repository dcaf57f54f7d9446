/** Key comparison: deletes rows whose keys are gone from the source, and reads rows that only the source has. */
import { countRows, eachRow, encodeRow } from '../encoding/copy-text.ts'
import { companiesCheckpoint, companyCheckpoints, CompanyInterrupted, type CompanySet } from '../ports/companies.ts'
import { Fault } from '../ports/faults.ts'
import type { RowBatch } from '../ports/model.ts'
import type { ComparedPart } from '../ports/row-scope.ts'
import { type MissingKeys, missingKeysMax, type RejectedRowRecord, type KeyComparisonResult } from '../ports/target.ts'
import { validateState, type ValidatedState } from './checkpoint-validity.ts'
import { withoutRejectedColumns } from './rejected-columns.ts'
import { isKeyComparisonDue, shrinkGuard } from './plan.ts'
import { readAhead } from './read-ahead.ts'
import { readStream } from './read-stream.ts'
import type { StreamCounters } from './stream-counters.ts'
import type { StreamContext } from './stream-context.ts'

export async function compareStreamKeys(context: StreamContext, counters: StreamCounters): Promise<void> {
  const { source, described } = context
  const state = await stateIfDue(context)
  if (source.keys === undefined || state === null) return
  if (state.checkpoint !== null && (await source.seesAllRows?.(described, state.checkpoint)) === false) return
  counters.enterPhase('sweeping')
  await compareKeys(context, counters, source.keys(described))
}

/** Compares the keys of one company after the other, so that the guard against suspiciously many deletions holds for each of them. */
export async function compareCompanyKeys(
  context: StreamContext & { readonly companies: CompanySet },
  counters: StreamCounters,
): Promise<void> {
  const { companies, source, described, stream } = context
  const state = await stateIfDue(context)
  if (source.keys === undefined || state === null) return
  counters.enterPhase('sweeping')
  const stored = companyCheckpoints(state.checkpoint)
  const ids = companies.readable(stream.name).map(({ id }) => id)
  const refused: unknown[] = []
  for (const [at, id] of ids.entries()) {
    const own = companiesCheckpoint(new Map([[id, stored.get(id) ?? null]]))
    if (!stored.has(id) || (await source.seesAllRows?.(described, own)) === false) continue
    const keys = source.keys(described, { company: id, columns: [], conditions: [] })
    const part = { column: companies.column, values: [id], isLast: at === ids.length - 1 }
    await compareKeys(context, counters, keys, part).catch((error: unknown) => {
      if (error instanceof CompanyInterrupted) return
      if (!(error instanceof Fault) || error.code !== shrinkCode) throw error
      refused.push(error)
    })
  }
  if (refused.length > 0) throw refused[0]
}

/** Null if the keys need not be compared now. */
async function stateIfDue(context: StreamContext): Promise<ValidatedState | null> {
  const { target, stream, clock } = context
  if (stream.table.key.length === 0) return null
  const state = validateState(context, await target.state(stream))
  return isKeyComparisonDue(state, clock.now(), stream.keyComparison) ? state : null
}

async function compareKeys(
  context: StreamContext,
  counters: StreamCounters,
  keys: AsyncIterable<RowBatch>,
  part?: ComparedPart,
): Promise<void> {
  const { target, stream, signal } = context
  const result = await target.compareKeys(stream, readAhead(keys, signal), shrinkGuard, part)
  if (result.outcome === 'done') {
    if (result.unstorableKeys !== undefined)
      context.log(`${stream.name}: ${describeUnstorableKeys(result.unstorableKeys)}`)
    counters.addDeleted(result.deleted)
  }
  if (stream.hasUnfilteredKeys !== true) await readMissingRows(context, result.missing, { counters, part })
  if (result.outcome === 'refused') throw shrinkFault(context, result)
}

const shrinkCode = 'engine.shrink_guard'

function shrinkFault(
  { stream }: StreamContext,
  { wouldDelete, rows }: Extract<KeyComparisonResult, { outcome: 'refused' }>,
): Fault {
  return new Fault('data', {
    code: shrinkCode,
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
  { counters, part }: { readonly counters: StreamCounters; readonly part: ComparedPart | undefined },
): Promise<void> {
  const { source, target, stream, described, log, signal } = context
  const keys = withoutRejected(context, rows, counters.rejected)
  const wanted = count - (countRows(rows) - countRows(keys))
  if (wanted === 0) return
  log(
    `${stream.name}: comparing keys showed ${wanted === 1 ? 'one row' : `${wanted} rows`} that the source had not reported as changed. They are read now.`,
  )
  if (source.readByKey === undefined || count > missingKeysMax) return await rereadStream(context, counters, part)
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

async function rereadStream(context: StreamContext, counters: StreamCounters, part?: ComparedPart): Promise<void> {
  const { checkpoint } = validateState(context, await context.target.state(context.stream))
  counters.forgetRejected()
  const only = part === undefined ? {} : { companies: part.values }
  const read = { kind: 'read', mode: { kind: 'merge' }, since: null, ...only } as const
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
