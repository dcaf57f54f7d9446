/** What the page of a kind of link is configured with. */
import type { LinkReplacement } from '@tributary/contract/assignments'
import type { StructureGapKind } from '@tributary/contract/structure-map'
import type { ApplyModeLabels } from './apply-choice.tsx'
import type { LinkItem, LinkNoun, LinkSelection, LinkSubject } from './links.ts'
import type { PendingQuery } from '../requests/query-placeholder.tsx'
import type { LinkPerspective } from './view-switch.tsx'

/** The texts and options of one kind of link. Everything else is common to all kinds. */
export interface LinkKind {
  readonly title: string
  /** The name of the section, for a page whose title only names its place within the section. */
  readonly section?: string
  readonly subjects: LinkNoun
  readonly objects: LinkNoun
  readonly applyModes: ApplyModeLabels
  readonly words: {
    readonly create: string
    readonly save: string
    readonly back: string
    /** 'Unlink' */
    readonly remove: string
    /** '… is unlinked.' */
    readonly removed: string
    /** Precedes the names of the linked items. */
    readonly linked?: string
  }
  /** How many names are shown, and the text that stands for the others. */
  readonly shown?: { readonly max: number; readonly more: string }
  /** What may be missing in the list. */
  readonly gaps: readonly StructureGapKind[]
  /** Other pages that show the same links. */
  readonly views: readonly LinkPerspective[]
}

/** The data of the page. */
export interface LinkLists {
  readonly subjects: readonly LinkSubject[] | undefined
  readonly objects: readonly LinkItem[] | undefined
  /** The queries that both lists come from. */
  readonly queries: readonly PendingQuery[]
}

/** Replaces all links of a subject. Resolves after the lists are refreshed. */
export type SaveLinks = (subjectId: string, whole: LinkReplacement) => Promise<unknown>

export function toLinkUpdate(after: LinkSelection, before: LinkSelection): LinkReplacement {
  return {
    ids: after.all ? [] : [...after.ids],
    allCurrentAndFuture: after.all,
    before: { ids: [...before.ids], allCurrentAndFuture: before.all },
  }
}

/** Labels of the kinds of link that may include future items. */
export const linksWithFutureItems = {
  applyModes: {
    allCurrent: 'Select all current',
    allCurrentAndFuture: 'Select all current and future',
    onlySelected: 'Only selected',
  },
  words: {
    create: 'Create new link',
    save: 'Create Link',
    back: 'Back to links',
    remove: 'Unlink',
    removed: 'is unlinked.',
  },
} satisfies Partial<LinkKind>
