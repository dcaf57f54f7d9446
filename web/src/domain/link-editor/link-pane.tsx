/**
 * One side of the editor: a heading with count, a search box, a sort button and the list. Enter in the search box
 * picks the first match.
 */
import { ActionIcon, Button } from '@mantine/core'
import { IconSortAscendingLetters, IconSortDescendingLetters } from '@tabler/icons-react'
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
import css from './link-editor.module.css'
import { isLocked, VirtualList, type VirtualListHandle } from './virtual-list.tsx'
import type { SortOrder } from '../../ui/tables/data-table.tsx'
import { type LinkItem, searchItems, sortByName } from './links.ts'

interface LinkPaneProps {
  kind: 'radio' | 'checkbox'
  title: string
  items: readonly LinkItem[]
  isChecked: (id: string) => boolean
  isReadOnly?: boolean
  /** Disabled until a subject is selected. */
  isWaiting?: boolean
  onPick: (id: string, range: readonly string[]) => void
  /** Called when Enter in the search box picked the first match. */
  onPickedBySearch?: (item: LinkItem) => void
  /** Shown next to the title, for example '3 of 12'. */
  count: string
  searchBox?: Ref<HTMLInputElement>
  children?: ReactNode
}

export function LinkPane(props: LinkPaneProps) {
  const { kind, title, items, isChecked, isReadOnly, isWaiting = false, onPick, count, searchBox, children } = props
  const [term, setTerm] = useState('')
  const [order, setOrder] = useState<SortOrder>('asc')
  const [only, setOnly] = useState<ReadonlySet<string> | null>(null)
  const deferredTerm = useDeferredValue(term)
  const all = useMemo(
    () => sortByName(only === null ? items : items.filter(({ id }) => only.has(id)), order),
    [items, only, order],
  )
  const shown = useMemo(() => searchItems(all, deferredTerm), [all, deferredTerm])
  const { list, focusList } = useListFocus(term === deferredTerm)
  const onKeyDown = useSearchKeys(props, {
    focusList,
    firstMatch: () => (term.trim() === '' ? undefined : searchItems(all, term)[0]),
  })

  return (
    <fieldset className={css.pane} data-waiting={isWaiting || undefined}>
      <legend className={css.legend}>
        {title} <span className={css.count}>{count}</span>
      </legend>
      {children}
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
        {kind === 'radio' ? null : (
          <TickedOnlyButton items={items} isChecked={isChecked} only={only} onChange={setOnly} />
        )}
      </div>
      {shown.length === 0 ? (
        <p className={css.none}>{emptyText(items.length, only !== null, term)}</p>
      ) : (
        <VirtualList
          key={`${order} ${only === null} ${deferredTerm}`}
          handle={list}
          kind={kind}
          label={title}
          items={shown}
          isChecked={isChecked}
          {...(isReadOnly && { isReadOnly })}
          onPick={onPick}
        />
      )}
    </fieldset>
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

interface TickedOnlyButtonProps extends Pick<LinkPaneProps, 'items' | 'isChecked'> {
  only: ReadonlySet<string> | null
  onChange: (only: ReadonlySet<string> | null) => void
}

/**
 * Filters to the items that were ticked at the time of the click, so that unticking one does not remove it under
 * the pointer.
 */
function TickedOnlyButton({ items, isChecked, only, onChange }: TickedOnlyButtonProps) {
  const picked = () => new Set(items.filter(({ id }) => isChecked(id)).map(({ id }) => id))
  return (
    <Button
      variant={only === null ? 'default' : 'light'}
      px={12}
      aria-pressed={only !== null}
      onClick={() => onChange(only === null ? picked() : null)}
    >
      Ticked only
    </Button>
  )
}

function emptyText(count: number, isFiltered: boolean, term: string): string {
  if (count === 0) return 'There are none yet.'
  return isFiltered && term.trim() === '' ? 'None is ticked.' : `Nothing matches '${term}'.`
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
