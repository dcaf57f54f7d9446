import type { SyncedTable } from '@tributary/contract/table-sync'
import type { TableColumn } from '../../ui/tables/data-table.tsx'

export const outcomeLabels = {
  created: 'Created',
  changed: 'Changed',
  unchanged: 'Unchanged',
  written: 'Written',
} as const

/** What a synchronisation did to a table of a database. */
export const tableOutcomeColumns: readonly TableColumn<Pick<SyncedTable, 'Outcome' | 'Notice'>>[] = [
  { title: 'Outcome', cell: ({ Outcome }) => outcomeLabels[Outcome] },
  { title: 'Detail', cell: ({ Notice }) => Notice ?? '–' },
]
