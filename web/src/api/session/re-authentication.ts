/**
 * Sensitive calls are refused to users who signed in a while ago, until they re-authenticate. One dialog serves all
 * calls that wait for it; the calls are then repeated.
 */
import { Subscribers } from '@tributary/client/subscribers'
import { useEffect, useSyncExternalStore } from 'react'

let pending: PromiseWithResolvers<boolean> | null = null
let dialogHosts = 0
const subscribers = new Subscribers()

/** Resolves to false if the user declines, or if no page can show the dialog. */
export function requestReAuthentication(): Promise<boolean> {
  if (dialogHosts === 0) return Promise.resolve(false)
  const request = pending ?? Promise.withResolvers<boolean>()
  if (request !== pending) setPending(request)
  return request.promise
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

function setPending(request: typeof pending): void {
  pending = request
  subscribers.notify()
}
