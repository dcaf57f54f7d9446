import type { RunDetail } from '@tributary/contract/runs'
import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { connectorList } from '../../api/lists.ts'
import { useMay } from '../../api/workspace.ts'
import { announce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailure } from '../../ui/empty-state.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { isGoing, runDetail, runList, type RunPlace } from './api.ts'
import { PhaseLine } from './phase-line.tsx'
import { RejectedRows } from './rejected-rows.tsx'
import { RunFault } from './run-fault.tsx'
import { phaseOf, runLooks } from './run-look.ts'
import { RunFigures } from './run-figures.tsx'
import { RunLines } from './run-lines.tsx'
import css from './runs.module.css'
import { StreamTable } from './stream-table.tsx'

interface RunViewProps {
  place: RunPlace & { runId: string }
  title: string
  /** Null until the connector is known. */
  type: string | null
  onHistory: () => void
  onClose: () => void
}

export function RunView({ place, title, type, onHistory, onClose }: RunViewProps) {
  const { data: run, error, refetch } = useQuery(runDetail(place))
  const cancel = useCancel(place)
  const may = useMay()
  useChanges(place, run)

  return (
    <Dialog
      kind="wide drawer"
      title={title}
      subtitle={run === undefined ? ' ' : <Subtitle run={run} />}
      onClose={onClose}
      footer={
        <>
          <Button variant="default" className={css.start} leftSection={<IconHistory size={16} aria-hidden />} onClick={onHistory}>
            All runs
          </Button>
          {run !== undefined && isGoing(run) && may('cancelRun') ? (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel run
            </Button>
          ) : null}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <ErrorBanner message={cancel.error === null ? null : messageOf(cancel.error)} onDismiss={cancel.reset} />
      {run === undefined && error === null ? <SkeletonLines count={6} height={36} /> : null}
      {run === undefined && error !== null ? <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} /> : null}
      {run === undefined ? null : <RunContent run={run} place={place} type={type} />}
    </Dialog>
  )
}

function Subtitle({ run: { Mode, Trigger, TriggeredBy } }: { run: RunDetail }) {
  const by = Trigger === 'schedule' ? 'by the schedule' : `by ${TriggeredBy ?? 'hand'}`
  return `${Mode === 'full' ? 'Full' : 'Incremental'} run, started ${by}`
}

function RunContent({ run, place, type }: { run: RunDetail; place: RunViewProps['place']; type: string | null }) {
  return (
    <>
      <div className={css.state}>
        <StatusBadge {...runLooks[run.Status]} />
        <PhaseLine phase={phaseOf(run)} hasStopped={run.Status === 'FAILED' || run.Status === 'CANCELLED'} />
      </div>
      <RunFault run={run} type={type} />
      <RunFigures run={run} />
      {run.Streams.length === 0 ? null : <StreamTable streams={run.Streams} />}
      {run.RowsRejected > 0 ? <RejectedRows place={place} count={run.RowsRejected} /> : null}
      {run.Lines.length === 0 ? null : <RunLines lines={run.Lines} />}
    </>
  )
}

/** Says each new phase once, and lets the cards behind know when the run has ended. */
function useChanges({ clientId, connectorId }: RunPlace, run: RunDetail | undefined): void {
  const queryClient = useQueryClient()
  const known = useRef<string | null>(null)
  const status = run?.Status
  const said = run === undefined ? null : isGoing(run) ? phaseOf(run) : runLooks[run.Status].word
  useEffect(() => {
    if (said !== null && known.current !== null && known.current !== said) announce(`Run: ${said}`)
    known.current = said
  }, [said])
  useEffect(() => {
    if (status === undefined) return
    void queryClient.invalidateQueries({ queryKey: connectorList(clientId).queryKey })
    void queryClient.invalidateQueries({ queryKey: runList({ clientId, connectorId }).queryKey })
  }, [status, clientId, connectorId, queryClient])
}

function useCancel(place: RunViewProps['place']) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/cancel', { params: place }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: runDetail(place).queryKey }),
  })
}
