/** The runs that were started in this tab and have not ended yet, so that their end can be announced. */
import { Subscribers } from '@tributary/client/subscribers'
import { useSyncExternalStore } from 'react'

export interface StartedRun {
  readonly clientId: string
  readonly connectorId: string
  readonly runId: string
  readonly name: string
}

let started: readonly StartedRun[] = []
const subscribers = new Subscribers()

export function rememberStarted(run: StartedRun): void {
  replaceStarted([...started, run])
}

/** Returns whether the run was remembered, so that only the first caller announces its end. */
export function forgetStarted(runId: string): boolean {
  const remaining = started.filter((run) => run.runId !== runId)
  if (remaining.length === started.length) return false
  replaceStarted(remaining)
  return true
}

/** The next user of this tab has started none of them. */
export function forgetAllStarted(): void {
  replaceStarted([])
}

export function useStartedRuns(): readonly StartedRun[] {
  return useSyncExternalStore(subscribers.subscribe, () => started)
}

function replaceStarted(next: readonly StartedRun[]): void {
  started = next
  subscribers.notify()
}
