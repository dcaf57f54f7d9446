import { useEffect } from 'react'

interface PagedResult {
  readonly data: { readonly total: number } | undefined
  /** The data is that of the former page, until that of this one arrives. */
  readonly isPlaceholderData: boolean
}

interface ShownPage {
  readonly page: number
  readonly pageSize: number
  readonly goTo: (page: number) => void
}

/**
 * Returns the number of pages for `Pager`, at least 1. Goes to the last page if a later one is shown: the address is old, or the list has
 * become shorter meanwhile.
 */
export function usePageCount({ data, isPlaceholderData }: PagedResult, { page, pageSize, goTo }: ShownPage): number {
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / pageSize))
  const isBeyond = data !== undefined && !isPlaceholderData && page > pages
  useEffect(() => {
    if (isBeyond) goTo(pages)
  }, [isBeyond, goTo, pages])
  return pages
}
