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
  diffLinks,
  countLinked,
  hasLinks,
  type LinkChange,
  type LinkCount,
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
  const { unlinked, hasOthers } = useUnlinkedFilter(subjects, subjectId)
  const leave = () => onOpen(null)
  // Remounts the panes, which moves the focus back to the subjects.
  const [visit, setVisit] = useState(0)
  function startNext() {
    setVisit(visit + 1)
    setSubjectId(null)
    onOpen(newSubject)
  }
  useProceedAfterSave(isDone, blocker, hasOthers ? startNext : leave)

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
          key={visit}
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
          countOf={drafts.countOf}
          unlinked={unlinked}
          focus={subject === undefined ? 'subjects' : 'objects'}
        />
        <EditorBar
          back={words.back}
          onBack={leave}
          submit={words.save}
          onSubmit={requestSave}
          isSubmitDisabled={countChanges(change) === 0}
          isBusy={saving.isPending}
        >
          <ChangeSummary change={change} />
        </EditorBar>
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

/** The active subjects without stored links, if the URL filters to them. */
function useUnlinkedFilter(subjects: readonly LinkSubject[], subjectId: string | null) {
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
  return { unlinked, hasOthers: isOn && unlinkedIds.difference(new Set([subjectId])).size > 0 }
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
    countOf(id: string): LinkCount {
      const subject = subjects.find((one) => one.id === id)
      const links = subject === undefined ? noLinks : afterOf(subject)
      return links.all ? 'all' : countLinked(links, objects)
    },
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
