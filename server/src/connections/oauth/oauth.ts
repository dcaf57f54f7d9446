/** Everything about sources at which people sign in: what is known of their types, and the tokens of the grants. */
import type { ConnectorLocation } from '../connectors/connector-settings.ts'
import type { AccessTokenProvider } from '@tributary/engine/ports/oauth'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { OauthSettings } from '../../kernel/config/oauth-settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Metrics } from '../../kernel/telemetry/metrics.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { OauthClient } from './oauth-client.ts'
import { signedOutFault, AccessTokenCache } from './access-tokens.ts'
import { type AuthorisedTypes, injectedProperties, createAuthorisedTypes } from './authorised-types.ts'

export interface Oauth {
  readonly types: AuthorisedTypes
  readonly client: OauthClient
  readonly tokens: AccessTokenCache
}

interface OauthServices {
  readonly settings: readonly OauthSettings[]
  readonly publicUrl: string
  readonly network: Network
  readonly store: Store
  readonly secrets: Secrets
  readonly clock: Clock
  readonly log: Log
  readonly mailer: EmailOutbox
  readonly metrics: Metrics
}

export function openOauth({ settings, network, ...services }: OauthServices): Oauth {
  const types = createAuthorisedTypes(settings)
  for (const { provider } of types.values()) if (provider !== null) services.log.redactSecret(provider.clientSecret)
  const client = new OauthClient({ network, clock: services.clock })
  return { types, client, tokens: new AccessTokenCache({ ...services, types, client }) }
}

/** What a source is lent beside its settings. */
export interface SourceAccess {
  readonly properties: ConnectorProperties
  readonly around: { readonly accessTokens?: AccessTokenProvider }
}

/** Nothing for a source that signs in by its settings. Throws a `signIn` Fault where somebody must authorise the connector first. */
export async function provideCredentials(
  db: Db,
  { types, tokens }: Oauth,
  { organisationId, connectorId, type }: ConnectorLocation & { readonly type: string },
): Promise<SourceAccess> {
  const authorised = types.get(type)
  if (authorised === undefined) return { properties: {}, around: {} }
  const link = await db
    .selectFrom('connectorTenant')
    .select(['tenantId', 'grantId'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('releasedAt', 'is', null)
    .executeTakeFirst()
  if (link === undefined || link.grantId === null) throw signedOutFault(authorised.authorising.title)
  return {
    properties: injectedProperties(type, { tenantId: link.tenantId, address: authorised.addresses.api }),
    around: { accessTokens: tokens.provide(link.grantId) },
  }
}
