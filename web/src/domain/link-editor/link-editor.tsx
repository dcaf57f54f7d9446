/**
 * Edits what belongs to one subject at a time. Nothing is saved before the button is pressed, the bar below says what pressing it
 * would change, and looking at another subject loses nothing.
 */
import { Button } from '@mantine/core'
import type { Blocker } from 'react-router'
import { LeavingDialog } from '../../ui/dialogs/unsaved-changes-dialog.tsx'
import { useEffect, useState } from 'react'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import type { Applies } from './apply-choice.tsx'
import { ChangeSummary } from './change-summary.tsx'
import { onControlEnter } from '../../ui/hooks/ctrl-enter.ts'
import css from './link-editor.module.css'
import { LinkPanes } from './link-panes.tsx'
import {
  changeBetween,
  type LinkItem,
  type LinkNoun,
  type Links,
  type LinkSide,
  type LinkSubject,
  noLinks,
  rebase,
  sizeOf,
} from './links.ts'
import { ReviewDialog } from './review-changes-dialog.tsx'
import { useLeaving } from './use-unsaved-changes.ts'

/** More than this is shown in full before it is saved. */
const unreviewedMax = 20

interface LinkEditorProps {
  subjects: LinkNoun & { readonly items: readonly LinkSubject[] }
  objects: LinkSide
  subjectId: string | null
  onSubject: (id: string | null) => void
  applies: Applies
  words: { readonly save: string; readonly back: string }
  isSaving: boolean
  error: string | null
  /** What became of the last save has been seen. */
  onDismiss: () => void
  /** `onStored` is told as soon as it is stored, before `savedId` says so. */
  onSave: (subject: LinkSubject, after: Links, onStored: () => void) => void
  /** Of which the last save went well, until that has been seen. */
  savedId: string | null
  onBack: () => void
}

/** What was made of what was stored then. */
interface Draft {
  readonly base: Links
  readonly after: Links
}

export function LinkEditor(props: LinkEditorProps) {
  const { subjects, objects, subjectId, words, onBack } = props
  const subject = subjects.items.find(({ id }) => id === subjectId)
  const drafts = useDrafts(subjects.items, objects.items)
  const before = subject?.links ?? noLinks
  const after = subject === undefined ? noLinks : drafts.of(subject)
  const change = changeBetween(before, after, objects.items)
  const [isReviewed, setReviewed] = useState(false)
  const isUnsaved = drafts.areChanged()
  const leaving = useLeaving(isUnsaved)
  useEnd({ ...props, isUnsaved, leaving })

  function save() {
    setReviewed(false)
    if (subject !== undefined) props.onSave(subject, after, drafts.saving(subject, after))
  }
  const seen = () => props.savedId !== null && props.onDismiss()
  function begin() {
    if (sizeOf(change) === 0 || props.isSaving) return
    if (sizeOf(change) > unreviewedMax) setReviewed(true)
    else save()
  }
  return (
    <>
      {/* The key works in every field of the editor, as it does in a form. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens to the keys of the fields inside */}
      <div className={css.editor} onKeyDown={onControlEnter(begin)}>
        <ErrorBanner message={props.error} onDismiss={props.onDismiss} />
        <LinkPanes
          subjects={subjects}
          objects={objects}
          subjectId={subjectId}
          onSubject={(id) => {
            seen()
            props.onSubject(id)
          }}
          links={after}
          onLinks={(links) => {
            seen()
            if (subject !== undefined) drafts.set(subject, links)
          }}
          applies={props.applies}
          focus={subject === undefined ? 'subjects' : 'objects'}
        />
        <SaveBar change={change} words={words} isSaving={props.isSaving} onBack={onBack} onSave={begin} />
        {isReviewed && subject !== undefined ? (
          <ReviewDialog
            title={subject.name}
            change={change}
            save={words.save}
            onSave={save}
            onClose={() => setReviewed(false)}
          />
        ) : null}
      </div>
      {leaving.state === 'blocked' ? <LeavingDialog onStay={leaving.reset} onLeave={leaving.proceed} /> : null}
    </>
  )
}

interface SaveBarProps extends Pick<LinkEditorProps, 'words' | 'isSaving' | 'onBack'> {
  change: ReturnType<typeof changeBetween>
  onSave: () => void
}

function SaveBar({ change, words, isSaving, onBack, onSave }: SaveBarProps) {
  return (
    <div className={css.bar}>
      <Button variant="default" onClick={onBack}>
        {words.back}
      </Button>
      <ChangeSummary change={change} />
      <Button disabled={sizeOf(change) === 0} loading={isSaving} onClick={onSave} aria-keyshortcuts="Control+Enter">
        {words.save}
      </Button>
    </div>
  )
}

interface Ending extends Pick<LinkEditorProps, 'savedId' | 'subjectId' | 'onBack'> {
  readonly isUnsaved: boolean
  readonly leaving: Blocker
}

/**
 * After a save the editor is done, unless somebody has gone on meanwhile: with this subject, with another, or with others that are not
 * saved yet. Whoever is asked about leaving just then gets where they wanted to.
 */
function useEnd({ savedId, subjectId, isUnsaved, leaving, onBack }: Ending): void {
  const isDone = savedId !== null && savedId === subjectId && !isUnsaved
  const wanted = leaving.state === 'blocked' ? leaving.proceed : onBack
  useEffect(() => {
    if (isDone) wanted()
  }, [isDone, wanted])
}

/** A draft for each subject. Where somebody else has saved since, it is done again to what they left. */
function useDrafts(subjects: readonly LinkSubject[], objects: readonly LinkItem[]) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  const of = ({ id, links }: LinkSubject): Links => {
    const draft = drafts.get(id)
    return draft === undefined ? links : rebase(draft.after, draft.base, links)
  }
  const set = (subject: LinkSubject, after: Links) =>
    setDrafts(new Map(drafts).set(subject.id, { base: subject.links, after }))
  return {
    of,
    set,
    /** As it is shown, on what somebody else may have left. Once that is stored, what was made of it meanwhile is a change of it. */
    saving(subject: LinkSubject, stored: Links): () => void {
      set(subject, stored)
      return () =>
        setDrafts((all) => {
          const draft = all.get(subject.id)
          return draft === undefined ? all : new Map(all).set(subject.id, { ...draft, base: stored })
        })
    },
    areChanged: () =>
      subjects.some(
        (subject) => drafts.has(subject.id) && sizeOf(changeBetween(subject.links, of(subject), objects)) > 0,
      ),
  }
}
