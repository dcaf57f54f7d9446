import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { runsByDay } from '../api.ts'
import { durationPoints, freshnessPoints, rowPoints } from './chart-points.ts'
import { DayChart } from './day-chart.tsx'
import css from '../runs.module.css'

const periods = [14, 30, 60, 90]

/** Charts by day, in the organisation's time zone. */
export function ChartsView({ ids }: { ids: ConnectorParams }) {
  const [period, setPeriod] = useState(30)
  const query = useQuery(runsByDay(ids, period))
  return (
    <>
      <NativeSelect
        aria-label="Period"
        className={css.period ?? ''}
        value={String(period)}
        data={periods.map((days) => ({ value: String(days), label: `The last ${days} days` }))}
        onChange={(event) => setPeriod(Number(event.currentTarget.value))}
      />
      <QueryResult query={query}>
        {(days) =>
          days.every(({ Runs }) => Runs === 0) ? (
            <EmptyState kind="first" title="No runs in this period.">
              Rows, duration and freshness by day will appear here.
            </EmptyState>
          ) : (
            <>
              <DayChart title="Rows written" unit="rows a day" series="rows" points={rowPoints(days)} />
              <DayChart
                title="Duration"
                unit="average of the day’s runs"
                series="duration"
                points={durationPoints(days)}
              />
              <DayChart
                title="Freshness"
                unit="how the day’s runs ended"
                series="health"
                points={freshnessPoints(days)}
              />
            </>
          )
        }
      </QueryResult>
    </>
  )
}
