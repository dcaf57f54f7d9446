/**
 * Edits the links of one subject at a time. Changes are saved only by the button, and the bar below summarises them.
 * Every subject keeps its own draft.
 */
import { Button } from '@mantine/core'
import type { Blocker } from 'react-router'
import { UnsavedChangesDialog } from '../../ui/dialogs/unsaved-changes-dialog.tsx'
import { useEffect, useState } from 'react'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import type { ApplyModeLabels } from './apply-choice.tsx'
import { ChangeSummary } from './change-summary.tsx'
import { handleCtrlEnter } from '../../ui/hooks/ctrl-enter.ts'
import css from './link-editor.module.css'
import { LinkPanes } from './link-panes.tsx'
import {
  diffLinks,
  type LinkItem,
  type LinkNoun,
  type LinkSelection,
  type LinkSide,
  type LinkSubject,
  noLinks,
  rebase,
  countChanges,
} from './links.ts'
import { ReviewDialog } from './review-changes-dialog.tsx'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

/** A larger change is shown in full for review before it is saved. */
const unreviewedMax = 20

interface LinkEditorProps {
  subjects: LinkNoun & { readonly items: readonly LinkSubject[] }
  objects: LinkSide
  subjectId: string | null
  onSubject: (id: string | null) => void
  applyModes: ApplyModeLabels
  words: { readonly save: string; readonly back: string }
  isSaving: boolean
  error: string | null
  /** Resets the result of the last save. */
  onDismiss: () => void
  /** Must call `onStored` as soon as the links are stored, before `savedId` changes. */
  onSave: (subject: LinkSubject, after: LinkSelection, onStored: () => void) => void
  /** The subject whose last save succeeded, until `onDismiss`. */
  savedId: string | null
  onBack: () => void
}

/** Unsaved links of a subject, and the stored links that they are based on. */
interface LinkDraft {
  readonly base: LinkSelection
  readonly after: LinkSelection
}

export function LinkEditor(props: LinkEditorProps) {
  const { subjects, objects, subjectId, words, onBack } = props
  const subject = subjects.items.find(({ id }) => id === subjectId)
  const drafts = useDrafts(subjects.items, objects.items)
  const before = subject?.links ?? noLinks
  const after = subject === undefined ? noLinks : drafts.of(subject)
  const change = diffLinks(before, after, objects.items)
  const [isReviewing, setReviewing] = useState(false)
  const isUnsaved = drafts.hasChanges()
  const blocker = useUnsavedChanges(isUnsaved)
  useLeaveAfterSave({ ...props, isUnsaved, blocker })

  function save() {
    setReviewing(false)
    if (subject !== undefined) props.onSave(subject, after, drafts.saving(subject, after))
  }
  const dismissSaved = () => props.savedId !== null && props.onDismiss()
  function requestSave() {
    if (countChanges(change) === 0 || props.isSaving) return
    if (countChanges(change) > unreviewedMax) setReviewing(true)
    else save()
  }
  return (
    <>
      {/* The shortcut works in every field of the editor, as it does in a form. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles keys of the fields inside */}
      <div className={css.editor} onKeyDown={handleCtrlEnter(requestSave)}>
        <ErrorBanner message={props.error} onDismiss={props.onDismiss} />
        <LinkPanes
          subjects={subjects}
          objects={objects}
          subjectId={subjectId}
          onSubject={(id) => {
            dismissSaved()
            props.onSubject(id)
          }}
          links={after}
          onLinks={(links) => {
            dismissSaved()
            if (subject !== undefined) drafts.set(subject, links)
          }}
          applyModes={props.applyModes}
          focus={subject === undefined ? 'subjects' : 'objects'}
        />
        <SaveBar change={change} words={words} isSaving={props.isSaving} onBack={onBack} onSave={requestSave} />
        {isReviewing && subject !== undefined ? (
          <ReviewDialog
            title={subject.name}
            change={change}
            save={words.save}
            onSave={save}
            onClose={() => setReviewing(false)}
          />
        ) : null}
      </div>
      {blocker.state === 'blocked' ? <UnsavedChangesDialog onStay={blocker.reset} onLeave={blocker.proceed} /> : null}
    </>
  )
}

interface SaveBarProps extends Pick<LinkEditorProps, 'words' | 'isSaving' | 'onBack'> {
  change: ReturnType<typeof diffLinks>
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

interface EditorCompletion extends Pick<LinkEditorProps, 'savedId' | 'subjectId' | 'onBack'> {
  readonly isUnsaved: boolean
  readonly blocker: Blocker
}

/**
 * Leaves the editor after a save, unless the user continued meanwhile with this subject, another one or unsaved drafts.
 * If a navigation is blocked at that moment, it proceeds.
 */
function useLeaveAfterSave({ savedId, subjectId, isUnsaved, blocker, onBack }: EditorCompletion): void {
  const isDone = savedId !== null && savedId === subjectId && !isUnsaved
  const leave = blocker.state === 'blocked' ? blocker.proceed : onBack
  useEffect(() => {
    if (isDone) leave()
  }, [isDone, leave])
}

/** Drafts by subject. If another user has saved since, a draft is rebased on the stored links. */
function useDrafts(subjects: readonly LinkSubject[], objects: readonly LinkItem[]) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, LinkDraft>>(new Map())
  const of = ({ id, links }: LinkSubject): LinkSelection => {
    const draft = drafts.get(id)
    return draft === undefined ? links : rebase(draft.after, draft.base, links)
  }
  const set = (subject: LinkSubject, after: LinkSelection) =>
    setDrafts(new Map(drafts).set(subject.id, { base: subject.links, after }))
  return {
    of,
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
    hasChanges: () =>
      subjects.some(
        (subject) => drafts.has(subject.id) && countChanges(diffLinks(subject.links, of(subject), objects)) > 0,
      ),
  }
}
