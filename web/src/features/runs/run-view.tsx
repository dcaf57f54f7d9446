/** One run, live while it is running. */
import type { Connector } from '@tributary/contract/connectors'
import type { RunDetail } from '@tributary/contract/runs'
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useRef, useState, useEffectEvent } from 'react'
import { connectorList } from '../../api/queries/common-queries.ts'
import { isUnfinished, type RunParams } from '../../api/queries/runs.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { useNow } from '../../domain/time/use-now.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { runListKey } from './api.ts'
import { CancelRunButton } from './cancel-run-button.tsx'
import { FaultCard } from './fault-card.tsx'
import { RunPhases } from './run-phases.tsx'
import { RejectedRows } from './rejected-rows.tsx'
import { RunStatistics } from './run-statistics.tsx'
import { RunLog } from './run-log.tsx'
import { runPhase, runStatusBadges, formatRunTitle, displayedStreams, explainStall } from './run-status.ts'
import { RunTimeline } from './run-timeline.tsx'
import css from './runs.module.css'
import { StreamTable } from './stream-table.tsx'
import { ConnectorLink } from '../../domain/connectors/connector-link.tsx'
import { TieOutSummary } from '../../domain/tie-out/tie-out-summary.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useLiveRun } from './use-live-run.ts'

interface RunViewProps {
  ids: RunParams
  title: string
  /** Undefined until loaded. */
  connector: Connector | undefined
  onHistory: () => void
  onClose: () => void
}

export function RunView({ ids, title, connector, onHistory, onClose }: RunViewProps) {
  const { TimeZone } = useWorkspace().organisation
  const { query, isPaused } = useLiveRun(ids)
  const run = query.data
  useRunUpdates(ids, run)

  return (
    <Dialog
      kind="wide drawer"
      title={title}
      subtitle={run === undefined ? ' ' : formatRunTitle(run, TimeZone)}
      onClose={onClose}
      footer={
        <>
          <Button variant="default" className={css.start} leftSection={<IconArrowLeft />} onClick={onHistory}>
            All runs
          </Button>
          {run !== undefined && isUnfinished(run) ? <CancelRunButton ids={ids} /> : null}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {isPaused ? <Callout tone="info">Live updates paused, checking every 10 seconds.</Callout> : null}
      <QueryResult query={query}>{(loaded) => <RunContent run={loaded} ids={ids} connector={connector} />}</QueryResult>
    </Dialog>
  )
}

function RunContent({ run, ids, connector }: { run: RunDetail; ids: RunParams; connector: Connector | undefined }) {
  const [isRejectedOpen, setRejectedOpen] = useState(false)
  const why = explainStall(run, useNow(15_000))
  function reviewRows() {
    setRejectedOpen(true)
    document.getElementById('run-rejected')?.focus()
  }
  return (
    <>
      <div className={css.state}>
        <StatusBadge {...runStatusBadges[run.Status]} />
        <RunPhases phase={runPhase(run)} hasStopped={run.Status === 'FAILED' || run.Status === 'CANCELLED'} />
      </div>
      <TieOutSummary connectorId={run.ConnectorId} state={run.TieOut} className={css.tieOut} />
      <LaterRunsNote run={run} connector={connector} />
      {run.Card === null ? (
        <RunNotice run={run} />
      ) : (
        <FaultCard card={run.Card} run={run} connector={connector} onReviewRows={reviewRows} />
      )}
      {why === null ? null : (
        <Callout tone="warn" title="Why is this stalled?">
          <p>{why}</p>
        </Callout>
      )}
      <RunStatistics run={run} />
      {run.Streams.length === 0 ? null : <StreamTable streams={displayedStreams(run)} />}
      {run.RowsRejected > 0 ? (
        <RejectedRows
          ids={ids}
          count={run.RowsRejected}
          isOpen={isRejectedOpen}
          onToggle={() => setRejectedOpen(!isRejectedOpen)}
        />
      ) : null}
      <RunTimeline run={run} />
      {run.Lines.length === 0 ? null : <RunLog lines={run.Lines} />}
    </>
  )
}

/** Links an old run to the latest one, because its fault card describes the data of that time. */
function LaterRunsNote({ run, connector }: { run: RunDetail; connector: Connector | undefined }) {
  const latest = connector?.Log?.RunId
  if (isUnfinished(run) || run.Card === null || latest === undefined || latest === run.Id) return null
  return (
    <Callout tone="info">
      <p>
        There are later runs.{' '}
        <ConnectorLink connectorId={run.ConnectorId} run={latest}>
          See the latest run
        </ConnectorLink>
      </p>
    </Callout>
  )
}

/** Notice of a run without a fault. */
function RunNotice({ run: { Notice } }: { run: RunDetail }) {
  return Notice === null ? null : <Callout tone="info">{Notice}</Callout>
}

/** Announces each new phase to screen readers, and refreshes the lists when the status changes. */
function useRunUpdates({ clientId, connectorId }: RunParams, run: RunDetail | undefined): void {
  const invalidate = useInvalidate()
  const known = useRef<string | null>(null)
  const status = run?.Status
  const announced = run === undefined ? null : isUnfinished(run) ? runPhase(run) : runStatusBadges[run.Status].label
  useEffect(() => {
    if (announced !== null && known.current !== null && known.current !== announced)
      announceToScreenReader(`Run: ${announced}`)
    known.current = announced
  }, [announced])
  const refreshLists = useEffectEvent(
    () => void invalidate(connectorList(clientId), { queryKey: runListKey({ clientId, connectorId }) }),
  )
  useEffect(() => {
    if (status !== undefined) refreshLists()
  }, [status])
}
