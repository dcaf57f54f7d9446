import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { QueryPlaceholder } from './query-placeholder.tsx'

interface QueryResultProps<Data> {
  query: UseQueryResult<Data>
  /** Shown while the query is loading. */
  loading?: ReactNode
  children: (data: Data) => ReactNode
}

/** Renders the data of a query, or a placeholder while it is loading or has failed. */
export function QueryResult<Data>({
  query,
  loading = <SkeletonLines count={6} height={36} />,
  children,
}: QueryResultProps<Data>) {
  return query.data === undefined ? <QueryPlaceholder of={query}>{loading}</QueryPlaceholder> : children(query.data)
}
