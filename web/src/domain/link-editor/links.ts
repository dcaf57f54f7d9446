/** What belongs to one subject, and what a change of it adds and removes. */

export interface LinkItem {
  readonly id: string
  readonly name: string
  /** A second line: an address, a status, why it cannot be taken out. */
  readonly detail?: string
  /** It belongs to every subject by a choice made at itself, and can be taken out only there. */
  readonly isFixed?: boolean
}

/** 'Areas', 'area' */
export interface LinkNoun {
  readonly title: string
  readonly one: string
}

export interface LinkSide extends LinkNoun {
  readonly items: readonly LinkItem[]
}

export interface LinkSubject extends LinkItem {
  /** What is stored for it. */
  readonly links: Links
}

/** With `all` every one there is and will be; the ids then only say which were picked one by one. */
export interface Links {
  readonly ids: ReadonlySet<string>
  readonly all: boolean
}

export const noLinks: Links = { ids: new Set(), all: false }

export interface LinkChange {
  readonly added: readonly LinkItem[]
  readonly removed: readonly LinkItem[]
  /** 'All current and future' goes on or off. */
  readonly flag: 'on' | 'off' | null
}

/** How two states differ, by the items there are. An id that is no item any more is no difference. */
export function changeBetween(before: Links, after: Links, items: readonly LinkItem[]): LinkChange {
  return {
    added: items.filter(({ id }) => has(after, id) && !has(before, id)),
    removed: items.filter(({ id }) => has(before, id) && !has(after, id)),
    flag: before.all === after.all ? null : after.all ? 'on' : 'off',
  }
}

export function sizeOf({ added, removed, flag }: LinkChange): number {
  return added.length + removed.length + (flag === null ? 0 : 1)
}

export function has(links: Links, id: string): boolean {
  return links.all || links.ids.has(id)
}

export function countOf(links: Links, items: readonly LinkItem[]): number {
  return links.all ? items.length : items.filter(({ id }) => links.ids.has(id)).length
}

/** The same with those ids put in or taken out. */
export function withIds(links: Links, ids: readonly string[], isIn: boolean): Links {
  const next = new Set(links.ids)
  for (const id of ids) {
    if (isIn) next.add(id)
    else next.delete(id)
  }
  return { ids: next, all: false }
}

/** Somebody else has changed `base` into `fresh`: theirs, with what was changed here done to it. */
export function rebase(after: Links, base: Links, fresh: Links): Links {
  return { ids: rebaseIds(after.ids, base.ids, fresh.ids), all: after.all === base.all ? fresh.all : after.all }
}

export function rebaseIds(
  after: ReadonlySet<string>,
  base: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
): ReadonlySet<string> {
  return fresh.union(after.difference(base)).difference(base.difference(after))
}

export type SortOrder = 'asc' | 'desc'

export function sorted<Item extends LinkItem>(items: readonly Item[], order: SortOrder): readonly Item[] {
  return sortedBy(({ name }) => name, items, order)
}

/** As people sort: whatever the capitals, and 'Week 2' before 'Week 10'. */
export function sortedBy<Item>(
  nameOf: (item: Item) => string,
  items: readonly Item[],
  order: SortOrder,
): readonly Item[] {
  const sign = order === 'asc' ? 1 : -1
  return items.toSorted((one, other) => sign * byName.compare(nameOf(one), nameOf(other)))
}

/** Those whose name or detail holds the term. */
export function matching<Item extends LinkItem>(items: readonly Item[], term: string): readonly Item[] {
  const wanted = term.trim().toLowerCase()
  if (wanted === '') return items
  return items.filter(({ name, detail = '' }) => `${name} ${detail}`.toLowerCase().includes(wanted))
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
