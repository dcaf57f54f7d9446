/** Making or changing a security group in three steps. Nothing is saved before the last button is pressed, and nothing is lost on the way. */
import { Button, TextInput } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { onControlEnter } from '../../ui/hooks/ctrl-enter.ts'
import { Note } from '../../ui/feedback/callout.tsx'
import { laterDialog } from '../../ui/later.tsx'
import type { Plane } from './grant-keys.ts'
import type { GroupDraft, Started } from './group-draft.ts'
import css from './groups.module.css'
import { useGroupDraft } from './use-group-draft.ts'
import { useSaveGroup } from './use-save-group.ts'
import { type Step, steps, useWizardAddress } from './wizard-search-params.ts'
import { WizardHeader } from './wizard-header.tsx'
import { WizardStep } from './wizard-step.tsx'
import { WizardSummary } from './wizard-summary.tsx'

const EffectsDialog = laterDialog(async () => (await import('./access-changes-dialog.tsx')).EffectsDialog)

interface GroupWizardProps {
  /** What the address says is edited. */
  of: string
  /** Null for a new one. */
  groupId: string | null
  fresh: Started
  areas: Plane
  versions: Plane
}

const areaNoun = { title: 'Areas', one: 'area' }
const subareaNoun = { title: 'Subareas', one: 'subarea' }

export function GroupWizard({ of, groupId, fresh, areas, versions }: GroupWizardProps) {
  const { step, open, close } = useWizardAddress()
  const started = useGroupDraft(of, fresh)
  const saving = useSaveGroup({ groupId, started, onSaved: close, onForget: started.forget })
  const { draft } = started
  const at = steps.indexOf(step)
  const [before, after] = [steps[at - 1], steps[at + 1]]
  const forth = () => (after === undefined ? saving.begin() : open(of, after))
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens to the keys of the fields inside */}
      <div className={css.wizard} onKeyDown={onControlEnter(forth)}>
        <WizardHeader step={step} />
        {started.isResumed && started.isChanged ? <Resumed onStartOver={started.startOver} /> : null}
        <Failures messages={saving.failures} />
        <div className={css.workplace}>
          <div className={css.main}>
            <GroupName
              key={`name ${step}`}
              name={draft.name}
              hasFocus={step === 'area'}
              onChange={(name) => started.change({ name })}
            />
            <StepPanes
              key={step}
              step={step}
              draft={draft}
              areas={areas}
              versions={versions}
              onChange={started.change}
            />
          </div>
          <WizardSummary draft={draft} areas={areas} versions={versions} />
        </div>
        <div className={css.bar}>
          <Button variant="default" onClick={() => (before === undefined ? close() : open(of, before))}>
            {before === undefined ? 'Back to Security Groups' : 'Back'}
          </Button>
          <Button loading={saving.isPending} onClick={forth} aria-keyshortcuts="Control+Enter">
            {after === undefined ? lastWord(groupId) : 'Next'}
          </Button>
        </div>
      </div>
      {saving.effects === null ? null : (
        <EffectsDialog
          effects={saving.effects}
          isSaving={saving.isPending}
          onSave={saving.confirm}
          onClose={saving.dismiss}
        />
      )}
    </>
  )
}

interface StepPanesProps {
  step: Step
  draft: GroupDraft
  areas: Plane
  versions: Plane
  onChange: (change: Partial<GroupDraft>) => void
}

function StepPanes({ step, draft, areas, versions, onChange }: StepPanesProps) {
  if (step === 'version') {
    return (
      <WizardStep
        plane={versions}
        side="outer"
        subjects={{ title: 'Versions', one: 'version' }}
        objects={{ title: 'Milestones', one: 'milestone' }}
        everything="All versions and milestones, current and future"
        keys={draft.milestones}
        onKeys={(milestones) => onChange({ milestones })}
      />
    )
  }
  const isFlipped = step === 'areaFlipped'
  return (
    <WizardStep
      plane={areas}
      side={isFlipped ? 'inner' : 'outer'}
      subjects={isFlipped ? subareaNoun : areaNoun}
      objects={isFlipped ? areaNoun : subareaNoun}
      everything="All areas and subareas, current and future"
      keys={draft.pairs}
      onKeys={(pairs) => onChange({ pairs })}
    />
  )
}

function lastWord(groupId: string | null): string {
  return groupId === null ? 'Create Security Group' : 'Save Security Group'
}

/** The same field in every step. */
function GroupName({
  name,
  hasFocus,
  onChange,
}: {
  name: string
  hasFocus: boolean
  onChange: (name: string) => void
}) {
  const box = useRef<HTMLInputElement>(null)
  const part = useRef<HTMLDivElement>(null)
  const takesFocus = useRef(hasFocus)
  // A step begins at its top: in the name where one begins, else before it. With the drawing, for the next key may follow at once.
  useLayoutEffect(() => {
    if (takesFocus.current) box.current?.focus()
    else part.current?.focus()
  }, [])
  return (
    <div ref={part} tabIndex={-1} className={css.name}>
      <TextInput
        ref={box}
        label="Security Group Name"
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

function Resumed({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Note tone="info" title="You go on where you stopped.">
      <span className={css.noteButtons}>
        <Button variant="default" size="compact-sm" onClick={onStartOver}>
          Start over
        </Button>
      </span>
    </Note>
  )
}

/** What went wrong, in red, with the focus. */
function Failures({ messages }: { messages: readonly string[] }) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (messages.length > 0) list.current?.focus()
  }, [messages])
  if (messages.length === 0) return null
  return (
    <ul ref={list} className={css.failures} role="alert" tabIndex={-1}>
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}
