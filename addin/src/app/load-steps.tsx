/** From choosing to the receipt, one screen after the other, and the history beside them. */
import { Button } from '@fluentui/react-button'
import { makeStyles } from '@griffel/react'
import type { Load } from '@tributary/contract/loads'
import type { Organisation } from '@tributary/contract/organisations'
import { useState } from 'react'
import { clearMarks, hasMarks } from '../host/cell-highlights.ts'
import { type Draft, readDraft } from '../load/draft.ts'
import type { Plan } from '../load/load-plan.ts'
import { Check } from '../screens/check.tsx'
import { Choose } from '../screens/choose.tsx'
import { History } from '../screens/history.tsx'
import { Preview } from '../screens/preview.tsx'
import { ReadAgain } from '../screens/reread-sheet.tsx'
import { Receipt } from '../screens/receipt.tsx'
import { Send } from '../screens/send.tsx'
import { Failure } from '../ui/message-bars.tsx'
import { useAct } from '../ui/use-request.ts'

type Step =
  | { readonly at: 'choose' | 'history' }
  | { readonly at: 'preview'; readonly plan: Plan }
  | { readonly at: 'send' | 'check' | 'again'; readonly plan: Plan; readonly load: Load }
  | { readonly at: 'receipt'; readonly load: Load; readonly isFromHistory: boolean }

interface StepsProps {
  organisations: readonly Organisation[]
  signedInFor: string | null
}

export function Steps({ organisations, signedInFor }: StepsProps) {
  const [draft, setDraft] = useState(() => firstDraft(organisations, signedInFor))
  const [step, setStep] = useState<Step>({ at: 'choose' })
  const choose = () => setStep({ at: 'choose' })
  const history = () => setStep({ at: 'history' })
  switch (step.at) {
    case 'choose':
      return (
        <>
          <Choose
            {...{ organisations, draft, onDraft: setDraft }}
            onPreview={(plan) => setStep({ at: 'preview', plan })}
          />
          <Foot onHistory={history} />
        </>
      )
    case 'preview':
      return <Preview plan={step.plan} onBack={choose} onBegun={(plan, load) => setStep({ at: 'send', plan, load })} />
    case 'history':
      return (
        <History
          organisationId={draft.organisationId}
          onBack={choose}
          onOpen={(load) => setStep({ at: 'receipt', load, isFromHistory: true })}
        />
      )
    case 'receipt':
      return (
        <Receipt
          key={step.load.Id}
          load={step.load}
          onBack={step.isFromHistory ? history : undefined}
          onUndone={(load) => setStep({ ...step, load })}
          onAnother={choose}
        />
      )
    default:
      return <UnderWay step={step} onStep={setStep} />
  }
}

/** A load that the server has begun, until it is in the table or given up. */
function UnderWay({
  step,
  onStep,
}: {
  step: Step & { readonly at: 'send' | 'check' | 'again' }
  onStep: (step: Step) => void
}) {
  const { plan, load } = step
  const again = () => onStep({ at: 'again', plan, load })
  const onCancelled = () => onStep({ at: 'choose' })
  if (step.at === 'again')
    return <ReadAgain {...{ plan, load, onCancelled }} onBegun={(begun) => onStep({ at: 'send', ...begun })} />
  if (step.at === 'send')
    return (
      <Send
        key={load.Id}
        {...{ plan, load, onCancelled }}
        onSent={() => onStep({ at: 'check', plan, load })}
        onAgain={again}
      />
    )
  const onLoaded = (loaded: Load) => onStep({ at: 'receipt', load: loaded, isFromHistory: false })
  return <Check {...{ plan, load, onCancelled, onLoaded }} onAgain={again} />
}

/** What the workbook remembers, if it is of an organisation of this person; else the one that they signed in for. */
function firstDraft(organisations: readonly Organisation[], signedInFor: string | null): Draft {
  const kept = readDraft()
  const isOwn = (id: string | null) => organisations.some(({ Id }) => Id === id)
  if (isOwn(kept.organisationId)) return kept
  return {
    ...kept,
    organisationId: (isOwn(signedInFor) ? signedInFor : organisations[0]?.Id) ?? '',
    tableId: '',
    names: {},
  }
}

const useStyles = makeStyles({ foot: { display: 'flex', flexWrap: 'wrap', gap: '8px', padding: '0 20px 20px' } })

function Foot({ onHistory }: { onHistory: () => void }) {
  const styles = useStyles()
  const clearing = useAct()
  const clear = () => clearing.run(clearMarks)
  return (
    <footer className={styles.foot}>
      <Button onClick={onHistory}>History</Button>
      {hasMarks() ? (
        <Button disabled={clearing.isBusy} onClick={clear}>
          Clear the marks in the sheet
        </Button>
      ) : null}
      <Failure error={clearing.error} onRetry={clear} />
    </footer>
  )
}
