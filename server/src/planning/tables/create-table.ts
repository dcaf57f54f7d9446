/** Makes or widens the tables of a stream, and says in words what that changed. */
import type { SyncedTable } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import type { Stream } from '@tributary/engine/ports/source'
import type { OpenTarget, TargetSchemaChange } from '@tributary/engine/ports/target'

type Made = Camel<SyncedTable>

/** After `begin` of the target. */
export async function makeTable(target: OpenTarget, stream: Stream, kind: Made['kind']): Promise<Made> {
  const changes = await target.prepare(stream)
  return { table: target.tableNameOf(stream), kind, ...wordsOf(changes) }
}

function wordsOf(changes: readonly TargetSchemaChange[]): Pick<Made, 'outcome' | 'notice'> {
  if (changes.length === 0) return { outcome: 'unchanged', notice: null }
  if (changes.some(({ column }) => column === null)) return { outcome: 'created', notice: null }
  const words = changes.map(({ column, before, after }) =>
    before === null ? `${column} added` : `${column} widened from ${before} to ${after}`,
  )
  return { outcome: 'changed', notice: words.join('; ') }
}
