import type { LoadSlice } from '@tributary/contract/loads'
import { count } from '../../ui/tables/data-table.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { exactTime } from '../../domain/time/relative-time.tsx'
import { type VirtualColumn, VirtualTable } from '../../ui/tables/virtual-table.tsx'
import { rowsWord, sliceName } from './load-wording.ts'

/** What is replaced as a whole, combination by combination. `replaces`: in the tense that fits. */
export function SliceTable({ slices, replaces }: { slices: readonly LoadSlice[]; replaces: 'Replaces' | 'Replaced' }) {
  if (slices.length === 0) return null
  const title = replaces === 'Replaces' ? 'What is replaced' : 'What was replaced'
  const columns: readonly VirtualColumn<LoadSlice>[] = [
    { title: 'Rows of', widthPx: 300, text: sliceName },
    { title: 'Rows', widthPx: 72, isNumber: true, text: ({ Rows }) => count(Rows) },
    { title: replaces, widthPx: 460, text: formerWords },
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

function formerWords({ FormerRows, FormerBy, FormerAtUtc }: LoadSlice): string {
  const rows = FormerRows === 0 ? 'nothing' : rowsWord(FormerRows)
  const by = FormerBy === null ? '' : `, loaded by ${FormerBy}`
  return `${rows}${by}${by === '' || FormerAtUtc === null ? '' : `, ${exactTime(FormerAtUtc)}`}`
}
