/** The runs that were started in this tab and have not ended yet, so that their end can be told. */
import { useSyncExternalStore } from 'react'

export interface StartedRun {
  readonly clientId: string
  readonly connectorId: string
  readonly runId: string
  readonly name: string
}

let started: readonly StartedRun[] = []
const listeners = new Set<() => void>()

export function rememberStarted(run: StartedRun): void {
  change([...started, run])
}

/** Answers whether it was remembered: of several who tell an end, one does. */
export function forgetStarted(runId: string): boolean {
  const left = started.filter((run) => run.runId !== runId)
  if (left.length === started.length) return false
  change(left)
  return true
}

/** Whoever comes next has started none of them. */
export function forgetAllStarted(): void {
  change([])
}

export function useStartedRuns(): readonly StartedRun[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => started,
  )
}

function change(next: readonly StartedRun[]): void {
  started = next
  for (const listener of listeners) listener()
}
