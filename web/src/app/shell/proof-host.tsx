/** Shows the re-authentication dialog when a call needs it. The dialog is loaded on first use. */
import { resolveReAuthentication, useReAuthenticationRequested } from '../../api/session/re-authentication.ts'
import { lazyDialog } from '../../ui/lazy.tsx'

const ProofDialog = lazyDialog(async () => (await import('./proof-dialog.tsx')).ProofDialog)
/** Rejects the waiting calls; form input stays. */
const refuse = () => resolveReAuthentication(false)

export function ProofHost() {
  return useReAuthenticationRequested() ? <ProofDialog onClose={refuse} /> : null
}
