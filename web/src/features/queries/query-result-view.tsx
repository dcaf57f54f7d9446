/** The result of the latest run: what happened, the rows, and a chart of them. */
import { SegmentedControl } from '@mantine/core'
import { queryLimits } from '@tributary/contract/limits'
import type { QueryChart, QueryFailure, QueryOutcome } from '@tributary/contract/queries'
import { useState } from 'react'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatCount, formatRowCount } from '../../ui/formats.ts'
import { LazyBoundary, lazyComponent } from '../../ui/lazy-component.tsx'
import css from './queries.module.css'
import { QueryResultTable } from './query-result-table.tsx'
import type { QueryRunState } from './use-query-run.ts'

const LazyChartPanel = lazyComponent(() => import('./chart/chart-panel.tsx'), 'ChartPanel')

interface QueryResultViewProps {
  readonly run: QueryRunState
  /** Of the editor now. */
  readonly text: string
  readonly chart: QueryChart | null
  readonly onChart: (chart: QueryChart) => void
}

export function QueryResultView({ run, text, chart, onChart }: QueryResultViewProps) {
  switch (run.state) {
    case 'none':
      return (
        <p className="muted">
          Write a query and run it with Ctrl Enter. It only reads, and sees what you may read. If a part of the text is
          selected, only this part runs.
        </p>
      )
    case 'running':
      return <output className="muted">The query is running. Cancel stops it in the database, too.</output>
    case 'cancelled':
      return <Callout tone="info" title="Cancelled. The database has stopped the query." />
    case 'failed':
      return <Callout tone="error" isAlert title={run.message} />
    case 'done':
      return run.outcome.Failure === null ? (
        <Rows outcome={run.outcome} chart={chart} onChart={onChart} />
      ) : (
        <Failure failure={run.outcome.Failure} place={findPlace(text, run.outcome.Failure, run.request.offset)} />
      )
  }
}

function Failure({ failure, place }: { failure: QueryFailure; place: string | null }) {
  return (
    <Callout tone="error" isAlert title={place === null ? failure.Message : `${place}: ${failure.Message}`}>
      {failure.Hint === null ? null : <p>{failure.Hint}</p>}
    </Callout>
  )
}

/** 'Line 2, column 8'. */
function findPlace(text: string, { Position }: QueryFailure, offset: number): string | null {
  if (Position === null) return null
  const before = text.slice(0, Position + offset).split('\n')
  return `Line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1}`
}

interface RowsProps {
  readonly outcome: QueryOutcome
  readonly chart: QueryChart | null
  readonly onChart: (chart: QueryChart) => void
}

function Rows({ outcome, chart, onChart }: RowsProps) {
  const [view, setView] = useState<'table' | 'chart'>(chart === null ? 'table' : 'chart')
  return (
    <section className={css.result} aria-label="Result">
      <LimitNotice outcome={outcome} />
      <div className={css.resultHead}>
        <output>{`${formatRowCount(outcome.Rows.length)} in ${formatSeconds(outcome.DurationMs)}`}</output>
        <SegmentedControl
          aria-label="Show as"
          value={view}
          onChange={(value) => setView(value === 'chart' ? 'chart' : 'table')}
          data={[
            { value: 'table', label: 'Table' },
            { value: 'chart', label: 'Chart' },
          ]}
        />
      </div>
      {view === 'table' ? (
        <QueryResultTable outcome={outcome} />
      ) : (
        <LazyBoundary>
          <LazyChartPanel outcome={outcome} chart={chart} onChange={onChart} />
        </LazyBoundary>
      )}
    </section>
  )
}

function formatSeconds(durationMs: number): string {
  return durationMs < 1_000 ? `${durationMs} ms` : `${(durationMs / 1_000).toFixed(1)} s`
}

function LimitNotice({
  outcome: {
    Reached,
    Rows: { length },
  },
}: {
  outcome: QueryOutcome
}) {
  if (Reached === null) return null
  const megabytes = queryLimits.bytesMax / 1_048_576
  const limits = {
    rows: `More than ${formatCount(queryLimits.rowsMax)} rows. These are the first ones.`,
    bytes: `More than ${megabytes} MB. ${length === 0 ? 'Not even the first row fits.' : `These are the first ${formatRowCount(length)}.`}`,
    timeMs: `The query took longer than ${queryLimits.timeMs / 1_000} seconds and was stopped. These are the rows until then.`,
  } as const
  return (
    <Callout tone="warn" title={limits[Reached]}>
      <p>
        Narrow it: filter with WHERE, group with GROUP BY, or select fewer columns. Totals of these rows are incomplete.
      </p>
    </Callout>
  )
}
