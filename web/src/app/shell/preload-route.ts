/**
 * Preloads the requests of a page that a user navigates to. When the portal opens, `public/first-paint.js` does this.
 */
import { isTokenExpiring } from '@tributary/client/access-token'
import type { LoaderFunctionArgs } from 'react-router'
import { readIdentity, readToken } from '../../api/session/session.ts'
import { currentTimeZone } from '../../ui/formats.ts'
import type { PortalRoute } from '../portal-route.ts'
import { mayOpen } from './navigation.ts'
import { findPreload } from './preloads.ts'

/** Starts the requests of the route, unless its page would refuse the role. */
export function preloadRoute(route: PortalRoute, { params, request }: LoaderFunctionArgs): void {
  const identity = readIdentity()
  const query = new URL(request.url).searchParams
  const preload = findPreload(
    route,
    Object.values(params).every((value) => value !== undefined),
  )
  if (preload === undefined || (query.size > 0 && preload.withAnyQuery !== true)) return
  // Home sends an auditor to their room, and refuses them its requests.
  if (identity === null || identity.auditorUntil !== undefined || !mayOpen(route, identity.roleLevel)) return
  preloadRequests(preload.requests, { ...Object.fromEntries(query), ...params })
}

/**
 * Starts the requests that `templates` describe, unless they are already in flight. Starts none for a visitor.
 *
 * @param templates as in `Preload.requests`.
 * @param values of the names in braces, except `org` and `zone`.
 */
export function preloadRequests(
  templates: readonly string[],
  values: Readonly<Record<string, string | undefined>>,
): void {
  const token = readToken()
  const identity = readIdentity()
  if (token === null || isTokenExpiring(token) || identity === null || identity.mustChangePassword) return
  const requests = (window.preloadedRequests ??= {})
  const own = { org: identity.organisationId ?? undefined, zone: currentTimeZone() }
  for (const template of templates) {
    const address = fillTemplate(template, { ...values, ...own })
    if (address === null || address in requests) continue
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    requests[address] = {
      token,
      startedAt: performance.now(),
      response: fetch(address, { headers }).catch(() => null),
    }
  }
}

/** Null if a name has no value. */
function fillTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string | null {
  let isComplete = true
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    if (value === '') isComplete = false
    return encodeURIComponent(value)
  })
  return isComplete ? `/api${address}` : null
}
