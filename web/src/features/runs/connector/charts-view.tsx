import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../../domain/requests/query-result.tsx'
import { dayList } from '../api.ts'
import { durations, health, rowsMoved } from './chart-points.ts'
import { DayChart } from './day-chart.tsx'
import css from '../runs.module.css'

const periods = [14, 30, 60, 90]

/** How it went by day, on the organisation's clock. */
export function ChartsView({ place }: { place: ConnectorParams }) {
  const [period, setPeriod] = useState(30)
  const query = useQuery(dayList(place, period))
  return (
    <>
      <NativeSelect
        aria-label="Period"
        className={css.period ?? ''}
        value={String(period)}
        data={periods.map((days) => ({ value: String(days), label: `The last ${days} days` }))}
        onChange={(event) => setPeriod(Number(event.currentTarget.value))}
      />
      <Loaded query={query}>
        {(days) =>
          days.every(({ Runs }) => Runs === 0) ? (
            <EmptyState kind="first" title="No runs in this time.">
              Rows, duration and freshness by day will appear here.
            </EmptyState>
          ) : (
            <>
              <DayChart title="Rows written" unit="rows a day" series="rows" points={rowsMoved(days)} />
              <DayChart title="Duration" unit="average of the day’s runs" series="duration" points={durations(days)} />
              <DayChart title="Freshness" unit="how the day’s runs ended" series="health" points={health(days)} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
