/** The connector types that people connect by OAuth, with their configuration. */
import type { OAuthProvider, OAuthEndpoints } from '@tributary/engine/ports/oauth'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { OauthSettings } from '../../kernel/config/oauth-settings.ts'
import { findSource, sources } from '../connectors/connector-types.ts'

export interface OauthAppKeys {
  readonly clientId: string
  readonly clientSecret: string
}

export interface AuthorisedType {
  readonly type: string
  readonly oauth: OAuthProvider
  readonly endpoints: OAuthEndpoints
  readonly scopes: readonly string[]
  readonly machineScopes: readonly string[]
  /** The OAuth app of the server's operator; null if none is configured. */
  readonly operatorApp: OauthAppKeys | null
  /** Settings that a new connector starts with. */
  readonly initialSettings: ConnectorProperties
}

export type AuthorisedTypes = ReadonlyMap<string, AuthorisedType>

export function createAuthorisedTypes(settings: readonly OauthSettings[]): AuthorisedTypes {
  const types = sources.flatMap(({ type, oauth }): AuthorisedType[] => {
    if (oauth === undefined) return []
    const {
      app = null,
      scopes = null,
      addresses = null,
      initial = {},
    } = settings.find((one) => one.type === type) ?? {}
    return [
      {
        type,
        oauth,
        endpoints: addresses ?? oauth.addresses,
        scopes: scopes ?? oauth.scopes,
        machineScopes: scopes?.filter((scope) => !userScopes.includes(scope)) ?? oauth.machineScopes,
        operatorApp: app,
        initialSettings: initial,
      },
    ]
  })
  return new Map(types.map((one) => [one.type, one]))
}

/** Whether people connect this type by OAuth. Then no form accepts credentials. */
export function isAuthorised(type: string): boolean {
  return findSource(type)?.oauth !== undefined
}

/** Scopes that only a person can grant. */
const userScopes = ['openid', 'profile', 'email', 'offline_access']

/** Settings that Tributary adds when it opens the source. No person enters them, and no connector stores them. */
export function injectedProperties(
  type: string,
  { tenantId, address }: { readonly tenantId: string; readonly address: string },
): ConnectorProperties {
  return { [`${type}.tenantId`]: tenantId, [`${type}.address`]: address }
}

/** Used in place of the company while a form is validated. */
const placeholderTenantId = '00000000-0000-4000-8000-000000000000'

/** The properties as the source receives them, with a placeholder company, for validation. */
export function withPlaceholderTenant(
  type: string,
  oauth: OAuthProvider | undefined,
  properties: ConnectorProperties,
): ConnectorProperties {
  if (oauth === undefined) return properties
  const injected = injectedProperties(type, { tenantId: placeholderTenantId, address: oauth.addresses.api })
  return { ...properties, ...injected }
}
