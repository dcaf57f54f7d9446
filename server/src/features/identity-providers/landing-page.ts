/** Where a browser goes after a trip: always a page of the portal, which says by its own words what went wrong. */
import type { Purpose } from './queries.ts'

export interface Landing {
  readonly path: string
  /** For the browser's cookie: it alone can use the sign-in link that the path holds. */
  readonly linkSecret?: string
  readonly isRefused?: boolean
}

const pages: Readonly<Record<Purpose, string>> = { signin: '/signin', signup: '/signup', link: '/profile' }

/** `unauthorised`: it was not allowed, or nobody here has this identity; `unknown`: anything else. */
export type Refusal = 'unauthorised' | 'unknown'

export function refusedLanding(purpose: Purpose, provider: string, error: Refusal): Landing {
  return { path: addressOf(pages[purpose], { error, provider }), isRefused: true }
}

export function addressOf(page: string, query: Readonly<Record<string, string | null>>): string {
  const told = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${page}?${new URLSearchParams(told).toString()}`
}
