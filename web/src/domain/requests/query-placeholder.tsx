import type { ReactNode } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'

export interface PendingQuery {
  readonly data: unknown
  readonly error: Error | null
  readonly refetch: () => unknown
}

interface QueryPlaceholderProps {
  /** One query, or all that the content needs. */
  of: PendingQuery | readonly PendingQuery[]
  /** Shown while they are loading. */
  children?: ReactNode
}

/** Stands in for content whose queries are loading, or have failed without data: then it offers a retry. */
export function QueryPlaceholder({ of, children = <SkeletonLines count={3} height={40} /> }: QueryPlaceholderProps) {
  const failed = [of].flat().filter(({ data, error }) => data === undefined && error !== null)
  const [first] = failed
  if (first === undefined) return children
  return <LoadFailure message={messageOf(first.error)} onRetry={() => failed.forEach(({ refetch }) => refetch())} />
}
