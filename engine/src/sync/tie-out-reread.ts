/** Months that differ are read again, for a source may have changed a document without saying so. */
import { asFault, type Fault } from '../ports/faults.ts'
import { FencedError } from '../ports/target.ts'
import { withoutRejectedColumns } from './rejected-columns.ts'
import { readAhead } from './read-ahead.ts'
import type { SyncRunRequest } from './sync-request.ts'
import type { ClearedStream } from './schema-changes.ts'

/** Some months share a call where they are few; all at once would leave nothing done when a limit cuts them short. */
const monthsPerCall = 6
/** Of one run: an API's calls of a day must last for its other runs, too. */
const rowsMax = 250_000
const monthsMax = 24

export interface RereadResult {
  /** Months that were read again in whole. */
  readonly months: ReadonlySet<string>
  /** Why it ended early. */
  readonly fault: Fault | null
}

/** Newest months first. */
export async function rereadMonths(
  request: SyncRunRequest,
  streams: readonly ClearedStream[],
  months: readonly string[],
): Promise<RereadResult> {
  const done = new Set<string>()
  const left = months.slice(0, monthsMax)
  let rows = 0
  try {
    while (left.length > 0 && rows < rowsMax) {
      const some = left.splice(0, monthsPerCall)
      for (const stream of streams) rows += await loadMonths(request, stream, some)
      for (const month of some) done.add(month)
    }
    return { months: done, fault: null }
  } catch (error) {
    if (error instanceof FencedError || request.signal.aborted) throw error
    return { months: done, fault: asFault(error) }
  }
}

/** The checkpoint stays where it is, and so does what is told of the table's freshness: only these months are as of now. */
async function loadMonths(
  { source, target, signal, log }: SyncRunRequest,
  cleared: ClearedStream,
  months: readonly string[],
): Promise<number> {
  const { described, stream } = cleared
  const { checkpoint } = await target.state(stream)
  await using load = await target.load(stream, { kind: 'merge' })
  let rows = 0
  const batches = readAhead(source.read(described, { since: null, encoding: load.encoding, months, log }), signal)
  for await (const batch of withoutRejectedColumns(cleared, batches)) {
    rows += batch.rows
    await load.write(batch)
  }
  signal.throwIfAborted()
  await (checkpoint === null ? load.finish(null) : load.commit(checkpoint))
  return rows
}
