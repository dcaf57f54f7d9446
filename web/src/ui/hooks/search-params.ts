/** The part of the address behind '?': what a page shows, so that a view can be passed on and found again. */
import { use, useCallback } from 'react'
// oxlint-disable-next-line no-restricted-imports -- this is the one place that may
import { UNSAFE_DataRouterContext as RouterContext, useSearchParams } from 'react-router'

/** What each name is from now on, null taking it out; the others stay. Or the whole, made of what there is. */
type Change = Readonly<Record<string, string | null>> | ((current: URLSearchParams) => URLSearchParams)

export function useAddress(): URLSearchParams {
  return useSearchParams()[0]
}

/**
 * Changes the address as it is, not as it was when the page was drawn: whoever is quicker than the drawing, or
 * waits for an answer before the change, takes nothing back that was chosen meanwhile. With `replace` the change is
 * no step that the back button goes over.
 */
export function useChangeAddress(): (change: Change, options?: { replace: boolean }) => void {
  const router = use(RouterContext)?.router
  return useCallback(
    (change, options = { replace: false }) => {
      if (router === undefined) throw new Error('There is no router here.')
      const next = apply(change, new URLSearchParams(router.state.location.search))
      void router.navigate({ search: next.toString() }, options)
    },
    [router],
  )
}

function apply(change: Change, current: URLSearchParams): URLSearchParams {
  if (typeof change === 'function') return change(current)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) current.delete(name)
    else current.set(name, value)
  }
  return current
}
