/** Proves stream by stream, first live and then simulated, so that each result is shown as soon as it is known. */
import { CallError, messageOf } from '@tributary/client/call-error'
import type { StreamProof } from '@tributary/contract/workbench'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import type { EnteredValues } from './api.ts'

export interface ProofRequest {
  readonly text: string
  readonly streams: readonly string[]
  /** Null: nothing is called, and nothing is proven live. */
  readonly values: EnteredValues | null
}

interface ProofStep {
  readonly stream: string
  readonly kind: 'live' | 'simulated'
}

export interface ProofState {
  readonly proofs: readonly StreamProof[]
  /** What is being proven; null if nothing is. */
  readonly current: ProofStep | null
  readonly done: number
  readonly total: number
  /** Why proving ended early; null if it did not. */
  readonly ended: { readonly step: ProofStep; readonly reason: string } | null
}

const stopped = 'You stopped it.'

export function useProof(onFieldErrors: (fields: Readonly<Record<string, string>>) => void) {
  const [state, setState] = useState<ProofState | null>(null)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  async function start({ text, streams, values }: ProofRequest) {
    controller.current?.abort()
    const { signal } = (controller.current = new AbortController())
    const steps = streams.flatMap((stream): ProofStep[] => [
      { stream, kind: 'live' },
      { stream, kind: 'simulated' },
    ])
    let proofs: readonly StreamProof[] = []
    for (const [done, step] of steps.entries()) {
      setState({ proofs, current: step, done, total: steps.length, ended: null })
      try {
        const found = await prove(step, { text, values, signal })
        signal.throwIfAborted()
        proofs = [...proofs, ...found]
      } catch (error) {
        if (signal.aborted && signal.reason !== stopped) return
        if (error instanceof CallError) onFieldErrors(error.fields)
        const reason = signal.aborted ? stopped : messageOf(error)
        setState({ proofs, current: null, done, total: steps.length, ended: { step, reason } })
        return
      }
    }
    setState({ proofs, current: null, done: steps.length, total: steps.length, ended: null })
  }
  return {
    state,
    start: (request: ProofRequest) => void start(request),
    stop: () => controller.current?.abort(stopped),
  }
}

interface ProofCall {
  readonly text: string
  readonly values: EnteredValues | null
  readonly signal: AbortSignal
}

function prove({ stream, kind }: ProofStep, { text, values, signal }: ProofCall): Promise<readonly StreamProof[]> {
  const body = { text, stream, kind, ...(kind === 'live' && values !== null && { values: { ...values } }) }
  return call('POST /admin/workbench/prove', { body, signal })
}
