/** The tie-out of a connector: by month, within a month by account, within an account by document. The address says how deep. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { withConnector } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../domain/requests/query-result.tsx'
import { AccountView } from './account-view.tsx'
import { latestTieOut } from './api.ts'
import { MonthView } from './month-view.tsx'
import { Overview } from './months-view.tsx'
import css from './tie-out.module.css'

interface TieOutViewProps {
  readonly place: ConnectorParams
  readonly onRun: (runId: string) => void
}

export function TieOutView({ place, onRun }: TieOutViewProps) {
  const query = useQuery(latestTieOut(place))
  const params = useAddress()
  const period = params.get('period')
  const accountId = params.get('account')
  /** The same view at another depth. */
  function addressOf(depth: { readonly period?: string; readonly account?: string }): string {
    const next = withConnector(params, place.connectorId, { view: 'tieOut' })
    for (const [name, value] of Object.entries(depth)) next.set(name, value)
    return `?${next}`
  }
  return (
    <InFocus cause={`${period ?? ''} ${accountId ?? ''}`}>
      <Loaded query={query}>
        {(tieOut) => {
          if (tieOut === null) return <NotYet />
          if (period === null) return <Overview place={place} tieOut={tieOut} addressOf={addressOf} onRun={onRun} />
          if (accountId === null)
            return <MonthView place={place} tieOut={tieOut} period={period} addressOf={addressOf} />
          return (
            <AccountView place={place} tieOut={tieOut} period={period} accountId={accountId} addressOf={addressOf} />
          )
        }}
      </Loaded>
    </InFocus>
  )
}

/** The link that led to another depth is gone with its table: whoever goes by keyboard goes on from the top of the new one. */
function InFocus({ cause, children }: { cause: string; children: ReactNode }) {
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

function NotYet() {
  return (
    <EmptyState kind="first" title="Not compared yet.">
      After a run, the trial balance computed from your tables is compared with the source’s own report, account by
      account and month by month. What it comes to will appear here.
    </EmptyState>
  )
}
