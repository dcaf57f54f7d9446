/** What assistants read about the authorisation server (RFC 8414) and about the resource (RFC 9728). */
import { assistantScopes } from '@tributary/contract/token-scopes'
import { resourceAddress } from '../../identity/tokens/assistant-resource.ts'

export const endpoints = {
  /** A page of the portal. */
  authorise: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

export function describeServer(publicUrl: string) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}${endpoints.authorise}`,
    token_endpoint: `${publicUrl}${endpoints.token}`,
    registration_endpoint: `${publicUrl}${endpoints.register}`,
    revocation_endpoint: `${publicUrl}${endpoints.revoke}`,
    scopes_supported: assistantScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

export const grantTypes = ['authorization_code', 'refresh_token'] as const

export function describeResource(publicUrl: string) {
  return {
    resource: resourceAddress(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: assistantScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Tributary',
  }
}
