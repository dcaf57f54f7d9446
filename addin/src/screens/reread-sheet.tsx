/** Cancels the load and begins another one with the current sheet. */
import { Button } from '@fluentui/react-button'
import type { Load } from '@tributary/contract/loads'
import { useEffect, useRef } from 'react'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { type LoadPlan, restartLoad } from '../load/load-plan.ts'
import { Failure, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'

interface RereadSheetProps {
  plan: LoadPlan
  load: Load
  onBegun: (begun: { plan: LoadPlan; load: Load }) => void
  onCancelled: () => void
}

export function RereadSheet({ plan, load, onBegun, onCancelled }: RereadSheetProps) {
  const restart = useScreenMutation(async (_, signal) => onBegun(await restartLoad(plan, load, signal)))
  const start = useRef(restart.mutate)
  useEffect(() => start.current(), [])
  return (
    <Screen title="Reading the sheet" actions={<Button onClick={onCancelled}>Cancel</Button>}>
      {restart.isPending ? <Waiting>Reading the sheet…</Waiting> : null}
      <Failure error={restart.error} onRetry={restart.mutate} />
    </Screen>
  )
}
