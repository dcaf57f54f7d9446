/**
 * Announces the end of each run that was started in this tab: by a toast, and in the title and icon of a hidden tab.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallError } from '@tributary/client/call-error'
import { connectorList } from '../../api/queries/common-queries.ts'
import { isUnfinished, runDetail } from '../../api/queries/runs.ts'
import { forgetStarted, type StartedRun, useStartedRuns } from '../../api/queries/started-runs.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { showTabBadge } from '../../ui/layout/document-title.ts'
import { withConnector } from '../../paths.ts'

const outcomes = {
  COMPLETED: { word: 'completed', tone: 'ok' },
  FAILED: { word: 'failed', tone: 'error' },
  CANCELLED: { word: 'was cancelled', tone: 'error' },
} as const

export function StartedRuns() {
  return useStartedRuns().map((run) => <RunEndAnnouncement key={run.runId} run={run} />)
}

function RunEndAnnouncement({ run }: { run: StartedRun }) {
  const { data, error } = useQuery(runDetail(run))
  const queryClient = useQueryClient()
  const changeAddress = useUpdateUrlParams()
  const orgId = useOrganisationId()
  const isOnScreen = useUrlParams().get('run') === run.runId
  useEffect(() => {
    if (error instanceof CallError && error.statusCode === 404) forgetStarted(run.runId)
    if (data === undefined || isUnfinished(data)) return
    // The other dependencies may change before the run is removed; the end must be announced once.
    if (!forgetStarted(run.runId)) return
    const { word, tone } = outcomes[data.Status as keyof typeof outcomes]
    const text = `${run.name} ${word}`
    showTabBadge({ text, tone })
    if (!isOnScreen) {
      showToast(`${text}.`, {
        label: 'See the run',
        act: () => changeAddress((current) => showRun(run, current, orgId)),
      })
    }
    void queryClient.invalidateQueries({ queryKey: connectorList(run.clientId).queryKey })
  }, [data, error, isOnScreen, run, orgId, changeAddress, queryClient])
  return null
}

/** Opens the run over the page, and switches to the run's organisation if another one is selected. */
function showRun(
  { clientId, connectorId, runId }: StartedRun,
  current: URLSearchParams,
  orgId: string,
): URLSearchParams {
  const next = withConnector(current, connectorId, { run: runId })
  if (clientId !== orgId) next.set('organisation', clientId)
  return next
}
