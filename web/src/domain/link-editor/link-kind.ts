/** What the page of a kind of link is told. */
import type { Whole } from '@tributary/contract/assignments'
import type { Applies } from './apply-choice.tsx'
import type { LinkItem, LinkNoun, Links, LinkSubject } from './links.ts'
import type { SideView } from './view-switch.tsx'

/** What one kind of link says of itself; everything else all kinds have in common. */
export interface LinkKind {
  readonly title: string
  /** What its page is called, where the title only says which of the section's pages it is. */
  readonly section?: string
  readonly subjects: LinkNoun
  readonly objects: LinkNoun
  readonly applies: Applies
  readonly words: {
    readonly create: string
    readonly save: string
    readonly back: string
    /** 'Unlink' */
    readonly remove: string
    /** '… is unlinked.' */
    readonly removed: string
    /** Stands before what is linked. */
    readonly linked?: string
  }
  /** How many names are shown of what is linked, and what then stands for the others. */
  readonly shown?: { readonly max: number; readonly more: string }
  /** The same links seen in other ways. */
  readonly views: readonly SideView[]
}

/** What is loaded for the page. */
export interface LinkLists {
  readonly subjects: readonly LinkSubject[] | undefined
  readonly objects: readonly LinkItem[] | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** Saves all links of a subject at once, and answers when the lists are fresh. */
export type SaveLinks = (subjectId: string, whole: Whole) => Promise<unknown>

export function wholeOf(after: Links, before: Links): Whole {
  return {
    ids: after.all ? [] : [...after.ids],
    allCurrentAndFuture: after.all,
    before: { ids: [...before.ids], allCurrentAndFuture: before.all },
  }
}
