/** The search box of a page. What is typed stays as typed; the address holds it in lowercase, 300 ms later. */
import { searchDebounceMs } from '@tributary/contract/limits'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useAddress, useChangeAddress } from '../hooks/search-params.ts'

const parameter = 'search'

export function useSearchTerm(): string {
  return (useAddress().get(parameter) ?? '').toLowerCase()
}

export function SearchBox({ label }: { label: string }) {
  const changeAddress = useChangeAddress()
  const inAddress = useAddress().get(parameter) ?? ''
  const [typed, setTyped] = useState(inAddress)
  const written = useRef(inAddress)

  useEffect(() => {
    const term = typed.trim().toLowerCase()
    if (term === written.current) return
    const timer = setTimeout(() => {
      written.current = term
      changeAddress(withTerm(term), { replace: true })
    }, searchDebounceMs)
    return () => clearTimeout(timer)
  }, [typed, changeAddress])

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
  const changeAddress = useChangeAddress()
  return () => changeAddress(withTerm(''), { replace: true })
}

/** What is found by it begins at its first page. */
function withTerm(term: string) {
  return { [parameter]: term === '' ? null : term, page: null }
}
