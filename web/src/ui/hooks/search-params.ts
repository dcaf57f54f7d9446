/** The query parameters of the URL. They hold what a page shows, so that a view can be shared and bookmarked. */
import { use, useCallback } from 'react'
// oxlint-disable-next-line no-restricted-imports -- the only module that may
import { UNSAFE_DataRouterContext as RouterContext, useSearchParams } from 'react-router'

/** New values by name, where null deletes a parameter and the others stay. Or a function of the current parameters. */
type UrlParamsUpdate = Readonly<Record<string, string | null>> | ((current: URLSearchParams) => URLSearchParams)

export function useUrlParams(): URLSearchParams {
  return useSearchParams()[0]
}

/**
 * Updates the current URL, not the one of the last render. An update before the next render, or after an awaited
 * reply, therefore keeps what the user chose in between. With `replace` it adds no entry to the browser history.
 */
export function useUpdateUrlParams(): (update: UrlParamsUpdate, options?: { replace: boolean }) => void {
  const router = use(RouterContext)?.router
  return useCallback(
    (update, options = { replace: false }) => {
      if (router === undefined) throw new Error('useUpdateUrlParams needs a data router.')
      const next = applyUpdate(update, new URLSearchParams(router.state.location.search))
      void router.navigate({ search: next.toString() }, options)
    },
    [router],
  )
}

function applyUpdate(update: UrlParamsUpdate, current: URLSearchParams): URLSearchParams {
  if (typeof update === 'function') return update(current)
  for (const [name, value] of Object.entries(update)) {
    if (value === null) current.delete(name)
    else current.set(name, value)
  }
  return current
}

/** The page number in the URL, which omits page 1. */
export function useUrlPage(options?: { replace: boolean }) {
  const page = Math.max(1, Math.trunc(Number(useUrlParams().get('page'))) || 1)
  const updateUrl = useUpdateUrlParams()
  return { page, goTo: (next: number) => updateUrl({ page: next === 1 ? null : String(next) }, options) }
}
