/** The addresses of the portal's pages. */

export const paths = {
  home: '/home',
  signIn: '/signin',
  signUp: '/signup',
  resetPassword: '/reset-password',
  profile: '/profile',
  admin: '/admin',
  adminDashboard: '/admin/dashboard',
  adminUsers: '/admin/security/users',
  connectors: '/connectors',
  refresh: (type: string) => `/connectors/${encodeURIComponent(type)}/refresh`,
  manage: (type: string) => `/connectors/${encodeURIComponent(type)}/manage`,
  /** The type's dashboard with one run open over it; without a run, the connector's history. */
  run: (type: string, connectorId: string, runId: string | null) =>
    `/connectors/${encodeURIComponent(type)}/refresh?connector=${connectorId}${runId === null ? '' : `&run=${runId}`}`,
} as const

const signedIn = /^\/(?:home|profile|admin|connectors)(?:\/|$)/

/** Where to go after signing in: a page of this portal, never another site, whatever the link says. */
export function safeReturnPath(returnUrl: string | null): string {
  if (returnUrl === null || !returnUrl.startsWith('/')) return paths.home
  const target = URL.parse(returnUrl, window.location.origin)
  if (target === null || target.origin !== window.location.origin || !signedIn.test(target.pathname)) return paths.home
  return `${target.pathname}${target.search}${target.hash}`
}
