import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'

/** Renders the data of a query, or a placeholder while it is loading or has failed. */
export function QueryResult<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error !== null) return <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
  return <SkeletonLines count={6} height={36} />
}
