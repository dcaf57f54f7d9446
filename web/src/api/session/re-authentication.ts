/**
 * Sensitive calls are refused to users who signed in a while ago, until they re-authenticate. One dialog serves all
 * calls that wait for it; the calls are then repeated.
 */
import { Subscribers } from '@tributary/client/subscribers'
import { useEffect, useSyncExternalStore } from 'react'

interface ReAuthenticationRequest {
  readonly outcome: Promise<boolean>
  readonly resolve: (isReAuthenticated: boolean) => void
}

let pending: ReAuthenticationRequest | null = null
let dialogHosts = 0
const subscribers = new Subscribers()

/** Resolves to false if the user declines, or if no page can show the dialog. */
export function requestReAuthentication(): Promise<boolean> {
  if (dialogHosts === 0) return Promise.resolve(false)
  if (pending === null) {
    const { promise: outcome, resolve } = Promise.withResolvers<boolean>()
    setPending({ outcome, resolve })
  }
  return pending?.outcome ?? Promise.resolve(false)
}

export function resolveReAuthentication(isReAuthenticated: boolean): void {
  pending?.resolve(isReAuthenticated)
  setPending(null)
}

/** For the component that hosts the dialog: whether to show it. */
export function useReAuthenticationRequested(): boolean {
  useEffect(() => {
    dialogHosts += 1
    return () => {
      dialogHosts -= 1
      if (dialogHosts === 0) resolveReAuthentication(false)
    }
  }, [])
  return useSyncExternalStore(subscribers.subscribe, () => pending !== null)
}

function setPending(request: ReAuthenticationRequest | null): void {
  pending = request
  subscribers.notify()
}
