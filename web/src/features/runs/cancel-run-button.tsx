import { Button } from '@mantine/core'
import { useMutation } from '../../api/use-mutation.ts'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { type RunParams, runDetail } from '../../api/queries/runs.ts'
import { useMay } from '../../api/session/workspace.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { focusOnMount } from '../../ui/hooks/focus-on-mount.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import css from './runs.module.css'

/** Asks for confirmation in place of the button: a dialog over the drawer would hide the run. */
export function CancelRunButton({ ids }: { ids: RunParams }) {
  const may = useMay()
  const invalidate = useInvalidate()
  const [isConfirming, setConfirming] = useState(false)
  const cancel = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/cancel', { params: ids }),
    onSettled: () => invalidate(runDetail(ids)),
  })
  if (!may('cancelRun')) return null
  if (cancel.isSuccess) {
    return (
      <Button variant="default" disabled>
        Cancelling
      </Button>
    )
  }
  if (!isConfirming) {
    return (
      <Button variant="default" onClick={() => setConfirming(true)}>
        Cancel run
      </Button>
    )
  }
  return (
    <div className={css.asking} role="alert">
      <MutationError of={cancel} />
      <span className={css.question}>Cancel this run? Written rows stay, and the next run resumes from there.</span>
      <Button variant="default" onClick={() => setConfirming(false)} ref={focusOnMount}>
        Keep running
      </Button>
      <Button color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the run
      </Button>
    </div>
  )
}
