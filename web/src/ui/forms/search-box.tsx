/**
 * The search box of a page. The URL holds the term in lowercase, debounced by 300 ms; the box keeps the text as
 * typed.
 */
import { searchDebounceMs } from '@tributary/contract/limits'
import { Button } from '@mantine/core'
import { SearchInput } from './search-input.tsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { EmptyState } from '../feedback/empty-state.tsx'
import { useUrlParams, useUpdateUrlParams } from '../hooks/search-params.ts'

const parameter = 'search'

export function useSearchTerm(): string {
  return (useUrlParams().get(parameter) ?? '').toLowerCase()
}

export function SearchBox({ label }: { label: string }) {
  const updateUrl = useUpdateUrlParams()
  const inUrl = useUrlParams().get(parameter) ?? ''
  const [text, setText] = useState(inUrl)
  const written = useRef(inUrl)

  useEffect(() => {
    const term = text.trim().toLowerCase()
    if (term === written.current) return
    const timer = setTimeout(() => {
      written.current = term
      updateUrl(withTerm(term), { replace: true })
    }, searchDebounceMs)
    return () => clearTimeout(timer)
  }, [text, updateUrl])

  // The URL changed elsewhere: by 'Clear search' or the back button.
  useEffect(() => {
    if (inUrl.toLowerCase() === written.current) return
    written.current = inUrl
    setText(inUrl)
  }, [inUrl])

  return <SearchInput label={label} value={text} onChange={setText} />
}

/** The content of a list in which no entry matches the search term. */
export function NoSearchMatch({ title, children }: { title: string; children?: ReactNode }) {
  const updateUrl = useUpdateUrlParams()
  return (
    <EmptyState
      kind="noMatch"
      title={title}
      action={
        <Button variant="default" onClick={() => updateUrl(withTerm(''), { replace: true })}>
          Clear search
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}

/** A new search resets to page 1. */
function withTerm(term: string) {
  return { [parameter]: term === '' ? null : term, page: null }
}
