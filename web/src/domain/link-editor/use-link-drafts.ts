import { useState } from 'react'
import {
  countChanges,
  countLinked,
  diffLinks,
  type LinkChange,
  type LinkCount,
  type LinkItem,
  type LinkSelection,
  type LinkSubject,
  noLinks,
  rebase,
} from './links.ts'

/** Unsaved links of a subject, and the stored links that they are based on. */
interface LinkDraft {
  readonly base: LinkSelection
  readonly after: LinkSelection
}

/** Drafts by subject. If another user has saved since, a draft is rebased on the stored links. */
export function useLinkDrafts(
  subjects: readonly LinkSubject[],
  objects: readonly LinkItem[],
  selected: LinkSubject | undefined,
) {
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
