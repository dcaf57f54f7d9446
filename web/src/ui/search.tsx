/** The search box of a page. What is typed stays as typed; the address holds it in lowercase, 300 ms later. */
import { searchDebounceMs } from '@tributary/contract/limits'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'

const parameter = 'search'

export function useSearchTerm(): string {
  return (useSearchParams()[0].get(parameter) ?? '').toLowerCase()
}

export function SearchBox({ label }: { label: string }) {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get(parameter) ?? ''
  const [typed, setTyped] = useState(inAddress)
  const written = useRef(inAddress)

  useEffect(() => {
    const term = typed.trim().toLowerCase()
    if (term === written.current) return
    const timer = setTimeout(() => {
      written.current = term
      setParams((current) => withTerm(current, term), { replace: true })
    }, searchDebounceMs)
    return () => clearTimeout(timer)
  }, [typed, setParams])

  // Somebody else changed the address: 'Clear search', or the back button.
  useEffect(() => {
    if (inAddress.toLowerCase() === written.current) return
    written.current = inAddress
    setTyped(inAddress)
  }, [inAddress])

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder="Search"
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}

export function useClearSearch(): () => void {
  const setParams = useSearchParams()[1]
  return () => setParams((current) => withTerm(current, ''), { replace: true })
}

function withTerm(current: URLSearchParams, term: string): URLSearchParams {
  const next = new URLSearchParams(current)
  if (term === '') next.delete(parameter)
  else next.set(parameter, term)
  // What is found now begins at its first page.
  next.delete('page')
  return next
}
