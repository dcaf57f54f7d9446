/** What the tables of records are called in the organisation's database where a record was renamed since they were made. */
import type { OpenTarget, TableRename } from '@tributary/engine/ports/target'
import type { PlannedTable } from './planned-tables.ts'

/** Beside the table of a record: who loaded which slice of it. */
export function sliceTableName(table: string): string {
  return `tributary_slice_${table}`
}

/** The table under the name that it has: it is renamed by the next synchronisation, not by those who write into it until then. */
export async function asItIs(target: OpenTarget, planned: PlannedTable): Promise<PlannedTable> {
  const former = await formerName(target, planned)
  return former === undefined ? planned : called(planned, former)
}

export interface Renamed {
  /** Under the name that it has now. */
  readonly planned: PlannedTable
  /** For people. */
  readonly notice: string
}

/** Renames the tables of records that are called otherwise by now; answers by record. What cannot be renamed stays as it is, and that is told. */
export async function renameTables(
  target: OpenTarget,
  all: readonly PlannedTable[],
): Promise<ReadonlyMap<string, Renamed>> {
  const outcomes = new Map<string, Renamed>()
  let waiting = all
  // A name may become free only when the table that has it is renamed, too.
  for (;;) {
    const left: Waiting[] = []
    for (const planned of waiting) {
      const former = await formerName(target, planned)
      if (former === undefined) continue
      const { taken, notice } = await renameTable(target, { planned, former })
      outcomes.set(planned.stream.name, { planned: taken ? called(planned, former) : planned, notice })
      if (taken) left.push({ planned, former })
    }
    if (left.length === 0) return outcomes
    if (left.length === waiting.length && !(await stepAside(target, left))) return outcomes
    waiting = left.map(({ planned }) => planned)
  }
}

interface Waiting {
  readonly planned: PlannedTable
  readonly former: string
}

async function renameTable(
  target: OpenTarget,
  { planned, former }: Waiting,
): Promise<{ readonly taken: boolean; readonly notice: string }> {
  const { name: stream, table } = planned.stream
  const result = await target.renameTables(stream, withSlices(former, table.name))
  if (result.outcome === 'done')
    return { taken: false, notice: `renamed from ${former}; let reports that read the former name read this one` }
  const notice = `still called ${former}, for another table is called ${result.name}; rename that one and synchronise again`
  return { taken: true, notice }
}

/** Of tables that exchange their names one must make way first. Answers whether one has. */
async function stepAside(target: OpenTarget, left: readonly Waiting[]): Promise<boolean> {
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

/** Undefined where the table is called as planned, or is not there yet. */
async function formerName(target: OpenTarget, { stream }: PlannedTable): Promise<string | undefined> {
  const names = (await target.listTables(stream.name)).map(({ sourceName }) => sourceName)
  if (names.includes(stream.table.name)) return undefined
  return names.find((name) => !name.startsWith(sliceTableName('')))
}

function called(planned: PlannedTable, name: string): PlannedTable {
  return { ...planned, stream: { ...planned.stream, table: { ...planned.stream.table, name } } }
}
