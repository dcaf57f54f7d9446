import { messageOf } from '@tributary/client/call-error'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'

/** What stands in the place of a list within a dialog until it is here. */
export function Loading({ of }: { of: { readonly error: Error | null; readonly refetch: () => unknown } }) {
  if (of.error === null) return <SkeletonLines count={3} height={40} />
  return <LoadFailure message={messageOf(of.error)} onRetry={() => void of.refetch()} />
}
