/** Shows the re-authentication dialog when a call needs it. The dialog is loaded on first use. */
import { resolveReAuthentication, useReAuthenticationRequested } from '../../api/session/re-authentication.ts'
import { lazyDialog } from '../../ui/lazy.tsx'

const ReAuthenticationDialog = lazyDialog(
  async () => (await import('./re-authentication-dialog.tsx')).ReAuthenticationDialog,
)
/** Rejects the waiting calls; form input stays. */
const cancelReAuthentication = () => resolveReAuthentication(false)

export function ReAuthenticationHost() {
  return useReAuthenticationRequested() ? <ReAuthenticationDialog onClose={cancelReAuthentication} /> : null
}
