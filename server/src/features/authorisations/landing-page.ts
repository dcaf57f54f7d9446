/** Where a browser goes after a trip to a source: always the page of the portal that manages such connectors. */

/** `unauthorised`: it was not allowed, or nothing was opened; `connector_exists`: each company is another organisation's connector; `unknown`: all else. */
export type Refusal = 'unauthorised' | 'connector_exists' | 'unknown'

export type Outcome = { readonly error: Refusal } | { readonly connected: string } | { readonly authorisation: string }

export interface Landing {
  readonly type: string
  /** Null where the trip is not known. */
  readonly organisationId: string | null
}

export function addressOf({ type, organisationId }: Landing, outcome: Outcome): string {
  const query = new URLSearchParams({ ...outcome, ...(organisationId !== null && { organisation: organisationId }) })
  return `/connectors/${encodeURIComponent(type)}/manage?${query.toString()}`
}

export function isRefused(outcome: Outcome): boolean {
  return 'error' in outcome
}
