/**
 * Requests that are made before the code that needs their responses has loaded: by `public/first-paint.js` when the page opens, and by
 * the loader of a route when a user navigates to it (`app/shell/preload-route.ts`).
 */
declare global {
  interface Window {
    /** By path and query, from `/api`. */
    preloadedRequests?: Record<string, PreloadedRequest>
  }
}

interface PreloadedRequest {
  readonly token: string
  /** By `performance.now()`. */
  readonly startedAt: number
  /** Null if the request failed without a response. */
  readonly response: Promise<Response | null>
}

/** A response that no page takes may be taken by a later poll, so this bounds how old the data that it shows can be. */
const maxAgeMs = 10_000

/**
 * Returns the response of a preloaded request once, to the first caller with the same token. Returns null if there is no
 * response or if it is not a success: the caller then makes the request itself and handles the failure.
 *
 * @param address path and query, from `/api`.
 */
export async function takePreloadedResponse(address: string, token: string | null): Promise<Response | null> {
  const request = window.preloadedRequests?.[address]
  if (request === undefined) return null
  delete window.preloadedRequests?.[address]
  if (request.token !== token || performance.now() > request.startedAt + maxAgeMs) return null
  const response = await request.response
  return response?.ok === true ? response : null
}

/** Called before data is changed: a response from before the change must not be shown after it. */
export function discardPreloadedResponses(): void {
  window.preloadedRequests = {}
}
