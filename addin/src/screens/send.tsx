/** The rows on their way: how far they are, and the way to give them up. */
import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { ProgressBar } from '@fluentui/react-progress'
import type { Load } from '@tributary/contract/loads'
import { useEffect, useRef, useState } from 'react'
import { giveUp, type Plan, rowsPlace } from '../load/load-plan.ts'
import { nothingSent } from '../load/send-rows.ts'
import { SheetChanged, wayOf } from '../load/sheet-transfer.ts'
import { wait } from '../load/abortable-delay.ts'
import { Failure } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAct } from '../ui/use-request.ts'
import { count, rowsWord } from '../ui/load-wording.ts'

interface SendProps {
  plan: Plan
  load: Load
  onSent: () => void
  /** The sheet has changed: all of it is read anew. */
  onAgain: () => void
  onCancelled: () => void
}

export function Send({ plan, load, onSent, onAgain, onCancelled }: SendProps) {
  const { rows } = rowsPlace(plan)
  const [way] = useState(() => wayOf(plan, load.Id, wait))
  const [sent, setSent] = useState(nothingSent)
  const sending = useAct()
  const go = () =>
    sending.run(async (signal) => {
      await way.go(signal, setSent)
      onSent()
    })
  const begin = useRef(go)
  useEffect(() => {
    begin.current()
    return () => void way.end()
  }, [way])

  function cancel() {
    sending.stop()
    void giveUp(load.Id)
    onCancelled()
  }
  const hasChanged = sending.error instanceof SheetChanged
  return (
    <Screen title="Sending the rows" actions={<Button onClick={cancel}>Cancel</Button>}>
      <Field validationMessage={`${count(sent.rows)} of ${rowsWord(rows)}`} validationState="none">
        <ProgressBar value={sent.rows} max={rows} aria-label="Rows sent" />
      </Field>
      <Failure
        error={sending.error}
        onRetry={hasChanged ? onAgain : go}
        retryLabel={hasChanged ? 'Read it again' : 'Go on'}
      />
    </Screen>
  )
}
