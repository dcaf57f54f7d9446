import type { LoadSlice } from '@tributary/contract/loads'
import { Panel } from '../../ui/layout/panel.tsx'
import { type VirtualColumn, VirtualTable } from '../../ui/tables/virtual-table.tsx'
import { describeSlice } from '@tributary/contract/load-wording'
import { formatCount, formatRowCount, formatMoment } from '../../ui/formats.ts'

/** Slices that a load replaces as a whole. `replaces` is the tense of the texts. */
export function ReplacedSlicesTable({
  slices,
  replaces,
}: {
  slices: readonly LoadSlice[]
  replaces: 'Replaces' | 'Replaced'
}) {
  if (slices.length === 0) return null
  const title = replaces === 'Replaces' ? 'What is replaced' : 'What was replaced'
  const columns: readonly VirtualColumn<LoadSlice>[] = [
    { title: 'Rows of', widthPx: 300, text: describeSlice },
    { title: 'Rows', widthPx: 72, isNumber: true, text: ({ Rows }) => formatCount(Rows) },
    { title: replaces, widthPx: 460, text: describeReplacedRows },
  ]
  return (
    <Panel title={title}>
      <VirtualTable
        caption={`List of ${title.toLowerCase()}`}
        columns={columns}
        count={slices.length}
        rowAt={(at) => slices[at]}
      />
    </Panel>
  )
}

function describeReplacedRows({ FormerRows, FormerBy, FormerAtUtc }: LoadSlice): string {
  const rows = FormerRows === 0 ? 'nothing' : formatRowCount(FormerRows)
  const by = FormerBy === null ? '' : `, loaded by ${FormerBy}`
  return `${rows}${by}${by === '' || FormerAtUtc === null ? '' : `, ${formatMoment(FormerAtUtc, 'exact')}`}`
}
