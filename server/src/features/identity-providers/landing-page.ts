/** The page of the portal where a browser lands after an OpenID Connect flow. The page words the error. */
import type { OidcFlowPurpose } from './queries.ts'

export interface OidcLanding {
  readonly path: string
  /** For the browser's cookie, without which the sign-in link in the path does not work. */
  readonly linkSecret?: string
  readonly isRefused?: boolean
}

const pages: Readonly<Record<OidcFlowPurpose, string>> = { signin: '/signin', signup: '/signup', link: '/profile' }

/** `unauthorised`: the user denied consent, or no account has this identity; `unknown`: any other failure. */
export type OidcRefusal = 'unauthorised' | 'unknown'

export function refusedLanding(purpose: OidcFlowPurpose, provider: string, error: OidcRefusal): OidcLanding {
  return { path: pagePath(pages[purpose], { error, provider }), isRefused: true }
}

export function pagePath(page: string, query: Readonly<Record<string, string | null>>): string {
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${page}?${new URLSearchParams(parameters).toString()}`
}
