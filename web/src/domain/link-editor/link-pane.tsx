/** One side of the editor: heading with count, search, order, list. Enter in the search picks the first match. */
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconSearch, IconSortAscendingLetters, IconSortDescendingLetters } from '@tabler/icons-react'
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
import css from './link-editor.module.css'
import { isHeld, LinkList, type ListHandle } from './virtual-list.tsx'
import { type LinkItem, matching, type SortOrder, sorted } from './links.ts'

interface LinkPaneProps {
  kind: 'radio' | 'checkbox'
  title: string
  items: readonly LinkItem[]
  isChecked: (id: string) => boolean
  isReadOnly?: boolean
  /** Nothing can be chosen here before something else was. */
  isWaiting?: boolean
  onPick: (id: string, range: readonly string[]) => void
  /** The first match was picked from the search. */
  onPickedBySearch?: (item: LinkItem) => void
  /** Shown beside the title: how many are picked. */
  count: string
  searchBox?: Ref<HTMLInputElement>
  children?: ReactNode
}

export function LinkPane(props: LinkPaneProps) {
  const { kind, title, items, isChecked, isReadOnly, isWaiting = false, onPick, count, searchBox, children } = props
  const [term, setTerm] = useState('')
  const [order, setOrder] = useState<SortOrder>('asc')
  const [only, setOnly] = useState<ReadonlySet<string> | null>(null)
  const soughtTerm = useDeferredValue(term)
  const all = useMemo(
    () => sorted(only === null ? items : items.filter(({ id }) => only.has(id)), order),
    [items, only, order],
  )
  const shown = useMemo(() => matching(all, soughtTerm), [all, soughtTerm])
  const { list, toList } = useListFocus(term === soughtTerm)
  const onKeyDown = useSearchKeys(props, {
    toList,
    found: () => (term.trim() === '' ? undefined : matching(all, term)[0]),
  })

  return (
    <fieldset className={css.pane} data-waiting={isWaiting || undefined}>
      <legend className={css.legend}>
        {title} <span className={css.count}>{count}</span>
      </legend>
      {children}
      <div className={css.tools}>
        <TextInput
          ref={searchBox}
          type="search"
          className={css.search}
          aria-label={`Search ${title.toLowerCase()}`}
          aria-description="Enter picks the first match, arrow down goes to the list."
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={term}
          onKeyDown={onKeyDown}
          onChange={(event) => setTerm(event.currentTarget.value)}
        />
        <SortButton title={title} order={order} onChange={setOrder} />
        {kind === 'radio' ? null : <OnlyPicked items={items} isChecked={isChecked} only={only} onChange={setOnly} />}
      </div>
      {shown.length === 0 ? (
        <p className={css.none}>{nothing(items.length, only !== null, term)}</p>
      ) : (
        <LinkList
          key={`${order} ${only === null} ${soughtTerm}`}
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
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}

interface OnlyPickedProps extends Pick<LinkPaneProps, 'items' | 'isChecked'> {
  only: ReadonlySet<string> | null
  onChange: (only: ReadonlySet<string> | null) => void
}

/** Those that were ticked when it was pressed: what is unticked since must not slip away under the pointer. */
function OnlyPicked({ items, isChecked, only, onChange }: OnlyPickedProps) {
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

function nothing(count: number, isFiltered: boolean, term: string): string {
  if (count === 0) return 'There are none yet.'
  return isFiltered && term.trim() === '' ? 'None is ticked.' : `Nothing matches '${term}'.`
}

/** A list that is about to give way to what was typed last must not take the focus with it. */
function useListFocus(isShown: boolean) {
  const list = useRef<ListHandle>(null)
  const isWanted = useRef(false)
  function focusWhenShown() {
    if (!isWanted.current || !isShown) return
    isWanted.current = false
    list.current?.focus()
  }
  useLayoutEffect(focusWhenShown)
  function toList() {
    isWanted.current = true
    focusWhenShown()
  }
  return { list, toList }
}

interface Sought {
  readonly toList: () => void
  readonly found: () => LinkItem | undefined
}

function useSearchKeys({ kind, onPick, onPickedBySearch, isReadOnly }: LinkPaneProps, { toList, found }: Sought) {
  return (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      toList()
    }
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const item = found()
    if (item === undefined || isReadOnly === true || isHeld(kind, item)) return
    onPick(item.id, [item.id])
    // The next thing that is typed is another search.
    event.currentTarget.select()
    onPickedBySearch?.(item)
  }
}
