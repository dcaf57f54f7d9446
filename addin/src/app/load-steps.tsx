/** The screens of a load, from the choice of the table to the receipt, and the history. */
import { Button } from '@fluentui/react-button'
import { makeStyles } from '@griffel/react'
import type { Load } from '@tributary/contract/loads'
import type { Organisation } from '@tributary/contract/organisations'
import { useState, useEffect, useRef } from 'react'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { clearHighlights, hasHighlights } from '../host/cell-highlights.ts'
import { type LoadDraft, readDraft } from '../load/draft.ts'
import { type LoadPlan, restartLoad } from '../load/load-plan.ts'
import { Check } from '../screens/check.tsx'
import { Choose } from '../screens/choose.tsx'
import { History } from '../screens/history.tsx'
import { Preview } from '../screens/preview.tsx'
import { Receipt } from '../screens/receipt.tsx'
import { Send } from '../screens/send.tsx'
import { Failure, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'

type LoadStep =
  | { readonly name: 'choose' | 'history' }
  | { readonly name: 'preview'; readonly plan: LoadPlan }
  | ActiveLoadStep
  | { readonly name: 'receipt'; readonly load: Load; readonly isFromHistory: boolean }

/** The server has begun the load, and it is neither committed nor cancelled. */
interface ActiveLoadStep {
  readonly name: 'send' | 'check' | 'reread'
  readonly plan: LoadPlan
  readonly load: Load
}

interface LoadStepsProps {
  organisations: readonly Organisation[]
  sessionOrganisationId: string | null
}

export function LoadSteps({ organisations, sessionOrganisationId }: LoadStepsProps) {
  const [draft, setDraft] = useState(() => createDraft(organisations, sessionOrganisationId))
  const [step, setStep] = useState<LoadStep>({ name: 'choose' })
  const choose = () => setStep({ name: 'choose' })
  const showHistory = () => setStep({ name: 'history' })
  switch (step.name) {
    case 'choose':
      return (
        <>
          <Choose
            {...{ organisations, draft, onDraft: setDraft }}
            onPreview={(plan) => setStep({ name: 'preview', plan })}
          />
          <ChooseFooter onHistory={showHistory} />
        </>
      )
    case 'preview':
      return (
        <Preview plan={step.plan} onBack={choose} onBegun={(plan, load) => setStep({ name: 'send', plan, load })} />
      )
    case 'history':
      return (
        <History
          organisationId={draft.organisationId}
          onBack={choose}
          onOpen={(load) => setStep({ name: 'receipt', load, isFromHistory: true })}
        />
      )
    case 'receipt':
      return (
        <Receipt
          key={step.load.Id}
          load={step.load}
          onBack={step.isFromHistory ? showHistory : undefined}
          onUndone={(load) => setStep({ ...step, load })}
          onAnother={choose}
        />
      )
    default:
      return <ActiveLoad step={step} onStep={setStep} />
  }
}

function ActiveLoad({ step, onStep }: { step: ActiveLoadStep; onStep: (step: LoadStep) => void }) {
  const { plan, load } = step
  const reread = () => onStep({ name: 'reread', plan, load })
  const onCancelled = () => onStep({ name: 'choose' })
  if (step.name === 'reread')
    return <RereadSheet {...{ plan, load, onCancelled }} onBegun={(begun) => onStep({ name: 'send', ...begun })} />
  if (step.name === 'send')
    return (
      <Send
        key={load.Id}
        {...{ plan, load, onCancelled }}
        onSent={() => onStep({ name: 'check', plan, load })}
        onReread={reread}
      />
    )
  const onLoaded = (loaded: Load) => onStep({ name: 'receipt', load: loaded, isFromHistory: false })
  return <Check {...{ plan, load, onCancelled, onLoaded }} onReread={reread} />
}

/**
 * Starts with the choices in the workbook if they name an organisation of this user, else with the session's
 * organisation.
 */
function createDraft(organisations: readonly Organisation[], sessionOrganisationId: string | null): LoadDraft {
  const stored = readDraft()
  const isMember = (id: string | null) => organisations.some(({ Id }) => Id === id)
  if (isMember(stored.organisationId)) return stored
  return {
    ...stored,
    organisationId: (isMember(sessionOrganisationId) ? sessionOrganisationId : organisations[0]?.Id) ?? '',
    tableId: '',
    names: {},
  }
}

const useStyles = makeStyles({ footer: { display: 'flex', flexWrap: 'wrap', gap: '8px', padding: '0 20px 20px' } })

function ChooseFooter({ onHistory }: { onHistory: () => void }) {
  const styles = useStyles()
  const clear = useScreenMutation(clearHighlights)
  return (
    <footer className={styles.footer}>
      <Button onClick={onHistory}>History</Button>
      {hasHighlights() ? (
        <Button disabled={clear.isPending} onClick={() => clear.mutate()}>
          Clear the highlights in the sheet
        </Button>
      ) : null}
      <Failure error={clear.error} onRetry={clear.mutate} />
    </footer>
  )
}

interface RereadSheetProps {
  plan: LoadPlan
  load: Load
  onBegun: (begun: { plan: LoadPlan; load: Load }) => void
  onCancelled: () => void
}

/** Cancels the load and begins another one with the current sheet. */
function RereadSheet({ plan, load, onBegun, onCancelled }: RereadSheetProps) {
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
