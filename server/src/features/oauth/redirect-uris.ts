/**
 * Where an authorisation code may be sent: https, or a loopback address of the person's own computer. A registered address is
 * compared character by character, except for the port of a loopback address (RFC 8252, section 7.3).
 */
import { oauthLimits } from '@tributary/contract/limits'

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=\/|\?|$)/u

/** What is wrong with the address, as the end of a sentence; null if it can be registered. */
export function findRedirectUriProblem(uri: string): string | null {
  if (uri.length > oauthLimits.redirectUriMax) return `is longer than ${oauthLimits.redirectUriMax} characters`
  // Browsers read a backslash as a slash, and drop control characters.
  if (!/^[\x21-\x7e]+$/u.test(uri) || uri.includes('\\')) return 'has characters that an address cannot have'
  const url = URL.parse(uri)
  if (url === null) return 'is no address'
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '' || authorityOf(uri).includes('@')) return 'has a user name'
  if (url.protocol === 'https:') return /^https:\/\/[^/]/iu.test(uri) ? null : 'is no address'
  return loopback.test(uri) ? null : 'is neither https nor http to localhost, 127.0.0.1 or [::1]'
}

function authorityOf(uri: string): string {
  return /^[^:]+:\/*([^/?#]*)/u.exec(uri)?.[1] ?? ''
}

export function matchesRedirectUri(registered: readonly string[], uri: string): boolean {
  if (findRedirectUriProblem(uri) !== null) return false
  return registered.includes(uri) || (loopback.test(uri) && registered.map(withoutPort).includes(withoutPort(uri)))
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, 'http://$1')
}

export function isOnOwnComputer(uri: string): boolean {
  return loopback.test(uri)
}

/** Appends the answer to the address, which may already have a query. */
export function answerAddress(uri: string, answer: Readonly<Record<string, string | null>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.append(name, value)
  return url.href
}
