/**
 * Asks for confirmation before unsaved changes are lost: by a link, the back button, another organisation, or
 * closing the tab.
 */
import { useEffect } from 'react'
import { type Blocker, useBlocker } from 'react-router'
import { readToken } from '../../api/session/session.ts'
import { editParameter } from './editor-search-params.ts'

/** Blocks navigation while there are unsaved changes. Selecting another subject in the editor is not blocked. */
export function useUnsavedChanges(isUnsaved: boolean): Blocker {
  useEffect(() => {
    if (!isUnsaved) return
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      // After sign-out nothing can be saved any more.
      if (readToken() !== null) event.preventDefault()
    }
    window.addEventListener('beforeunload', confirmLeaving)
    return () => window.removeEventListener('beforeunload', confirmLeaving)
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
