/**
 * Wizard that creates or edits a security group in three steps. Nothing is saved before the last step, and the draft
 * survives a reload.
 */
import { Button, TextInput } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { handleCtrlEnter } from '../../ui/hooks/ctrl-enter.ts'
import { EditorBar } from '../../domain/link-editor/editor-bar.tsx'
import { subjectPath } from '../../domain/link-editor/editor-search-params.ts'
import { paths } from '../../paths.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import type { ScopeDimension } from './grant-keys.ts'
import type { GroupDraft, StartedDraft } from './group-draft.ts'
import css from './groups.module.css'
import { useGroupDraft } from './use-group-draft.ts'
import { useSaveGroup } from './use-save-group.ts'
import { type WizardStepName, wizardSteps, useWizardSearchParams } from './wizard-search-params.ts'
import { WizardStep } from './wizard-step.tsx'
import { WizardSummary } from './wizard-summary.tsx'
import { IconCheck } from '@tabler/icons-react'

const LazyAccessChangesDialog = lazyDialog(() => import('./access-changes-dialog.tsx'), 'AccessChangesDialog')

interface GroupWizardProps {
  /** What is edited, as in the URL. */
  of: string
  /** Null for a new group. */
  groupId: string | null
  fresh: StartedDraft
  areas: ScopeDimension
  versions: ScopeDimension
}

const areaNoun = { title: 'Areas', one: 'area', page: paths.areas }
const subareaNoun = { title: 'Subareas', one: 'subarea', page: paths.subareas }
const versionNoun = { title: 'Versions', one: 'version', page: paths.versions }
const milestoneNoun = { title: 'Milestones', one: 'milestone' }

export function GroupWizard({ of, groupId, fresh, areas, versions }: GroupWizardProps) {
  const { step, open, close } = useWizardSearchParams()
  const started = useGroupDraft(of, fresh)
  const saving = useSaveGroup(groupId, started, close)
  const { draft } = started
  const stepIndex = wizardSteps.indexOf(step)
  const [before, after] = [wizardSteps[stepIndex - 1], wizardSteps[stepIndex + 1]]
  const goForward = () => (after === undefined ? saving.begin() : open(of, after))
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens to the keys of the fields inside */}
      <div className={css.wizard} onKeyDown={handleCtrlEnter(goForward)}>
        <div className={css.head}>
          <GroupName
            key={step}
            name={draft.name}
            hasFocus={step === 'area'}
            onChange={(name) => started.change({ name })}
          />
          <WizardSteps step={step} />
        </div>
        {started.isResumed && started.isChanged ? <DraftRestored onStartOver={started.startOver} /> : null}
        <SaveErrors messages={saving.failures} />
        <div className={css.workplace}>
          <StepPanes key={step} step={step} draft={draft} areas={areas} versions={versions} onChange={started.change} />
          <WizardSummary draft={draft} areas={areas} versions={versions} />
        </div>
        <EditorBar
          back={before === undefined ? 'Back to Security Groups' : 'Back'}
          onBack={() => (before === undefined ? close() : open(of, before))}
          submit={after === undefined ? saveLabel(groupId) : 'Next'}
          onSubmit={goForward}
          isBusy={saving.isPending}
        />
      </div>
      {saving.effects === null ? null : (
        <LazyAccessChangesDialog
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
  step: WizardStepName
  draft: GroupDraft
  areas: ScopeDimension
  versions: ScopeDimension
  onChange: (change: Partial<GroupDraft>) => void
}

function StepPanes({ step, draft, areas, versions, onChange }: StepPanesProps) {
  if (step === 'version') {
    return (
      <WizardStep
        dimension={versions}
        side="outer"
        subjects={versionNoun}
        objects={milestoneNoun}
        everything="All versions and milestones, current and future"
        noObjects={({ name }) => ({
          text: `${name} has no milestones yet.`,
          link: 'Add milestones',
          to: paths.versions,
        })}
        keys={draft.milestones}
        onKeys={(milestones) => onChange({ milestones })}
      />
    )
  }
  const isFlipped = step === 'areaFlipped'
  const [subjects, objects] = isFlipped ? [subareaNoun, areaNoun] : [areaNoun, subareaNoun]
  return (
    <WizardStep
      dimension={areas}
      side={isFlipped ? 'inner' : 'outer'}
      subjects={subjects}
      objects={objects}
      everything="All areas and subareas, current and future"
      noObjects={({ id, name }) => ({
        text: `No ${objects.title.toLowerCase()} are linked to ${name} yet.`,
        link: `Link ${objects.title.toLowerCase()}`,
        to: subjectPath(isFlipped ? paths.subareaLinks : paths.areaLinks, id),
      })}
      keys={draft.pairs}
      onKeys={(pairs) => onChange({ pairs })}
    />
  )
}

function saveLabel(groupId: string | null): string {
  return groupId === null ? 'Create Security Group' : 'Save Security Group'
}

/** Shown in every step. */
function GroupName({
  name,
  hasFocus,
  onChange,
}: {
  name: string
  hasFocus: boolean
  onChange: (name: string) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const container = useRef<HTMLDivElement>(null)
  const takesFocus = useRef(hasFocus)
  // Moves the focus to the start of the step: into the name in the first one. A layout effect, because the next key
  // may follow at once.
  useLayoutEffect(() => {
    if (takesFocus.current) input.current?.focus()
    else container.current?.focus()
  }, [])
  return (
    <div ref={container} tabIndex={-1} className={css.name}>
      <TextInput
        ref={input}
        label="Security Group Name"
        classNames={{ root: css.nameField ?? '', label: css.nameLabel ?? '', wrapper: css.nameInput ?? '' }}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

function DraftRestored({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Callout tone="info" title="Draft restored.">
      <span className={css.noteButtons}>
        <Button variant="default" size="compact-sm" onClick={onStartOver}>
          Start over
        </Button>
      </span>
    </Callout>
  )
}

/** Errors of saving; takes the focus. */
function SaveErrors({ messages }: { messages: readonly string[] }) {
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

const stepLabels: Readonly<Record<WizardStepName, string>> = {
  area: '1. Areas',
  areaFlipped: '2. Subareas',
  version: '3. Versions & Milestones',
}

/** The steps in one line. The check mark at the end stands for saving. */
function WizardSteps({ step }: { step: WizardStepName }) {
  return (
    <ol className={css.steps} aria-label="Steps">
      {wizardSteps.map((each) => (
        <li
          key={each}
          className={css.step}
          data-done={wizardSteps.indexOf(each) < wizardSteps.indexOf(step) || undefined}
          {...(each === step && { 'aria-current': 'step' })}
        >
          {stepLabels[each]}
        </li>
      ))}
      <li className={css.step}>
        <IconCheck size={18} stroke={2} />
        <span className="visually-hidden">Done</span>
      </li>
    </ol>
  )
}
