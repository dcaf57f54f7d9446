/**
 * Names of record tables in the organisation's database, including tables whose record was renamed since they were
 * created.
 */
import type { OpenTarget, TableRename } from '@tributary/engine/ports/target'
import type { PlannedTable } from './planned-tables.ts'

/** The table next to a record's table that records who loaded which slice. */
export function sliceTableName(table: string): string {
  return `tributary_slice_${table}`
}

/**
 * The table under its current name in the database. Only a synchronisation renames tables; writers use the current
 * name until then.
 */
export async function withCurrentName(target: OpenTarget, planned: PlannedTable): Promise<PlannedTable> {
  const former = await formerName(target, planned)
  return former === undefined ? planned : withTableName(planned, former)
}

export interface RecordTableRename {
  /** With the current name. */
  readonly planned: PlannedTable
  /** For the user. */
  readonly notice: string
}

/**
 * Renames the tables of renamed records. Returns the outcome by record; a table that cannot be renamed keeps its
 * name, with a notice.
 */
export async function renameTables(
  target: OpenTarget,
  all: readonly PlannedTable[],
): Promise<ReadonlyMap<string, RecordTableRename>> {
  const outcomes = new Map<string, RecordTableRename>()
  let waiting = all
  // A name may become free only after the table that has it is renamed.
  for (;;) {
    const left: PendingRename[] = []
    for (const planned of waiting) {
      const former = await formerName(target, planned)
      if (former === undefined) continue
      const { taken, notice } = await renameTable(target, { planned, former })
      outcomes.set(planned.stream.name, { planned: taken ? withTableName(planned, former) : planned, notice })
      if (taken) left.push({ planned, former })
    }
    if (left.length === 0) return outcomes
    if (left.length === waiting.length && !(await freeOneName(target, left))) return outcomes
    waiting = left.map(({ planned }) => planned)
  }
}

interface PendingRename {
  readonly planned: PlannedTable
  readonly former: string
}

async function renameTable(
  target: OpenTarget,
  { planned, former }: PendingRename,
): Promise<{ readonly taken: boolean; readonly notice: string }> {
  const { name: stream, table } = planned.stream
  const result = await target.renameTables(stream, withSlices(former, table.name))
  if (result.outcome === 'done')
    return { taken: false, notice: `renamed from ${former}; update reports that use the former name` }
  const notice = `still called ${former}, because another table is called ${result.name}; rename that table and synchronise again`
  return { taken: true, notice }
}

/** Breaks a cycle of tables that swap names: renames one of them temporarily. Returns false if no table was renamed. */
async function freeOneName(target: OpenTarget, left: readonly PendingRename[]): Promise<boolean> {
  const wanted = new Set(left.map(({ planned }) => planned.stream.table.name))
  const first = left.find(({ former }) => wanted.has(former))
  if (first === undefined) return false
  const { former, planned } = first
  const { name: stream } = planned.stream
  const { outcome } = await target.renameTables(stream, withSlices(former, `${former}_${stream.slice(0, 8)}`))
  return outcome === 'done'
}

function withSlices(from: string, to: string): readonly TableRename[] {
  return [
    { from, to },
    { from: sliceTableName(from), to: sliceTableName(to) },
  ]
}

/** Undefined if the table has the planned name or does not exist yet. */
async function formerName(target: OpenTarget, { stream }: PlannedTable): Promise<string | undefined> {
  const names = (await target.listTables(stream.name)).map(({ sourceName }) => sourceName)
  if (names.includes(stream.table.name)) return undefined
  return names.find((name) => !name.startsWith(sliceTableName('')))
}

function withTableName(planned: PlannedTable, name: string): PlannedTable {
  return { ...planned, stream: { ...planned.stream, table: { ...planned.stream.table, name } } }
}
