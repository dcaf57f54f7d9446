import {
  // oxlint-disable-next-line no-restricted-imports -- This wrapper is the one module that may import it.
  useMutation,
} from '@tanstack/react-query'
import { InFlight } from '@tributary/client/in-flight'
import { useEffect, useState } from 'react'

export interface ScreenMutation<Variables> {
  readonly isPending: boolean
  readonly error: Error | null
  /** Does nothing while a mutation with equal variables is in progress: a second click starts nothing twice. */
  readonly mutate: (variables: Variables) => void
  /** Aborts what is in progress and clears the error. */
  readonly reset: () => void
}

/** A mutation of one screen. Leaving the screen aborts it. */
export function useScreenMutation<Variables = void>(
  mutationFn: (variables: Variables, signal: AbortSignal) => Promise<void>,
): ScreenMutation<Variables> {
  const [controllers] = useState(() => new Set<AbortController>())
  const [inFlight] = useState(() => new InFlight())
  const { isPending, error, mutateAsync, reset } = useMutation({
    async mutationFn(variables: Variables) {
      const controller = new AbortController()
      controllers.add(controller)
      try {
        await mutationFn(variables, controller.signal)
      } finally {
        controllers.delete(controller)
      }
    },
  })
  useEffect(() => () => abortAll(controllers), [controllers])
  return {
    isPending,
    error,
    mutate: (variables) => inFlight.run(variables, () => mutateAsync(variables)),
    reset() {
      abortAll(controllers)
      reset()
    },
  }
}

function abortAll(controllers: ReadonlySet<AbortController>): void {
  for (const controller of controllers) controller.abort()
}
