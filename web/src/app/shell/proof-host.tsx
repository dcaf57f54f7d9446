/** Shows the question for a fresh proof wherever a call needs one. It comes with its first use. */
import { lazy, Suspense } from 'react'
import { loadChunk } from '../../api/load-chunk.ts'
import { useProofAsked } from '../../api/proof.ts'

const ProofDialog = lazy(() => loadChunk(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog })))

export function ProofHost() {
  return useProofAsked() ? (
    <Suspense>
      <ProofDialog />
    </Suspense>
  ) : null
}
