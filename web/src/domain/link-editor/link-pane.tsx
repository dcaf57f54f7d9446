/**
 * One side of the editor: a heading with count, a search box, a sort button, a filter and the list. Enter in the search
 * box picks the first match.
 */
import { ActionIcon, Button } from '@mantine/core'
import { IconSortAscendingLetters, IconSortDescendingLetters } from '@tabler/icons-react'
import { IconLock } from '@tabler/icons-react/visitor-icons'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import css from './link-panes.module.css'
import { type ItemNote, isLocked, VirtualList, type VirtualListHandle } from './virtual-list.tsx'
import type { SortOrder } from '../../ui/tables/data-table.tsx'
import { type LinkItem, searchItems, sortByName } from './links.ts'

interface LinkPaneProps {
  kind: 'radio' | 'checkbox'
  title: string
  /** The subject that the items are of. */
  of?: string
  items: readonly LinkItem[]
  isChecked: (id: string) => boolean
  isReadOnly?: boolean
  /** Why nothing can be chosen now. Shown instead of the list. */
  disabledBecause?: string
  onPick: (id: string, range: readonly string[]) => void
  /** Called when Enter in the search box picked the first match. */
  onPickedBySearch?: (item: LinkItem) => void
  /** Shown next to the title, for example '3 of 12'. */
  count: string
  noteOf?: (id: string) => ItemNote
  searchBox?: Ref<HTMLInputElement>
  filter: PaneFilter
  /** Instead of a list without items. */
  whenEmpty: ReactNode
  children?: ReactNode
}

/** A button next to the search box that leaves only some of the items. */
export interface PaneFilter {
  readonly label: string
  readonly isOn: boolean
  readonly onToggle: () => void
}

export function LinkPane(props: LinkPaneProps) {
  const { title, of, count, disabledBecause, children } = props
  return (
    <fieldset className={css.pane} data-disabled={disabledBecause === undefined ? undefined : true}>
      <legend className={css.legend}>
        {title} <span className={css.count}>{count}</span>
        {of === undefined ? null : <span className={css.of}>{` for ${of}`}</span>}
      </legend>
      {children}
      {disabledBecause === undefined ? (
        <ItemList {...props} />
      ) : (
        <p className={css.reason}>
          <IconLock size={18} />
          {disabledBecause}
        </p>
      )}
    </fieldset>
  )
}

/** Without items there is nothing to search, sort or filter. */
function ItemList(props: LinkPaneProps) {
  const { items, filter, whenEmpty } = props
  if (items.length === 0 && !filter.isOn) return <p className={css.none}>{whenEmpty}</p>
  return <SearchableList {...props} />
}

function SearchableList(props: LinkPaneProps) {
  const { kind, title, items, isChecked, isReadOnly, onPick, noteOf, searchBox, filter, whenEmpty } = props
  const [term, setTerm] = useState('')
  const [order, setOrder] = useState<SortOrder>('asc')
  const deferredTerm = useDeferredValue(term)
  const all = useMemo(() => sortByName(items, order), [items, order])
  const shown = useMemo(() => searchItems(all, deferredTerm), [all, deferredTerm])
  const { list, focusList } = useListFocus(term === deferredTerm)
  const onKeyDown = useSearchKeys(props, {
    focusList,
    firstMatch: () => (term.trim() === '' ? undefined : searchItems(all, term)[0]),
  })
  return (
    <>
      <div className={css.tools}>
        <SearchInput
          ref={searchBox}
          className={css.search}
          label={`Search ${title.toLowerCase()}`}
          aria-description="Enter picks the first match, arrow down goes to the list."
          value={term}
          onKeyDown={onKeyDown}
          onChange={setTerm}
        />
        <SortButton title={title} order={order} onChange={setOrder} />
        <FilterButton {...filter} />
      </div>
      {shown.length === 0 ? (
        <p className={css.none}>{term.trim() === '' ? whenEmpty : `Nothing matches '${term}'.`}</p>
      ) : (
        <VirtualList
          key={`${order} ${filter.isOn} ${deferredTerm}`}
          handle={list}
          kind={kind}
          label={title}
          items={shown}
          isChecked={isChecked}
          {...(isReadOnly && { isReadOnly })}
          {...(noteOf && { noteOf })}
          onPick={onPick}
        />
      )}
    </>
  )
}

function SortButton({
  title,
  order,
  onChange,
}: {
  title: string
  order: SortOrder
  onChange: (order: SortOrder) => void
}) {
  const other = order === 'asc' ? 'desc' : 'asc'
  const Icon = order === 'asc' ? IconSortAscendingLetters : IconSortDescendingLetters
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={`Sort ${title.toLowerCase()} ${other === 'asc' ? 'ascending' : 'descending'}`}
      onClick={() => onChange(other)}
    >
      <Icon size={18} />
    </ActionIcon>
  )
}

function FilterButton({ label, isOn, onToggle }: PaneFilter) {
  return (
    <Button variant={isOn ? 'light' : 'default'} px={12} aria-pressed={isOn} onClick={onToggle}>
      {label}
    </Button>
  )
}

/**
 * Filters to the items that were ticked at the time of the click, so that unticking one does not remove it under
 * the pointer.
 */
export function useTickedOnly(
  items: readonly LinkItem[],
  isTicked: (id: string) => boolean,
): { readonly items: readonly LinkItem[]; readonly filter: PaneFilter } {
  const [only, setOnly] = useState<ReadonlySet<string> | null>(null)
  const shown = useMemo(() => (only === null ? items : items.filter(({ id }) => only.has(id))), [items, only])
  const ticked = () => new Set(items.filter(({ id }) => isTicked(id)).map(({ id }) => id))
  const onToggle = () => setOnly(only === null ? ticked() : null)
  return { items: shown, filter: { label: 'Ticked only', isOn: only !== null, onToggle } }
}

/**
 * Focuses the list once it shows the current search term. Before that it is about to be replaced and would lose
 * the focus.
 */
function useListFocus(isShown: boolean) {
  const list = useRef<VirtualListHandle>(null)
  const isPending = useRef(false)
  function focusWhenShown() {
    if (!isPending.current || !isShown) return
    isPending.current = false
    list.current?.focus()
  }
  useLayoutEffect(focusWhenShown)
  function focusList() {
    isPending.current = true
    focusWhenShown()
  }
  return { list, focusList }
}

interface SearchTarget {
  readonly focusList: () => void
  readonly firstMatch: () => LinkItem | undefined
}

function useSearchKeys(
  { kind, onPick, onPickedBySearch, isReadOnly }: LinkPaneProps,
  { focusList, firstMatch }: SearchTarget,
) {
  return (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      focusList()
    }
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const item = firstMatch()
    if (item === undefined || isReadOnly === true || isLocked(kind, item)) return
    onPick(item.id, [item.id])
    // Select the term, so that typing starts a new search.
    event.currentTarget.select()
    onPickedBySearch?.(item)
  }
}
