/**
 * Edits the links of one subject at a time. Changes are saved only by the button, and the bar below summarises them.
 * Every subject keeps its own draft.
 */
import { Button } from '@mantine/core'
import type { Blocker } from 'react-router'
import { UnsavedChangesDialog } from '../../ui/dialogs/unsaved-changes-dialog.tsx'
import { useEffect, useEffectEvent, useState } from 'react'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../requests/mutation-error.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { type LinkKind, type SaveLinks, toLinkUpdate } from './link-kind.ts'
import { ChangeSummary } from './change-summary.tsx'
import { handleCtrlEnter } from '../../ui/hooks/ctrl-enter.ts'
import css from './link-editor.module.css'
import { LinkPanes } from './link-panes.tsx'
import {
  diffLinks,
  type LinkChange,
  type LinkItem,
  type LinkSelection,
  type LinkSubject,
  noLinks,
  rebase,
  countChanges,
} from './links.ts'
import { ReviewDialog } from './review-changes-dialog.tsx'
import type { UseMutationResult } from '@tanstack/react-query'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

/** A larger change is shown in full for review before it is saved. */
const unreviewedMax = 20

interface LinkEditorProps {
  kind: LinkKind
  subjects: readonly LinkSubject[]
  objects: readonly LinkItem[]
  /** The selected subject, as the URL holds it. */
  opened: string
  /** Selects another subject in the URL, or leaves the editor. */
  onOpen: (id: string | null) => void
  save: SaveLinks
  /** Refreshes the lists. */
  onSaveFailed: () => void
}

/** Unsaved links of a subject, and the stored links that they are based on. */
interface LinkDraft {
  readonly base: LinkSelection
  readonly after: LinkSelection
}

/** The subject in the URL while none is selected. */
export const newSubject = 'new'

/**
 * Saves for the drafts below. They get the success of a save as a prop, so that they see it together with the refreshed
 * lists: before that, a draft that the user changed during the save would look stored.
 */
export function LinkEditor({ save, onSaveFailed, ...props }: LinkEditorProps) {
  const saving = useMutation({
    mutationFn: ({ subject, after }: { subject: LinkSubject; after: LinkSelection }) =>
      save(subject.id, toLinkUpdate(after, subject.links)),
    onSuccess: (_, { subject }) => announceToScreenReader(`${subject.name} is saved.`),
    // Another user may have saved meanwhile. The draft is then compared with the refreshed links.
    onError: onSaveFailed,
  })
  return <DraftEditor {...props} saving={saving} />
}

interface DraftEditorProps extends Omit<LinkEditorProps, 'save' | 'onSaveFailed'> {
  saving: UseMutationResult<unknown, Error, { subject: LinkSubject; after: LinkSelection }>
}

function DraftEditor({ kind, subjects, objects, opened, onOpen, saving }: DraftEditorProps) {
  const { words } = kind
  // Local state, because typing must not wait for the URL, which follows.
  const [subjectId, setSubjectId] = useState(opened === newSubject ? null : opened)
  const subject = subjects.find(({ id }) => id === subjectId)
  const { after, change, isUnsaved, ...drafts } = useDrafts(subjects, objects, subject)
  const [isReviewing, setReviewing] = useState(false)
  const blocker = useUnsavedChanges(isUnsaved)
  const isDone = saving.isSuccess && saving.variables.subject.id === subjectId && !isUnsaved
  const leave = () => onOpen(null)
  useLeaveAfterSave(isDone, blocker, leave)

  function saveNow() {
    setReviewing(false)
    if (subject !== undefined) saving.mutate({ subject, after }, { onSuccess: drafts.saving(subject, after) })
  }
  const dismissSaved = () => saving.isSuccess && saving.reset()
  function requestSave() {
    if (countChanges(change) === 0 || saving.isPending) return
    if (countChanges(change) > unreviewedMax) setReviewing(true)
    else saveNow()
  }
  return (
    <>
      {/* The shortcut works in every field of the editor, as it does in a form. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles keys of the fields inside */}
      <div className={css.editor} onKeyDown={handleCtrlEnter(requestSave)}>
        <MutationError of={saving} />
        <LinkPanes
          subjects={{ ...kind.subjects, items: subjects }}
          objects={{ ...kind.objects, items: objects }}
          subjectId={subjectId}
          onSubject={(id) => {
            dismissSaved()
            setSubjectId(id)
            onOpen(id ?? newSubject)
          }}
          links={after}
          onLinks={(links) => {
            dismissSaved()
            if (subject !== undefined) drafts.set(subject, links)
          }}
          applyModes={kind.applyModes}
          focus={subject === undefined ? 'subjects' : 'objects'}
        />
        <SaveBar change={change} words={words} isSaving={saving.isPending} onBack={leave} onSave={requestSave} />
        {isReviewing && subject !== undefined ? (
          <ReviewDialog
            title={subject.name}
            change={change}
            save={words.save}
            onSave={saveNow}
            onClose={() => setReviewing(false)}
          />
        ) : null}
      </div>
      {blocker.state === 'blocked' ? <UnsavedChangesDialog onStay={blocker.reset} onLeave={blocker.proceed} /> : null}
    </>
  )
}

interface SaveBarProps {
  change: LinkChange
  words: LinkKind['words']
  isSaving: boolean
  onBack: () => void
  onSave: () => void
}

function SaveBar({ change, words, isSaving, onBack, onSave }: SaveBarProps) {
  return (
    <div className={css.bar}>
      <Button variant="default" onClick={onBack}>
        {words.back}
      </Button>
      <ChangeSummary change={change} />
      <Button
        disabled={countChanges(change) === 0}
        loading={isSaving}
        onClick={onSave}
        aria-keyshortcuts="Control+Enter"
      >
        {words.save}
      </Button>
    </div>
  )
}

/**
 * Leaves the editor after a save, unless the user continued meanwhile with this subject, another one or unsaved drafts.
 * If a navigation is blocked at that moment, it proceeds.
 */
function useLeaveAfterSave(isDone: boolean, blocker: Blocker, leave: () => void): void {
  const proceed = useEffectEvent(blocker.state === 'blocked' ? blocker.proceed : leave)
  useEffect(() => {
    if (isDone) proceed()
  }, [isDone])
}

/** Drafts by subject. If another user has saved since, a draft is rebased on the stored links. */
function useDrafts(subjects: readonly LinkSubject[], objects: readonly LinkItem[], selected: LinkSubject | undefined) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, LinkDraft>>(new Map())
  function afterOf({ id, links }: LinkSubject): LinkSelection {
    const draft = drafts.get(id)
    return draft === undefined ? links : rebase(draft.after, draft.base, links)
  }
  const changeOf = (subject: LinkSubject) => diffLinks(subject.links, afterOf(subject), objects)
  const set = (subject: LinkSubject, after: LinkSelection) =>
    setDrafts(new Map(drafts).set(subject.id, { base: subject.links, after }))
  return {
    after: selected === undefined ? noLinks : afterOf(selected),
    change: selected === undefined ? noChange : changeOf(selected),
    isUnsaved: subjects.some((subject) => drafts.has(subject.id) && countChanges(changeOf(subject)) > 0),
    set,
    /**
     * Marks the draft as being saved. Call the result when it is stored: later edits are then changes of the
     * stored links.
     */
    saving(subject: LinkSubject, stored: LinkSelection): () => void {
      set(subject, stored)
      return () =>
        setDrafts((all) => {
          const draft = all.get(subject.id)
          return draft === undefined ? all : new Map(all).set(subject.id, { ...draft, base: stored })
        })
    },
  }
}

const noChange: LinkChange = { added: [], removed: [], flag: null }
