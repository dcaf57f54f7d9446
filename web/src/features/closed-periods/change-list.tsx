/** The documents that changed in closed periods, with filters, export and acknowledgement. */
import type { ClosedPeriodChange } from '@tributary/contract/closed-periods'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectorList } from '../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { formatCount, formatDay } from '../../ui/formats.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { useRowSelection } from '../../ui/tables/row-selection.tsx'
import { AcknowledgeForm } from './acknowledge-form.tsx'
import { type ChangeFilter, closedPeriodChanges } from './api.ts'
import { changeColumns, documentName } from './change-columns.tsx'
import { changesCsv } from './changes-csv.ts'
import css from './closed-periods.module.css'

interface ChangeListProps {
  readonly ids: ConnectorParams
  readonly mayAcknowledge: boolean
  readonly onRun: (runId: string) => void
}

export function ChangeList({ ids, mayAcknowledge, onRun }: ChangeListProps) {
  const [filter, setFilter] = useState<ChangeFilter>({ state: 'open' })
  const query = useQuery(closedPeriodChanges(ids, filter))
  const key = useQuery(connectorList(ids.clientId)).data?.find(({ Id }) => Id === ids.connectorId)?.Key ?? 'connector'
  return (
    <DrawerSection title="Changes in closed periods">
      <Filters filter={filter} periods={query.data?.Periods ?? []} onChange={setFilter} />
      <QueryResult query={query}>
        {({ Changes, Total }) =>
          Changes.length === 0 ? (
            <EmptyState
              kind={filter.state === 'open' ? 'first' : 'noMatch'}
              title={filter.state === 'open' ? 'No open changes.' : 'No changes match.'}
            >
              Documents that are added, changed, voided or deleted in a closed month appear here after each run.
            </EmptyState>
          ) : (
            <ChangesTable
              key={JSON.stringify(filter)}
              ids={ids}
              changes={Changes}
              total={Total}
              mayAcknowledge={mayAcknowledge}
              fileName={`closed-periods-${key}.csv`}
              onRun={onRun}
            />
          )
        }
      </QueryResult>
    </DrawerSection>
  )
}

interface ChangesProps extends ChangeListProps {
  readonly changes: readonly ClosedPeriodChange[]
  readonly total: number
  readonly fileName: string
}

function ChangesTable({ ids, changes, total, mayAcknowledge, fileName, onRun }: ChangesProps) {
  const selection = useRowSelection()
  const open = changes.filter(({ AcknowledgedAtUtc }) => AcknowledgedAtUtc === null)
  const chosen = open.filter(({ Id }) => selection.selected.has(Id))
  return (
    <>
      {mayAcknowledge && open.length > 0 ? (
        <AcknowledgeForm
          ids={ids}
          changes={(chosen.length === 0 ? open : chosen).map(({ Id }) => Id)}
          areChosen={chosen.length > 0}
        />
      ) : null}
      <DataTable
        caption="Documents changed in closed periods, latest first"
        name="closed-period-changes"
        summary={
          total > changes.length
            ? `The latest ${formatCount(changes.length)} of ${formatCount(total)} changes`
            : `${formatCount(total)} ${total === 1 ? 'change' : 'changes'}`
        }
        exporting={{ start: () => downloadFile(fileName, changesCsv(changes)) }}
        columns={changeColumns(onRun)}
        rows={changes}
        rowKey={({ Id }) => Id}
        {...(mayAcknowledge && {
          selection: {
            ...selection,
            labelOf: documentName,
            isSelectable: ({ AcknowledgedAtUtc }: ClosedPeriodChange) => AcknowledgedAtUtc === null,
          },
        })}
      />
    </>
  )
}

interface FiltersProps {
  readonly filter: ChangeFilter
  readonly periods: readonly string[]
  readonly onChange: (filter: ChangeFilter) => void
}

const stateChoices = [
  { value: 'open', label: 'Open' },
  { value: 'acknowledged', label: 'Acknowledged' },
  { value: '', label: 'All' },
]

function Filters({ filter, periods, onChange }: FiltersProps) {
  const { period, state, document } = filter
  const change = (part: Partial<Record<keyof ChangeFilter, string>>) => {
    const next = { period, state, document, ...part }
    onChange({
      ...(next.period !== undefined && next.period !== '' && { period: next.period }),
      ...((next.state === 'open' || next.state === 'acknowledged') && { state: next.state }),
      ...(next.document !== undefined && next.document !== '' && { document: next.document }),
    })
  }
  return (
    <div className={css.filters}>
      <NativeSelect
        label="Month"
        value={period ?? ''}
        data={[
          { value: '', label: 'All months' },
          ...periods.map((value) => ({ value, label: formatDay(value, 'month') })),
        ]}
        onChange={(event) => change({ period: event.currentTarget.value })}
      />
      <NativeSelect
        label="State"
        value={state ?? ''}
        data={stateChoices}
        onChange={(event) => change({ state: event.currentTarget.value })}
      />
      <SearchInput label="Document" value={document ?? ''} onChange={(value) => change({ document: value })} />
    </div>
  )
}
