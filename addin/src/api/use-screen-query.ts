import { type QueryKey, useQuery } from '@tanstack/react-query'

export interface ScreenQuery<Data> {
  /** Kept during a refetch, until the new data arrives or the refetch fails. */
  readonly data: Data | undefined
  /** Null during a refetch. */
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => void
}

interface ScreenQueryOptions<Data> {
  readonly queryKey: QueryKey
  readonly queryFn: (signal: AbortSignal) => Promise<Data>
}

/** Fetches when the screen appears and when the key changes. Leaving the screen aborts the request. */
export function useScreenQuery<Data>({ queryKey, queryFn }: ScreenQueryOptions<Data>): ScreenQuery<Data> {
  const query = useQuery<Data>({ queryKey, queryFn: ({ signal }) => queryFn(signal) })
  return {
    data: query.isError ? undefined : query.data,
    error: query.isFetching ? null : query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
  }
}
