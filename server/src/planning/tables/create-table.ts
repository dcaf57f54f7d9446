/** Creates or widens the tables of a stream and describes what changed. */
import type { SyncedTable } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import type { Stream } from '@tributary/engine/ports/source'
import type { OpenTarget, TargetSchemaChange } from '@tributary/engine/ports/target'

type TableOutcome = Camel<SyncedTable>

/** Call after the target's `begin`. */
export async function createOrWidenTable(
  target: OpenTarget,
  stream: Stream,
  kind: TableOutcome['kind'],
): Promise<TableOutcome> {
  const changes = await target.prepare(stream)
  return { table: target.tableNameOf(stream), kind, ...describeChanges(changes) }
}

function describeChanges(changes: readonly TargetSchemaChange[]): Pick<TableOutcome, 'outcome' | 'notice'> {
  if (changes.length === 0) return { outcome: 'unchanged', notice: null }
  if (changes.some(({ column }) => column === null)) return { outcome: 'created', notice: null }
  const words = changes.map(({ column, before, after }) =>
    before === null ? `${column} added` : `${column} widened from ${before} to ${after}`,
  )
  return { outcome: 'changed', notice: words.join('; ') }
}
