import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../api/use-mutation.ts'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { type RunParams, runDetail } from '../../api/queries/runs.ts'
import { useMay } from '../../api/session/workspace.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import css from './runs.module.css'

/** Asks first, in the same place: a dialog over the drawer would hide what one is asked about. */
export function CancelRun({ place }: { place: RunParams }) {
  const may = useMay()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/cancel', { params: place }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: runDetail(place).queryKey }),
  })
  if (!may('cancelRun')) return null
  if (cancel.isSuccess) {
    return (
      <Button variant="default" disabled>
        Cancelling
      </Button>
    )
  }
  if (!isAsking) {
    return (
      <Button variant="default" onClick={() => setAsking(true)}>
        Cancel run
      </Button>
    )
  }
  return (
    <div className={css.asking} role="alert">
      <ErrorBanner message={cancel.error === null ? null : messageOf(cancel.error)} onDismiss={cancel.reset} />
      <span className={css.question}>
        Cancel this run? What it has written stays, and the next run goes on from there.
      </span>
      <Button variant="default" onClick={() => setAsking(false)} ref={focusOnce}>
        Keep running
      </Button>
      <Button color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the run
      </Button>
    </div>
  )
}

/** What was pressed is gone; the harmless answer has the focus instead. */
function focusOnce(button: HTMLButtonElement | null) {
  button?.focus()
}
