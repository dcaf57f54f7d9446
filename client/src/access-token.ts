/** What the client reads in an access token. Only the server verifies the signature. */
import { now } from './server-clock.ts'

/** A token that expires sooner may not reach the server in time. */
const renewalLeadMs = 5_000

/** False for a token without an expiry. */
export function isTokenExpiring(token: string): boolean {
  const { exp } = readClaims(token)
  return typeof exp === 'number' && exp * 1_000 <= now() + renewalLeadMs
}

/** Empty if the token has no role. */
export function readRoleClaim(token: string): string {
  const { role } = readClaims(token)
  return typeof role === 'string' ? role : ''
}

function readClaims(token: string): { readonly role?: unknown; readonly exp?: unknown } {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return (JSON.parse(atob(payload)) as { role?: unknown; exp?: unknown } | null) ?? {}
  } catch {
    return {}
  }
}
