/** Shows the question for a fresh proof wherever a call needs one. It comes with its first use. */
import { answerProof, useProofAsked } from '../../api/session/re-authentication.ts'
import { laterDialog } from '../../ui/later.tsx'

const ProofDialog = laterDialog(async () => (await import('./proof-dialog.tsx')).ProofDialog)
/** The calls that wait are told that nothing was proven; what was typed stays. */
const refuse = () => answerProof(false)

export function ProofHost() {
  return useProofAsked() ? <ProofDialog onClose={refuse} /> : null
}
