/** The resource for which assistants get tokens, and how a refused call leads them to the authorisation server. */
import { assistantScopes } from '@tributary/contract/token-scopes'

export const resourcePath = '/mcp'
/** RFC 9728, section 3.1: the path of the resource follows the well-known one. */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${resourcePath}`

export function resourceAddress(publicUrl: string): string {
  return `${publicUrl}${resourcePath}`
}

/**
 * The header `WWW-Authenticate` of a refused call (RFC 9728, section 5.1; RFC 6750, section 3).
 *
 * @param error absent if the call had no token
 */
export function protectedResourceChallenge(publicUrl: string, error?: 'invalid_token' | 'insufficient_scope'): string {
  const parameters = {
    ...(error !== undefined && { error }),
    resource_metadata: `${publicUrl}${resourceMetadataPath}`,
    scope: assistantScopes.join(' '),
  }
  return `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}
