/**
 * Some calls are refused to whoever signed in a while ago, until they have proven once more who they are. One dialog asks for
 * that, whichever calls wait for it, and the calls then go out again by themselves.
 */
import { useEffect, useSyncExternalStore } from 'react'

interface Asking {
  readonly answered: Promise<boolean>
  readonly answer: (isProven: boolean) => void
}

let asking: Asking | null = null
let attendants = 0
const listeners = new Set<() => void>()

/** False where the person would rather not, or where no page is there to ask. */
export function askForProof(): Promise<boolean> {
  if (attendants === 0) return Promise.resolve(false)
  if (asking === null) {
    const { promise: answered, resolve: answer } = Promise.withResolvers<boolean>()
    become({ answered, answer })
  }
  return asking?.answered ?? Promise.resolve(false)
}

export function answerProof(isProven: boolean): void {
  asking?.answer(isProven)
  become(null)
}

/** For the one who shows the dialog: whether it is to be shown. */
export function useProofAsked(): boolean {
  useEffect(() => {
    attendants += 1
    return () => {
      attendants -= 1
      if (attendants === 0) answerProof(false)
    }
  }, [])
  return useSyncExternalStore(subscribe, () => asking !== null)
}

function become(next: Asking | null): void {
  asking = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
