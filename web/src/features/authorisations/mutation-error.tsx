import { messageOf } from '../../api/call-error.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'

/** What went wrong with what was tried last. */
export function Failure({
  of: { error, reset },
}: {
  of: { readonly error: Error | null; readonly reset: () => void }
}) {
  return <ErrorBanner message={error === null ? null : messageOf(error)} onDismiss={reset} />
}
