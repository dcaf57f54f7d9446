import { type QueryKey, useQueryClient } from '@tanstack/react-query'

/** Returns a function that marks queries as stale. It resolves when those on screen have been fetched again. */
export function useInvalidate(): (...queries: readonly { readonly queryKey: QueryKey }[]) => Promise<void> {
  const queryClient = useQueryClient()
  return async (...queries) => {
    await Promise.all(queries.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
  }
}
