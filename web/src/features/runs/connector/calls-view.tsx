/** The calls of a connector to its source, against what the source allows: today, the month, by day and by table. */
import type { ConnectorUsage } from '@tributary/contract/usage'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { formatCount, formatSize } from '../../../ui/formats.ts'
import { DrawerSection } from '../../../ui/layout/drawer-section.tsx'
import { DataTable, type TableColumn } from '../../../ui/tables/data-table.tsx'
import { connectorUsage } from '../api.ts'
import css from './calls-view.module.css'
import { callPoints } from './chart-points.ts'
import { describeMonth, describeRules, describeToday } from './calls-wording.ts'
import { DayChart } from './day-chart.tsx'

const periods = [14, 30, 60, 90]

export function CallsView({ ids }: { ids: ConnectorParams }) {
  const [period, setPeriod] = useState(30)
  const query = useQuery(connectorUsage(ids, period))
  return (
    <QueryResult query={query}>
      {(usage) =>
        usage.Days.every(({ Calls }) => Calls === 0) && usage.Month.Used === 0 ? (
          <EmptyState kind="first" title="No calls yet.">
            The calls of runs to the source will appear here, by day and by table.
          </EmptyState>
        ) : (
          <div className={css.view}>
            <Today usage={usage} />
            <p>{describeMonth(usage)}</p>
            <NativeSelect
              aria-label="Period"
              className={css.period ?? ''}
              value={String(period)}
              data={periods.map((days) => ({ value: String(days), label: `The last ${days} days` }))}
              onChange={(event) => setPeriod(Number(event.currentTarget.value))}
            />
            <DayChart title="Calls" unit="calls a day (UTC)" series="rows" points={callPoints(usage.Days)} />
            <DataTable
              caption={`Calls by table in the last ${period} days`}
              columns={streamColumns}
              rows={usage.Streams}
              rowKey={({ Name }) => Name ?? ''}
            />
            <p className="small muted">
              Calls of runs are counted, those of a verification included, but not those of a connection test. The size
              is that of the replies as transferred. A worker that is killed loses the count of its last second.
            </p>
          </div>
        )
      }
    </QueryResult>
  )
}

function Today({ usage }: { usage: ConnectorUsage }) {
  const { Limit, Today: today } = usage
  const isTight = today.State !== 'open'
  return (
    <>
      {isTight ? (
        <Callout tone="warn" title={describeToday(usage)}>
          <p>{describeRules(usage)}</p>
        </Callout>
      ) : (
        <p>{describeToday(usage)}</p>
      )}
      {Limit?.Per === 'day' ? (
        <meter
          className={css.allowance}
          aria-label="Share of the day’s calls"
          min={0}
          max={Limit.Calls}
          high={0.8 * Limit.Calls}
          optimum={0}
          value={Math.min(Limit.Calls, today.Calls)}
        />
      ) : null}
      {today.Connectors.length > 1 ? <SharingConnectors connectors={today.Connectors} /> : null}
    </>
  )
}

type SharingConnector = ConnectorUsage['Today']['Connectors'][number]

function SharingConnectors({ connectors }: { connectors: readonly SharingConnector[] }) {
  return (
    <DrawerSection title="Connectors with the same credentials">
      <DataTable
        caption="Today’s calls of the connectors with the same credentials"
        columns={sharingColumns}
        rows={connectors}
        rowKey={({ CompanyName, ConnectorName }) => `${CompanyName} ${ConnectorName}`}
      />
    </DrawerSection>
  )
}

const sharingColumns: readonly TableColumn<SharingConnector>[] = [
  { title: 'Connector', cell: ({ ConnectorName }) => ConnectorName },
  { title: 'Organisation', cell: ({ CompanyName }) => CompanyName },
  { title: 'Calls today', isNumber: true, cell: ({ Calls }) => formatCount(Calls) },
]

const streamColumns: readonly TableColumn<ConnectorUsage['Streams'][number]>[] = [
  { title: 'Table', cell: ({ Name }) => Name ?? 'Not for one table' },
  { title: 'Calls', isNumber: true, cell: ({ Calls }) => formatCount(Calls) },
  { title: 'Size', isNumber: true, cell: ({ Bytes }) => formatSize(Bytes) },
]
