import type { RunStream } from '@tributary/contract/runs'
import { type Column, count, DataTable } from '../../ui/data-table.tsx'
import { streamPhases } from './run-look.ts'
import css from './runs.module.css'

/** What became of each table. */
export function StreamTable({ streams }: { streams: readonly RunStream[] }) {
  return (
    <section className={css.part} aria-labelledby="run-tables">
      <h3 id="run-tables">Tables</h3>
      <DataTable caption="Tables of this run" columns={columns} rows={streams} rowKey={({ Name }) => Name} />
    </section>
  )
}

const columns: readonly Column<RunStream>[] = [
  {
    title: 'Table',
    cell: ({ Table, Notice }) => (
      <>
        {Table}
        {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
      </>
    ),
  },
  { title: 'Phase', cell: ({ Phase, RowsRead, RowsEstimate }) => <StreamPhase phase={Phase} read={RowsRead} estimate={RowsEstimate} /> },
  { title: 'Read', isNumber: true, cell: ({ RowsRead }) => count(RowsRead) },
  { title: 'Written', isNumber: true, cell: ({ RowsWritten }) => count(RowsWritten) },
  { title: 'Updated', isNumber: true, cell: ({ RowsUpdated }) => count(RowsUpdated) },
  { title: 'Deleted', isNumber: true, cell: ({ RowsDeleted }) => count(RowsDeleted) },
  { title: 'Rejected', isNumber: true, cell: ({ RowsRejected }) => count(RowsRejected) },
]

/** An estimate is shown only where the source gave one, and never as more than nearly done. */
function StreamPhase({ phase, read, estimate }: { phase: RunStream['Phase']; read: number; estimate: number | null }) {
  const share = phase === 'reading' && estimate !== null && estimate > 0 ? Math.min(99, Math.round((read / estimate) * 100)) : null
  return (
    <span className={css.phase} data-phase={phase}>
      {streamPhases[phase]}
      {share === null ? null : ` ${share} %`}
    </span>
  )
}
