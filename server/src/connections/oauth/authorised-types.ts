/** The connector types that are set up by signing in at the source, with what the configuration says of each. */
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
  readonly authorising: OAuthProvider
  readonly addresses: OAuthEndpoints
  readonly scopes: readonly string[]
  readonly machineScopes: readonly string[]
  /** The app of whoever runs this server; null for none. */
  readonly provider: OauthAppKeys | null
  /** Settings that a new connector starts with. */
  readonly initial: ConnectorProperties
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
        authorising: oauth,
        addresses: addresses ?? oauth.addresses,
        scopes: scopes ?? oauth.scopes,
        machineScopes: scopes?.filter((scope) => !ofPeople.includes(scope)) ?? oauth.machineScopes,
        provider: app,
        initial,
      },
    ]
  })
  return new Map(types.map((one) => [one.type, one]))
}

/** Whether people connect it by signing in at the source: then no form takes credentials. */
export function isAuthorised(type: string): boolean {
  return findSource(type)?.oauth !== undefined
}

/** What only a person can give. */
const ofPeople = ['openid', 'profile', 'email', 'offline_access']

/** What a source is told beside its settings: nobody enters it, and it is stored with no connector. */
export function injectedProperties(
  type: string,
  { tenantId, address }: { readonly tenantId: string; readonly address: string },
): ConnectorProperties {
  return { [`${type}.tenantId`]: tenantId, [`${type}.address`]: address }
}

/** Stands for the company while a form is checked. */
const noTenant = '00000000-0000-4000-8000-000000000000'

/** The properties as the source would be told them, of a connector whose company does not matter. */
export function withAnyTenant(
  type: string,
  authorising: OAuthProvider | undefined,
  properties: ConnectorProperties,
): ConnectorProperties {
  if (authorising === undefined) return properties
  return { ...properties, ...injectedProperties(type, { tenantId: noTenant, address: authorising.addresses.api }) }
}
