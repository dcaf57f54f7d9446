import { messageOf } from '@tributary/client/call-error'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'

/** Error banner of the latest attempt of a mutation. */
export function MutationError({
  of: { error, reset },
}: {
  of: { readonly error: Error | null; readonly reset: () => void }
}) {
  return <ErrorBanner message={error === null ? null : messageOf(error)} onDismiss={reset} />
}
