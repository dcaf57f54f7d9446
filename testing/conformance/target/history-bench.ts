/** What the cases of history share: runs that keep it, and what it holds. */
import { randomUUID } from 'node:crypto'
import type { Table } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'
import type { OpenTarget, Writer } from '@tributary/engine/ports/target'
import type { batch, RowFields } from '../../engine/sync/fixtures.ts'
import { type TargetBench, writing } from './target-bench.ts'

interface HistoryRow {
  readonly validFrom: string | null
  readonly validTo: string | null
}

/** The rows of a table now, or at a moment, sorted. */
export async function rowsOf(target: OpenTarget, of: Table, at?: string): Promise<readonly RowFields[]> {
  const rows = await target.select((names) => {
    const from = at === undefined ? names.table(of.name) : names.asOf({ at }).table(of.name)
    return `SELECT ${of.columns.map((each) => `t.${names.quote(each.name)}`).join(', ')} FROM ${from} t`
  })
  return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

export async function loadInto(
  target: OpenTarget,
  of: Stream,
  batches: readonly ReturnType<typeof batch>[],
  mode: 'merge' | 'replace' = 'merge',
): Promise<void> {
  await using open = await target.load(of, mode === 'merge' ? { kind: 'merge' } : { kind: 'replace', resume: false })
  for (const each of batches) await open.write(each)
  await open.finish({ at: 'end' })
}

/** The next run of a connector. */
export function nextRun(writer: Writer): Writer {
  return { connectorId: writer.connectorId, runId: randomUUID(), fence: writer.fence + 1 }
}

/** A run that keeps history. Returns its cut-off. */
export async function run(
  bench: TargetBench,
  {
    writer,
    of,
    work,
  }: { readonly writer: Writer; readonly of: Stream; readonly work: (target: OpenTarget) => Promise<unknown> },
): Promise<string> {
  return await writing(
    bench,
    async (target) => {
      await target.prepare(of, 'on')
      await work(target)
      return await target.cutOff()
    },
    writer,
  )
}

/** Every version in the history of a stream's main table. */
export async function versionsOf(target: OpenTarget, of: Stream): Promise<readonly HistoryRow[]> {
  const [history] = target.histories(of)
  const rows = await target.select(
    (names) => `SELECT valid_from AS f, valid_to AS t FROM ${names.view(history?.name ?? '')} v`,
  )
  return rows.map(([validFrom = null, validTo = null]) => ({ validFrom, validTo }))
}
