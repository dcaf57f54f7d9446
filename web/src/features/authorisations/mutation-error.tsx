import { messageOf } from '@tributary/client/call-error'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'

/** What went wrong with what was tried last. */
export function Failure({
  of: { error, reset },
}: {
  of: { readonly error: Error | null; readonly reset: () => void }
}) {
  return <ErrorBanner message={error === null ? null : messageOf(error)} onDismiss={reset} />
}
