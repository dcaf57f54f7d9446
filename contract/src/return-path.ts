/** The page to open after signing in: always a page of the portal. Prevents open redirects. */

const signedInPages = /^\/(?:home|profile|admin|excel|connectors|oauth)(?:\/|$)/
// oxlint-disable-next-line no-control-regex -- Browsers strip some control characters from an address.
const controls = /[\u0000-\u001f\u007f]/

/** The canonicalised path, which every browser resolves alike; null if it is no page for signed-in people. */
export function safeReturnPath(returnUrl: string | null | undefined, origin: string): string | null {
  if (returnUrl === null || returnUrl === undefined || !returnUrl.startsWith('/') || controls.test(returnUrl))
    return null
  const target = URL.parse(returnUrl, origin)
  if (target === null || target.origin !== new URL(origin).origin || !signedInPages.test(target.pathname)) return null
  return `${target.pathname}${target.search}${target.hash}`
}
