import { messageOf } from '@tributary/client/call-error'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'

/** Placeholder for a list in a dialog while its query is loading or has failed. */
export function QueryPlaceholder({ of }: { of: { readonly error: Error | null; readonly refetch: () => unknown } }) {
  if (of.error === null) return <SkeletonLines count={3} height={40} />
  return <LoadFailure message={messageOf(of.error)} onRetry={() => void of.refetch()} />
}
