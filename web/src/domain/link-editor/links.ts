/** The links of a subject to items, and the difference between two versions of them. */
import type { SortOrder } from '../../ui/tables/data-table.tsx'
import { compareNames } from '../../ui/formats.ts'

export interface LinkItem {
  readonly id: string
  readonly name: string
  /** A second line: an e-mail address, a status, or why it cannot be removed. */
  readonly detail?: string
  /** Linked to every subject by a setting of the item itself, and removable only there. */
  readonly isFixed?: boolean
}

/** 'Areas', 'area' */
export interface LinkNoun {
  readonly title: string
  readonly one: string
  /** The page where they are added. */
  readonly page?: string
}

export interface LinkSide extends LinkNoun {
  readonly items: readonly LinkItem[]
}

/** The number of linked items of a subject. */
export type LinkCount = number | 'all'

export interface LinkSubject extends LinkItem {
  /** The stored links. */
  readonly links: LinkSelection
  /** Needs no links. */
  readonly isInactive?: boolean
}

/** With `all` every current and future item is linked; `ids` then holds those that were selected one by one. */
export interface LinkSelection {
  readonly ids: ReadonlySet<string>
  readonly all: boolean
}

export function toLinks(linked: readonly { readonly Id: string }[], all: boolean): LinkSelection {
  return { ids: new Set(linked.map(({ Id }) => Id)), all }
}

export const noLinks: LinkSelection = { ids: new Set(), all: false }

export interface LinkChange {
  readonly added: readonly LinkItem[]
  readonly removed: readonly LinkItem[]
  /** Whether 'All current and future' was switched on or off. */
  readonly flag: 'on' | 'off' | null
}

/** The difference between two versions, limited to existing items: an id of a deleted item makes no difference. */
export function diffLinks(before: LinkSelection, after: LinkSelection, items: readonly LinkItem[]): LinkChange {
  return {
    added: items.filter(({ id }) => isLinked(after, id) && !isLinked(before, id)),
    removed: items.filter(({ id }) => isLinked(before, id) && !isLinked(after, id)),
    flag: before.all === after.all ? null : after.all ? 'on' : 'off',
  }
}

export function countChanges({ added, removed, flag }: LinkChange): number {
  return added.length + removed.length + (flag === null ? 0 : 1)
}

export function isLinked(links: LinkSelection, id: string): boolean {
  return links.all || links.ids.has(id)
}

export function hasLinks({ ids, all }: LinkSelection): boolean {
  return all || ids.size > 0
}

export function countLinked(links: LinkSelection, items: readonly LinkItem[]): number {
  return links.all ? items.length : items.filter(({ id }) => links.ids.has(id)).length
}

/** Returns a copy with the ids added or removed. */
export function setLinked(links: LinkSelection, ids: readonly string[], isAdded: boolean): LinkSelection {
  const next = new Set(links.ids)
  for (const id of ids) {
    if (isAdded) next.add(id)
    else next.delete(id)
  }
  return { ids: next, all: false }
}

/** Another user changed `base` into `fresh`. Returns `fresh` with the changes from `base` to `after` applied. */
export function rebase(after: LinkSelection, base: LinkSelection, fresh: LinkSelection): LinkSelection {
  return { ids: rebaseIds(after.ids, base.ids, fresh.ids), all: after.all === base.all ? fresh.all : after.all }
}

export function rebaseIds(
  after: ReadonlySet<string>,
  base: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
): ReadonlySet<string> {
  return fresh.union(after.difference(base)).difference(base.difference(after))
}

export function sortByName<Item extends LinkItem>(items: readonly Item[], order: SortOrder): readonly Item[] {
  return sortBy(({ name }) => name, items, order)
}

/** Sorts by name, ignoring case, with 'Week 2' before 'Week 10'. */
export function sortBy<Item>(
  nameOf: (item: Item) => string,
  items: readonly Item[],
  order: SortOrder,
): readonly Item[] {
  const sign = order === 'asc' ? 1 : -1
  return items.toSorted((one, other) => sign * compareNames(nameOf(one), nameOf(other)))
}

/** Returns the items whose name or detail contains the term, ignoring case. */
export function searchItems<Item extends LinkItem>(items: readonly Item[], term: string): readonly Item[] {
  const needle = term.trim().toLowerCase()
  if (needle === '') return items
  return items.filter(({ name, detail = '' }) => `${name} ${detail}`.toLowerCase().includes(needle))
}
