/** Reads months that differ again, because a source may have changed a document unannounced. */
import { asFault, type Fault } from '../ports/faults.ts'
import { FencedError } from '../ports/target.ts'
import { withoutRejectedColumns } from './rejected-columns.ts'
import { readAhead } from './read-ahead.ts'
import type { SyncRunRequest } from './sync-request.ts'
import type { ClearedStream } from './schema-changes.ts'

/** A few months share their calls. With all in one read, a rate limit would leave none of them complete. */
const monthsPerCall = 6
/** Limits per run, because the source's daily rate budget must last for other runs, too. */
const rowsMax = 250_000
const monthsMax = 24

export interface RereadResult {
  /** Months that were read again completely. */
  readonly months: ReadonlySet<string>
  /** Why it stopped early; null if it did not. */
  readonly fault: Fault | null
}

interface RereadStreams {
  readonly streams: readonly ClearedStream[]
  /** The company to read, by the value of its column, if several share the tables. */
  readonly company: { readonly id: string; readonly column: string } | null
}

/** @param months newest first; the most recent ones are read within the limits */
export async function rereadMonths(
  request: SyncRunRequest,
  { streams, company }: RereadStreams,
  months: readonly string[],
): Promise<RereadResult> {
  const done = new Set<string>()
  const left = months.slice(0, monthsMax)
  let rows = 0
  try {
    while (left.length > 0 && rows < rowsMax) {
      const some = left.splice(0, monthsPerCall)
      // A table without a key is read whole, with all months, the first time.
      for (const stream of streams.filter((one) => done.size === 0 || hasKey(one)))
        rows += await loadMonths(request, stream, company, some)
      for (const month of some) done.add(month)
    }
    return { months: done, fault: null }
  } catch (error) {
    if (error instanceof FencedError || request.signal.aborted) throw error
    return { months: done, fault: asFault(error) }
  }
}

/**
 * Merges the rows of these months. Checkpoint and freshness stay unchanged, because only these months are current. Rows
 * without a key can only be replaced.
 */
async function loadMonths(
  { source, target, signal, log }: SyncRunRequest,
  cleared: ClearedStream,
  company: RereadStreams['company'],
  months: readonly string[],
): Promise<number> {
  const { described, stream } = cleared
  const { checkpoint } = await target.state(stream)
  const isMerged = hasKey(cleared)
  await using load = await target.load(stream, isMerged ? { kind: 'merge' } : { kind: 'replace', resume: false })
  let rows = 0
  const part = { months, ...(company !== null && { companies: [company.id] }) }
  const batches = readAhead(source.read(described, { since: null, encoding: load.encoding, ...part, log }), signal)
  for await (const batch of withoutRejectedColumns(cleared, batches)) {
    rows += batch.rows
    await load.write(batch)
  }
  signal.throwIfAborted()
  if (isMerged && checkpoint !== null) await load.commit(checkpoint)
  else if (isMerged || company === null) await load.finish(checkpoint)
  else await load.finish(checkpoint, { column: company.column, values: [company.id], keepsEnd: true })
  return rows
}

function hasKey({ stream }: ClearedStream): boolean {
  return stream.table.key.length > 0
}
