/**
 * The page of the portal where a browser lands after an OAuth flow: always the one that manages connectors of the type.
 */

/**
 * `unauthorised`: consent was denied or reached no company, or the user lacks the right; `connector_exists`: every
 * company belongs to another organisation; `unknown`: any other failure.
 */
export type OauthRefusal = 'unauthorised' | 'connector_exists' | 'unknown'

export type OauthOutcome =
  | { readonly error: OauthRefusal }
  | { readonly connected: string }
  | { readonly authorisation: string }

export interface OauthLanding {
  readonly type: string
  /** Null if the flow is unknown. */
  readonly organisationId: string | null
}

export function landingPath({ type, organisationId }: OauthLanding, outcome: OauthOutcome): string {
  const query = new URLSearchParams({ ...outcome, ...(organisationId !== null && { organisation: organisationId }) })
  return `/connectors/${encodeURIComponent(type)}/manage?${query.toString()}`
}

export function isRefused(outcome: OauthOutcome): boolean {
  return 'error' in outcome
}
