/** The load is given up and begun anew, with the sheet as it is by now. */
import { Button } from '@fluentui/react-button'
import type { Load } from '@tributary/contract/loads'
import { useEffect, useRef } from 'react'
import { beginAgain, type Plan } from '../load/load-plan.ts'
import { Failure, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAct } from '../ui/use-request.ts'

interface ReadAgainProps {
  plan: Plan
  load: Load
  onBegun: (begun: { plan: Plan; load: Load }) => void
  onCancelled: () => void
}

export function ReadAgain({ plan, load, onBegun, onCancelled }: ReadAgainProps) {
  const reading = useAct()
  const read = () => reading.run(async (signal) => onBegun(await beginAgain(plan, load, signal)))
  const first = useRef(read)
  useEffect(() => first.current(), [])
  return (
    <Screen title="Reading the sheet" actions={<Button onClick={onCancelled}>Cancel</Button>}>
      {reading.isBusy ? <Waiting>Reading the sheet…</Waiting> : null}
      <Failure error={reading.error} onRetry={read} />
    </Screen>
  )
}
