/**
 * Sensitive calls are refused to users who signed in a while ago, until they re-authenticate. One dialog serves all
 * calls that wait for it; the calls are then repeated.
 */
import type { WantedProof } from '@tributary/client/create-client'
import { Subscribers } from '@tributary/client/subscribers'
import { useEffect, useSyncExternalStore } from 'react'

interface ReAuthenticationRequest extends PromiseWithResolvers<boolean> {
  readonly wanted: WantedProof
}

let pending: ReAuthenticationRequest | null = null
let dialogHosts = 0
const subscribers = new Subscribers()

/** Resolves to false if the user declines, or if no page can show the dialog. */
export async function requestReAuthentication(wanted: WantedProof): Promise<boolean> {
  // A dialog asks for one proof at a time.
  if (pending !== null && pending.wanted !== wanted) await pending.promise
  if (dialogHosts === 0) return false
  const request = pending ?? { wanted, ...Promise.withResolvers<boolean>() }
  if (request !== pending) setPending(request)
  return request.promise
}

export function resolveReAuthentication(isReAuthenticated: boolean): void {
  pending?.resolve(isReAuthenticated)
  setPending(null)
}

/** For the component that hosts the dialog: what it asks for; null if it is not shown. */
export function useReAuthenticationRequested(): WantedProof | null {
  useEffect(() => {
    dialogHosts += 1
    return () => {
      dialogHosts -= 1
      if (dialogHosts === 0) resolveReAuthentication(false)
    }
  }, [])
  return useSyncExternalStore(subscribers.subscribe, () => pending?.wanted ?? null)
}

function setPending(request: typeof pending): void {
  pending = request
  subscribers.notify()
}
