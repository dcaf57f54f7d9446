/**
 * The command palette: finds pages and actions, and records by a search on the server. Lazy-loaded, and open while it
 * is mounted.
 */
import { TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { callQuery } from '../../api/call-query.ts'
import { useMay, useOrganisationId, useWorkspace } from '../../api/session/workspace.ts'
import { toItems } from './hit-items.ts'
import { PaletteIcon } from './palette-icon.tsx'
import { findItems, type PaletteItem } from './palette-items.ts'
import css from './palette.module.css'
import { listRecentItems, rememberItem } from './recent-items.ts'

/** The roles of ARIA's combobox with a list, which no HTML element has. */
const combobox = { role: 'combobox', 'aria-autocomplete': 'list' } as const
const listbox = { role: 'listbox', 'aria-label': 'Results' } as const
const optionGroup = { role: 'group' } as const
const option = { role: 'option' } as const

interface PaletteProps {
  /** Pages, actions and organisations. */
  readonly items: readonly PaletteItem[]
  /** Receives the term at each keystroke, for items that a server finds. */
  readonly onSearch: (term: string) => void
  readonly onClose: () => void
}

export function Palette({ items, onSearch, onClose }: PaletteProps) {
  const [[store, spotlight]] = useState(createSpotlight)
  const [term, setTerm] = useState('')
  const found = useFoundItems(items, term)
  const choose = useChoice()
  const listId = useId().replaceAll(':', '')
  const { selected, handleKey } = useSelection(found.items, listId, chooseAndClose)
  useEffect(() => spotlight.open(), [spotlight])
  function chooseAndClose(item: PaletteItem) {
    choose(item)
    spotlight.close()
  }
  return (
    <Spotlight.Root
      store={store}
      onSpotlightClose={onClose}
      shortcut={null}
      lockScroll={false}
      size={640}
      zIndex={200}
      transitionProps={{ duration: 80 }}
      overlayProps={{ className: css.scrim ?? '', blur: 0 }}
      classNames={{ content: css.content ?? '' }}
      attributes={{ content: { 'aria-label': 'Go to or find' } }}
    >
      <TextInput
        {...combobox}
        data-autofocus
        className={css.search ?? ''}
        variant="unstyled"
        leftSection={<IconSearch size={18} />}
        aria-expanded={found.items.length > 0}
        aria-controls={listId}
        aria-label="Find pages, connectors, tables, people and actions"
        {...(found.items.length > 0 && { 'aria-activedescendant': optionId(listId, selected) })}
        placeholder="Find pages, connectors, tables, people, actions"
        value={term}
        onChange={({ currentTarget }) => {
          setTerm(currentTarget.value)
          onSearch(currentTarget.value)
        }}
        onKeyDown={handleKey}
      />
      <PaletteList id={listId} items={found.items} selected={selected} onChoose={chooseAndClose} />
      <PaletteState {...found} term={term} />
    </Spotlight.Root>
  )
}

/** The item that Enter chooses: the first one, until an arrow key selects another. */
function useSelection(items: readonly PaletteItem[], listId: string, onChoose: (item: PaletteItem) => void) {
  const [selection, setSelection] = useState({ items, index: 0 })
  const selected = selection.items === items ? selection.index : 0

  function select(index: number) {
    setSelection({ items, index })
    document.getElementById(optionId(listId, index))?.scrollIntoView({ block: 'nearest' })
  }
  function handleKey(event: KeyboardEvent) {
    const current = items[selected]
    // Enter ends the input of a composed character.
    if (current === undefined || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') select((selected + 1) % items.length)
    else if (event.key === 'ArrowUp') select((selected + items.length - 1) % items.length)
    else if (event.key === 'Enter') onChoose(current)
    else return
    event.preventDefault()
  }
  return { selected, handleKey }
}

interface PaletteListProps {
  readonly id: string
  readonly items: readonly PaletteItem[]
  /** The position of the selected item. */
  readonly selected: number
  readonly onChoose: (item: PaletteItem) => void
}

function PaletteList({ id, items, selected, onChoose }: PaletteListProps) {
  return (
    <Spotlight.ActionsList id={id} {...listbox} className={css.list ?? ''}>
      {groupItems(items).map(({ group, first, members }) => (
        <Spotlight.ActionsGroup
          key={group}
          label={group}
          {...optionGroup}
          aria-label={group}
          className={css.group ?? ''}
        >
          {members.map((item, index) => (
            <PaletteOption
              key={item.id}
              id={optionId(id, first + index)}
              item={item}
              isSelected={first + index === selected}
              onChoose={() => onChoose(item)}
            />
          ))}
        </Spotlight.ActionsGroup>
      ))}
    </Spotlight.ActionsList>
  )
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

interface PaletteOptionProps {
  readonly id: string
  readonly item: PaletteItem
  readonly isSelected: boolean
  readonly onChoose: () => void
}

function PaletteOption({ id, item, isSelected, onChoose }: PaletteOptionProps) {
  const { label, detail, keys = [] } = item
  return (
    <UnstyledButton
      id={id}
      tabIndex={-1}
      {...option}
      aria-selected={isSelected}
      className={css.option ?? ''}
      // The focus stays in the search.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <PaletteIcon item={item} />
      <span className={css.label}>{label}</span>
      {detail === undefined ? null : <span className={css.detail}>{detail}</span>}
      {keys.length === 0 ? null : (
        <span className={css.keys} aria-hidden>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </UnstyledButton>
  )
}

interface FoundItems {
  readonly items: readonly PaletteItem[]
  readonly isSearching: boolean
  readonly error: unknown
}

/** Below the list: what the result is, and which keys work. */
function PaletteState({ items, isSearching, error, term }: FoundItems & { readonly term: string }) {
  const count = items.length === 1 ? '1 result' : `${items.length} results`
  const isEmpty = items.length === 0 && !isSearching && error === null
  return (
    <>
      {isEmpty ? <Spotlight.Empty>{`Nothing matches '${term.trim()}'.`}</Spotlight.Empty> : null}
      {error === null ? null : (
        <p className={css.error} role="alert">{`Records could not be searched. ${messageOf(error)}`}</p>
      )}
      <Spotlight.Footer className={css.footer ?? ''}>
        <output>{isSearching ? 'Searching…' : count}</output>
        <span aria-hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
        </span>
      </Spotlight.Footer>
    </>
  )
}

const searchMs = 150
/** A single letter would match nearly every record. */
const termMin = 2

function useFoundItems(items: readonly PaletteItem[], text: string): FoundItems {
  const orgId = useOrganisationId()
  const owner = useOwner()
  const mayOpenUsers = useMay()('seeAdminMenu')
  const term = text.trim()
  const [search] = useDebouncedValue(term, searchMs)
  const isSearch = term.length >= termMin
  const { data, error, isFetching } = useQuery({
    ...callQuery(['search', orgId, search], 'GET /search', { query: { orgId, search } }),
    enabled: search.length >= termMin,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const [recent] = useState(() => listRecentItems(owner))
  const local = term === '' ? [...recent, ...items.filter(isShownUnasked)] : findItems(items, term)
  const hits = isSearch ? toItems(data ?? [], mayOpenUsers) : []
  return {
    items: useStable([...local, ...hits]),
    isSearching: isSearch && (isFetching || search !== term),
    error: isSearch ? error : null,
  }
}

/** Organisations are found by their names, and listed in the side bar. */
function isShownUnasked({ group }: PaletteItem): boolean {
  return group !== 'Organisations'
}

/** The same array as long as it has the same items. */
function useStable(items: readonly PaletteItem[]): readonly PaletteItem[] {
  const [stable, setStable] = useState(items)
  const isSame =
    stable.length === items.length &&
    stable.every(({ id, detail }, index) => id === items[index]?.id && detail === items[index]?.detail)
  if (isSame) return stable
  setStable(items)
  return items
}

interface ItemGroup {
  readonly group: string
  /** The position of its first member in the whole list. */
  readonly first: number
  readonly members: readonly PaletteItem[]
}

function groupItems(items: readonly PaletteItem[]): readonly ItemGroup[] {
  let first = 0
  return [...Map.groupBy(items, ({ group }) => group)].map(([group, members]) => {
    const start = first
    first += members.length
    return { group, first: start, members }
  })
}

/** Who keeps their recent items, in which organisation. */
function useOwner(): string {
  const { identity, organisation } = useWorkspace()
  return `${identity.email} ${organisation.Id}`
}

function useChoice(): (item: PaletteItem) => void {
  const navigate = useNavigate()
  const owner = useOwner()
  return (item) => {
    rememberItem(owner, item)
    const { target } = item
    if ('to' in target) void navigate(target.to)
    else if ('href' in target)
      window.open(target.href, target.href.startsWith('mailto:') ? '_self' : '_blank', 'noopener')
    else target.act()
  }
}
