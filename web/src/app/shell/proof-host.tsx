/** Shows the question for a fresh proof wherever a call needs one. It comes with its first use. */
import { resolveReAuthentication, useReAuthenticationRequested } from '../../api/session/re-authentication.ts'
import { laterDialog } from '../../ui/later.tsx'

const ProofDialog = laterDialog(async () => (await import('./proof-dialog.tsx')).ProofDialog)
/** The calls that wait are told that nothing was proven; what was typed stays. */
const refuse = () => resolveReAuthentication(false)

export function ProofHost() {
  return useReAuthenticationRequested() ? <ProofDialog onClose={refuse} /> : null
}
