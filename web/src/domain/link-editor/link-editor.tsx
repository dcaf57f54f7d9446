/**
 * Edits the links of one subject at a time. Changes are saved only by the button, and the bar below summarises them.
 * Every subject keeps its own draft.
 */
import type { Blocker } from 'react-router'
import { UnsavedChangesDialog } from '../../ui/dialogs/unsaved-changes-dialog.tsx'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../requests/mutation-error.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { type LinkKind, type SaveLinks, toLinkUpdate } from './link-kind.ts'
import { ChangeSummary } from './change-summary.tsx'
import { EditorBar } from './editor-bar.tsx'
import { handleCtrlEnter } from '../../ui/hooks/ctrl-enter.ts'
import css from './link-editor.module.css'
import { newSubject, unlinkedParameter } from './editor-search-params.ts'
import { useUpdateUrlParams, useUrlParams } from '../../ui/hooks/search-params.ts'
import { LinkPanes, type UnlinkedFilter } from './link-panes.tsx'
import {
  countChanges,
  hasLinks,
  type LinkChange,
  type LinkItem,
  type LinkSelection,
  type LinkSubject,
} from './links.ts'
import { ReviewDialog } from './review-changes-dialog.tsx'
import type { UseMutationResult } from '@tanstack/react-query'
import { useLinkDrafts } from './use-link-drafts.ts'
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
  const { subject, visit, ...selection } = useSelectedSubject(subjects, opened, onOpen)
  const { after, change, isUnsaved, ...drafts } = useLinkDrafts(subjects, objects, subject)
  const blocker = useUnsavedChanges(isUnsaved)
  const { unlinked, hasOthers } = useUnlinkedFilter(subjects, subject)
  const isDone = saving.isSuccess && saving.variables.subject.id === subject?.id && !isUnsaved
  useProceedAfterSave(isDone, blocker, hasOthers ? selection.startNext : selection.leave)
  const review = useReview(change, () => {
    if (subject === undefined || saving.isPending) return
    saving.mutate({ subject, after }, { onSuccess: drafts.saving(subject, after) })
  })
  const dismissSaved = () => saving.isSuccess && saving.reset()
  const sides = { subjects: { ...kind.subjects, items: subjects }, objects: { ...kind.objects, items: objects } }
  return (
    <>
      {/* The shortcut works in every field of the editor, as it does in a form. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles keys of the fields inside */}
      <div className={css.editor} onKeyDown={handleCtrlEnter(review.requestSave)}>
        <MutationError of={saving} />
        <LinkPanes
          key={visit}
          {...sides}
          subjectId={subject?.id ?? null}
          onSubject={(id) => {
            dismissSaved()
            selection.select(id)
          }}
          links={after}
          onLinks={(links) => {
            dismissSaved()
            if (subject !== undefined) drafts.set(subject, links)
          }}
          applyModes={kind.applyModes}
          countOf={drafts.countOf}
          unlinked={unlinked}
          focus={subject === undefined ? 'subjects' : 'objects'}
        />
        <EditorBar
          back={words.back}
          onBack={selection.leave}
          submit={words.save}
          onSubmit={review.requestSave}
          isSubmitDisabled={countChanges(change) === 0}
          isBusy={saving.isPending}
        >
          <ChangeSummary change={change} />
        </EditorBar>
      </div>
      {review.isOpen && subject !== undefined ? (
        <ReviewDialog title={subject.name} change={change} save={words.save} {...review} />
      ) : null}
      {blocker.state === 'blocked' ? <UnsavedChangesDialog onStay={blocker.reset} onLeave={blocker.proceed} /> : null}
    </>
  )
}

function useSelectedSubject(subjects: readonly LinkSubject[], opened: string, onOpen: (id: string | null) => void) {
  // Local state, because typing must not wait for the URL, which follows.
  const [subjectId, setSubjectId] = useState(opened === newSubject ? null : opened)
  const [visit, setVisit] = useState(0)
  function select(id: string | null) {
    setSubjectId(id)
    onOpen(id ?? newSubject)
  }
  return {
    subject: subjects.find(({ id }) => id === subjectId),
    select,
    /** Changes when the panes begin again with the focus on the subjects. */
    visit,
    startNext() {
      setVisit(visit + 1)
      select(null)
    },
    leave: () => onOpen(null),
  }
}

/** Saves a small change at once, and a large one after it has been reviewed. */
function useReview(change: LinkChange, save: () => void) {
  const [isOpen, setOpen] = useState(false)
  return {
    isOpen,
    requestSave() {
      if (countChanges(change) > unreviewedMax) setOpen(true)
      else if (countChanges(change) > 0) save()
    },
    onSave() {
      setOpen(false)
      save()
    },
    onClose: () => setOpen(false),
  }
}

/** The active subjects without stored links, if the URL filters to them. */
function useUnlinkedFilter(subjects: readonly LinkSubject[], selected: LinkSubject | undefined) {
  const isOn = useUrlParams().has(unlinkedParameter)
  const updateUrl = useUpdateUrlParams()
  const unlinkedIds = useMemo(
    () =>
      new Set(subjects.filter(({ links, isInactive }) => isInactive !== true && !hasLinks(links)).map(({ id }) => id)),
    [subjects],
  )
  const unlinked: UnlinkedFilter = {
    isOn,
    onToggle: () => updateUrl({ [unlinkedParameter]: isOn ? null : 'true' }, { replace: true }),
    isUnlinked: (id) => unlinkedIds.has(id),
  }
  return { unlinked, hasOthers: isOn && unlinkedIds.difference(new Set([selected?.id])).size > 0 }
}

/**
 * Proceeds after a save, unless the user continued meanwhile with this subject, another one or unsaved drafts.
 * If a navigation is blocked at that moment, it proceeds instead.
 */
function useProceedAfterSave(isDone: boolean, blocker: Blocker, next: () => void): void {
  const proceed = useEffectEvent(blocker.state === 'blocked' ? blocker.proceed : next)
  useEffect(() => {
    if (isDone) proceed()
  }, [isDone])
}
