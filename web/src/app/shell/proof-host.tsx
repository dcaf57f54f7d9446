/** Shows the question for a fresh proof wherever a call needs one. It comes with its first use. */
import { Suspense } from 'react'
import { useProofAsked } from '../../api/proof.ts'
import { later } from '../../ui/later.tsx'

const ProofDialog = later(async () => (await import('./proof-dialog.tsx')).ProofDialog)

export function ProofHost() {
  return useProofAsked() ? (
    <Suspense>
      <ProofDialog />
    </Suspense>
  ) : null
}
