/** One run, as it goes or as it went. */
import type { Connector } from '@tributary/contract/connectors'
import type { RunDetail } from '@tributary/contract/runs'
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { connectorList } from '../../api/queries/common-queries.ts'
import { isUnfinished, type RunParams } from '../../api/queries/runs.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { withConnector } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import { announce } from '../../ui/feedback/toasts.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { useTick } from '../../domain/time/relative-time.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TieOutChip } from '../../domain/tie-out/tie-out-badge.tsx'
import { runListKey } from './api.ts'
import { CancelRun } from './cancel-run-button.tsx'
import { FaultCard } from './fault-card.tsx'
import { PhaseLine } from './run-phases.tsx'
import { RejectedRows } from './rejected-rows.tsx'
import { RunFigures } from './run-statistics.tsx'
import { RunLines } from './run-log.tsx'
import { phaseOf, runLooks, runTitle, shownStreams, stalledWhy } from './run-status.ts'
import { RunTimeline } from './run-timeline.tsx'
import css from './runs.module.css'
import { StreamTable } from './stream-table.tsx'
import { useLiveRun } from './use-live-run.ts'

interface RunViewProps {
  place: RunParams
  title: string
  /** Undefined until the connector is known. */
  connector: Connector | undefined
  onHistory: () => void
  onClose: () => void
}

export function RunView({ place, title, connector, onHistory, onClose }: RunViewProps) {
  const { TimeZone } = useWorkspace().organisation
  const { data: run, error, refetch, isPaused } = useLiveRun(place)
  useChanges(place, run)

  return (
    <Dialog
      kind="wide drawer"
      title={title}
      subtitle={run === undefined ? ' ' : runTitle(run, TimeZone)}
      onClose={onClose}
      footer={
        <>
          <Button
            variant="default"
            className={css.start}
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={onHistory}
          >
            All runs
          </Button>
          {run !== undefined && isUnfinished(run) ? <CancelRun place={place} /> : null}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {isPaused ? <Note tone="info">Live updates paused, checking every 10 seconds.</Note> : null}
      {run === undefined && error === null ? <SkeletonLines count={6} height={36} /> : null}
      {run === undefined && error !== null ? (
        <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : null}
      {run === undefined ? null : <RunContent run={run} place={place} connector={connector} />}
    </Dialog>
  )
}

function RunContent({ run, place, connector }: { run: RunDetail; place: RunParams; connector: Connector | undefined }) {
  const [isRejectedOpen, setRejectedOpen] = useState(false)
  const why = stalledWhy(run, useTick(15_000))
  function reviewRows() {
    setRejectedOpen(true)
    document.getElementById('run-rejected')?.focus()
  }
  return (
    <>
      <div className={css.state}>
        <StatusBadge {...runLooks[run.Status]} />
        <PhaseLine phase={phaseOf(run)} hasStopped={run.Status === 'FAILED' || run.Status === 'CANCELLED'} />
      </div>
      <TieOutLine run={run} />
      <Later run={run} connector={connector} />
      {run.Card === null ? (
        <Remark run={run} />
      ) : (
        <FaultCard card={run.Card} run={run} connector={connector} onReviewRows={reviewRows} />
      )}
      {why === null ? null : (
        <Note tone="warn" title="Why is this stalled?">
          <p>{why}</p>
        </Note>
      )}
      <RunFigures run={run} />
      {run.Streams.length === 0 ? null : <StreamTable streams={shownStreams(run)} />}
      {run.RowsRejected > 0 ? (
        <RejectedRows
          place={place}
          count={run.RowsRejected}
          isOpen={isRejectedOpen}
          onToggle={() => setRejectedOpen(!isRejectedOpen)}
        />
      ) : null}
      <RunTimeline run={run} />
      {run.Lines.length === 0 ? null : <RunLines lines={run.Lines} />}
    </>
  )
}

/** What comparing the target with the source's own report came to in this run. */
function TieOutLine({ run: { TieOut, ConnectorId } }: { run: RunDetail }) {
  const params = useAddress()
  if (TieOut === null) return null
  return (
    <p className={css.tieOut}>
      <TieOutChip state={TieOut} />
      <Link to={`?${withConnector(params, ConnectorId, { view: 'tieOut' })}`}>See the figures</Link>
    </p>
  )
}

/** What an old run says of the data is about the past; the latest says what holds now. */
function Later({ run, connector }: { run: RunDetail; connector: Connector | undefined }) {
  const params = useAddress()
  const latest = connector?.Log?.RunId
  if (isUnfinished(run) || run.Card === null || latest === undefined || latest === run.Id) return null
  return (
    <Note tone="info">
      <p>
        Later runs have followed.{' '}
        <Link to={`?${withConnector(params, run.ConnectorId, { run: latest })}`}>See the latest run</Link>
      </p>
    </Note>
  )
}

/** What a run that is well has to say. */
function Remark({ run: { Notice } }: { run: RunDetail }) {
  return Notice === null ? null : <Note tone="info">{Notice}</Note>
}

/** Says each new phase once, and lets the cards behind know when the run has ended. */
function useChanges({ clientId, connectorId }: RunParams, run: RunDetail | undefined): void {
  const queryClient = useQueryClient()
  const known = useRef<string | null>(null)
  const status = run?.Status
  const said = run === undefined ? null : isUnfinished(run) ? phaseOf(run) : runLooks[run.Status].word
  useEffect(() => {
    if (said !== null && known.current !== null && known.current !== said) announce(`Run: ${said}`)
    known.current = said
  }, [said])
  useEffect(() => {
    if (status === undefined) return
    void queryClient.invalidateQueries({ queryKey: connectorList(clientId).queryKey })
    void queryClient.invalidateQueries({ queryKey: runListKey({ clientId, connectorId }) })
  }, [status, clientId, connectorId, queryClient])
}
