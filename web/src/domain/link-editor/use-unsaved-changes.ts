/** Whoever goes elsewhere with changes that are not saved is asked first: by a link, the way back, another organisation, or the tab's end. */
import { useEffect } from 'react'
import { type Blocker, useBlocker } from 'react-router'
import { readToken } from '../../api/session/session.ts'

/** In the address: what the editor is open for. */
export const editParameter = 'edit'

export function useLeaving(isUnsaved: boolean): Blocker {
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => {
      // Who has signed out cannot save any more.
      if (readToken() !== null) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      !(
        nextLocation.pathname === currentLocation.pathname &&
        new URLSearchParams(nextLocation.search).has(editParameter)
      ),
  )
}
