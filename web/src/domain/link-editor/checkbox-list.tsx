/** Searchable, virtualised list of checkboxes; all matches can be selected at once. */
import { Button } from '@mantine/core'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { useDeferredValue, useMemo, useState } from 'react'
import { VirtualList } from './virtual-list.tsx'
import type { LinkItem } from './links.ts'
import css from './checkbox-list.module.css'

interface CheckboxListProps {
  /** Plural noun of the items, such as 'users'. */
  readonly what: string
  readonly items: readonly LinkItem[]
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
  /** Receives the term, if a server finds the items. */
  readonly onSearch?: (term: string) => void
  readonly isReadOnly?: boolean
  readonly hasFocus?: boolean
}

export function CheckboxList({
  what,
  items,
  picked,
  onPick,
  onSearch,
  isReadOnly = false,
  hasFocus = false,
}: CheckboxListProps) {
  const [term, setTerm] = useState('')
  const deferredTerm = useDeferredValue(term.trim().toLowerCase())
  const shown = useMemo(
    () => items.filter(({ name, detail = '' }) => `${name} ${detail}`.toLowerCase().includes(deferredTerm)),
    [items, deferredTerm],
  )
  const ids = shown.map(({ id }) => id)
  const isAll = ids.length > 0 && ids.every((id) => picked.has(id))
  const scopeLabel = deferredTerm === '' ? 'all' : `all ${shown.length} found`

  return (
    <div className={css.list}>
      <SearchInput
        label={`Search ${what}`}
        placeholder={`Search ${what}`}
        value={term}
        onChange={(text) => {
          setTerm(text)
          onSearch?.(text)
        }}
        data-autofocus={hasFocus || undefined}
      />
      <div className={css.bar}>
        <output className="small subtle">{`${[...picked].filter((id) => items.some((item) => item.id === id)).length} of ${items.length} ticked`}</output>
        {isReadOnly || shown.length === 0 ? null : (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => onPick(isAll ? picked.difference(new Set(ids)) : picked.union(new Set(ids)))}
          >
            {isAll ? `Untick ${scopeLabel}` : `Select ${scopeLabel}`}
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="muted">{items.length === 0 ? 'There are none yet.' : `Nothing matches '${term}'.`}</p>
      ) : (
        <VirtualList
          key={deferredTerm}
          kind="checkbox"
          label={what}
          items={shown}
          isChecked={(id) => picked.has(id)}
          isReadOnly={isReadOnly}
          onPick={(id, range) =>
            onPick(picked.has(id) ? picked.difference(new Set(range)) : picked.union(new Set(range)))
          }
        />
      )}
    </div>
  )
}
