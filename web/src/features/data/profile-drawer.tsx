/** What a column holds: empty and distinct values, the smallest, the largest and the most frequent ones. */
import type { DataColumn, DataProfile } from '@tributary/contract/data'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatCount, formatDecimal, formatRowCount } from '../../ui/formats.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { type DescriptionItem, DescriptionList } from '../../ui/layout/panel.tsx'
import { countColumn, DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { columnProfile, type TableLocation } from './api.ts'
import { formatCell } from './data-words.ts'
import { QueryProgress } from './query-progress.tsx'
import type { TableView } from './table-address.ts'

interface ProfileDrawerProps {
  location: TableLocation
  view: TableView
  column: DataColumn
  onClose: () => void
}

export function ProfileDrawer({ location, view, column, onClose }: ProfileDrawerProps) {
  const options = columnProfile(location, view, column.Name)
  const profile = useQuery(options)
  const queryClient = useQueryClient()
  const subtitle = [column.Type, ...(view.filters.length > 0 ? ['of the rows that match the filters'] : [])].join(', ')
  return (
    <Dialog kind="drawer" title={`Column ${column.Name}`} subtitle={subtitle} onClose={onClose}>
      {column.Description === null ? null : <p>{column.Description}</p>}
      {profile.data === undefined ? (
        <QueryPlaceholder of={profile}>
          <QueryProgress
            isSlow
            onCancel={() => {
              void queryClient.cancelQueries({ queryKey: options.queryKey })
              onClose()
            }}
          />
        </QueryPlaceholder>
      ) : (
        <Profile profile={profile.data} column={column} />
      )}
    </Dialog>
  )
}

function Profile({ profile, column }: { profile: DataProfile; column: DataColumn }) {
  const { Frequent, SamplePercent, SampleRows } = profile
  return (
    <>
      {SamplePercent === null ? null : (
        <Callout tone="info">
          {`Of a random sample of ${formatDecimal(String(SamplePercent))} % of the table, so rare values may be missing.`}
        </Callout>
      )}
      {SampleRows === null ? null : (
        <Callout tone="info">{`Of the first ${formatRowCount(SampleRows)} of the view.`}</Callout>
      )}
      <DrawerSection title="In figures">
        <DescriptionList items={figuresOf(profile, column)} />
      </DrawerSection>
      {Frequent.length === 0 ? null : (
        <DrawerSection title="Most frequent values">
          <DataTable
            caption={`Most frequent values of ${column.Name}`}
            columns={frequentColumns(column, profile.Rows)}
            rows={Frequent}
            rowKey={({ Value }) => Value}
            keepsColumns
          />
        </DrawerSection>
      )}
    </>
  )
}

function figuresOf({ Rows, Empty, Distinct, Least, Greatest }: DataProfile, column: DataColumn): DescriptionItem[] {
  return [
    { label: 'Rows', value: formatCount(Rows) },
    { label: 'Empty', value: `${formatCount(Empty)}${Rows === 0 ? '' : ` (${formatShare(Empty, Rows)})`}` },
    { label: 'Distinct values', value: formatCount(Distinct) },
    ...(Least === null ? [] : [{ label: 'Smallest', value: formatCell(Least, column) }]),
    ...(Greatest === null ? [] : [{ label: 'Largest', value: formatCell(Greatest, column) }]),
  ]
}

type FrequentValue = DataProfile['Frequent'][number]

function frequentColumns(column: DataColumn, total: number): readonly TableColumn<FrequentValue>[] {
  return [
    { title: 'Value', cell: ({ Value }) => (Value === '' ? '(empty)' : formatCell(Value, column)) },
    countColumn('Rows', ({ Rows }) => Rows),
    { title: 'Share', isNumber: true, cell: ({ Rows }) => formatShare(Rows, total) },
  ]
}

function formatShare(part: number, total: number): string {
  return `${formatDecimal(((100 * part) / total).toFixed(1))} %`
}
