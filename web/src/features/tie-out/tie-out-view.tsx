/** Tie-out of a connector: by month, by account of a month, by document of an account. The URL holds the level. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { withConnector } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { AccountView } from './account-view.tsx'
import { latestTieOut } from './api.ts'
import { MonthView } from './month-view.tsx'
import { MonthsView } from './months-view.tsx'
import css from './tie-out.module.css'

interface TieOutViewProps {
  readonly ids: ConnectorParams
  readonly onRun: (runId: string) => void
}

export function TieOutView({ ids, onRun }: TieOutViewProps) {
  const query = useQuery(latestTieOut(ids))
  const params = useUrlParams()
  const period = params.get('period')
  const accountId = params.get('account')
  const company = params.get('company') ?? ''
  /** URL of the same view at another level. */
  function urlAt(depth: { readonly period?: string; readonly account?: string; readonly company?: string }): string {
    const next = withConnector(params, ids.connectorId, { view: 'tieOut' })
    for (const [name, value] of Object.entries(depth)) next.set(name, value)
    return `?${next}`
  }
  return (
    <FocusOnChange cause={`${period ?? ''} ${accountId ?? ''} ${company}`}>
      <QueryResult query={query}>
        {(tieOut) => {
          if (tieOut === null) return <NotComparedYet />
          if (period === null) return <MonthsView ids={ids} tieOut={tieOut} urlAt={urlAt} onRun={onRun} />
          if (accountId === null) return <MonthView ids={ids} tieOut={tieOut} period={period} urlAt={urlAt} />
          return (
            <AccountView
              ids={ids}
              tieOut={tieOut}
              period={period}
              accountId={accountId}
              company={company}
              urlAt={urlAt}
            />
          )
        }}
      </QueryResult>
    </FocusOnChange>
  )
}

/** Moves the focus to the top after a level changes, because the link that had the focus is removed. */
function FocusOnChange({ cause, children }: { cause: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(cause)
  useEffect(() => {
    if (shown.current !== cause) box.current?.focus()
    shown.current = cause
  }, [cause])
  return (
    <div ref={box} tabIndex={-1} className={css.view}>
      {children}
    </div>
  )
}

function NotComparedYet() {
  return (
    <EmptyState kind="first" title="Not compared yet.">
      After a run, the trial balance computed from your tables is compared with the source’s own report, account by
      account and month by month. The result will appear here.
    </EmptyState>
  )
}
