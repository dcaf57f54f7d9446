import type { Load, LoadError } from '@tributary/contract/loads'
import { formatCsv } from '../../ui/files/csv.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { type VirtualColumn, VirtualTable } from '../../ui/tables/virtual-table.tsx'
import { formatCount } from '../../ui/formats.ts'

interface CellErrorsProps {
  load: Load
  /** The first errors, up to the limit of the server. */
  errors: readonly LoadError[]
  total: number
}

const errorColumns: readonly VirtualColumn<LoadError>[] = [
  { title: 'Cell', widthPx: 72, text: ({ Cell }) => Cell ?? 'The sheet' },
  { title: 'What to do', widthPx: 300, text: ({ Message }) => Message },
  { title: 'Column', widthPx: 104, text: ({ Column }) => Column ?? '' },
  { title: 'Value', widthPx: 128, text: ({ Value }) => Value ?? '' },
]

/** Errors cell by cell, which must be fixed before the sheet can be loaded. */
export function CellErrors({ load, errors, total }: CellErrorsProps) {
  function save() {
    const lines = errors.map((error) => errorColumns.map(({ text }) => text(error)))
    downloadFile(`${load.RecordName}-cells-to-fix.csv`, formatCsv([errorColumns.map(({ title }) => title), ...lines]))
  }
  return (
    <Panel title="Cells to fix">
      <VirtualTable
        caption="List of cells to fix"
        summary={
          total > errors.length
            ? `The first ${formatCount(errors.length)} of ${formatCount(total)}.`
            : `${formatCount(total)} ${total === 1 ? 'cell' : 'cells'}`
        }
        exporting={{ start: save }}
        columns={errorColumns}
        count={errors.length}
        rowAt={(at) => errors[at]}
        lines={3}
      />
    </Panel>
  )
}
