/** The transfer of the rows: its progress, and the button to cancel it. */
import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { ProgressBar } from '@fluentui/react-progress'
import type { Load } from '@tributary/contract/loads'
import { useEffect, useRef, useState } from 'react'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { delay } from '@tributary/client/delay'
import { cancelLoad, type LoadPlan, rowsBelowHeadings } from '../load/load-plan.ts'
import { noProgress } from '../load/send-rows.ts'
import { createSheetTransfer, SheetChangedError } from '../load/sheet-transfer.ts'
import { Failure } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { formatCount, formatRowCount } from '../ui/load-wording.ts'

interface SendProps {
  plan: LoadPlan
  load: Load
  onSent: () => void
  /** The sheet has changed: all of it is read again. */
  onReread: () => void
  onCancelled: () => void
}

export function Send({ plan, load, onSent, onReread, onCancelled }: SendProps) {
  const { rows } = rowsBelowHeadings(plan)
  const [transfer] = useState(() => createSheetTransfer(plan, load.Id, delay))
  const [sent, setSent] = useState(noProgress)
  const send = useScreenMutation(async (_, signal) => {
    await transfer.run(signal, setSent)
    onSent()
  })
  const start = useRef(send.mutate)
  useEffect(() => {
    start.current()
    return () => void transfer.close()
  }, [transfer])

  function cancel() {
    send.reset()
    void cancelLoad(load.Id)
    onCancelled()
  }
  const hasChanged = send.error instanceof SheetChangedError
  return (
    <Screen title="Sending the rows" actions={<Button onClick={cancel}>Cancel</Button>}>
      <Field validationMessage={`${formatCount(sent.rows)} of ${formatRowCount(rows)}`} validationState="none">
        <ProgressBar value={sent.rows} max={rows} aria-label="Rows sent" />
      </Field>
      <Failure
        error={send.error}
        onRetry={hasChanged ? onReread : send.mutate}
        retryLabel={hasChanged ? 'Read it again' : 'Continue'}
      />
    </Screen>
  )
}
