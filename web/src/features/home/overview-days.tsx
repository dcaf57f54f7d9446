/** The figures of the strips as a table: on how many days runs ended in which way. */
import type { DayOutcome, OverviewConnector } from '@tributary/contract/overview'
import { countColumn, DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { countDays, outcomeLabels, shownOutcomes } from './day-strip.tsx'
import { nameColumn, type OverviewTableProps } from './overview-table.tsx'

export function OverviewDays({ connectors, summary }: OverviewTableProps) {
  return (
    <DataTable
      caption="How the runs of the last 30 days ended, in days"
      name="overviewDays"
      summary={summary}
      columns={columns}
      rows={connectors}
      rowKey={({ Id }) => Id}
    />
  )
}

const columns: readonly TableColumn<OverviewConnector>[] = [
  nameColumn,
  ...shownOutcomes.map((outcome) =>
    countColumn<OverviewConnector>(`Days: ${outcomeLabels[outcome]}`, ({ Days }) => countDays(Days, outcome)),
  ),
  { title: 'Latest failure', cell: ({ Days }) => formatLatestFailure(Days) },
]

function formatLatestFailure(days: readonly DayOutcome[]): string {
  const at = days.findLastIndex((day) => day === 'failed' || day === 'partly')
  if (at === -1) return 'None'
  const ago = days.length - 1 - at
  return ago === 0 ? 'Today' : ago === 1 ? 'Yesterday' : `${ago} days ago`
}
