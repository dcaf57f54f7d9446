/** An OpenID Connect relying party for one issuer: builds the authorization URL and verifies the callback. */
import type { Network } from '@tributary/engine/ports/network'
import * as oidc from 'openid-client'
import * as z from 'zod'
import type { ProviderSettings } from '../../kernel/config/provider-settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import { cached } from '../../kernel/cached.ts'
import {
  buildAuthorizationUrl,
  discoveryOptions,
  exchangeAuthorizationCode,
  type FlowSecrets,
  Identifier,
  metadataMs,
  readEmail,
} from '../../security/egress/openid-connect.ts'

/**
 * The verified claims. Only issuer and subject together identify the person; the provider may not have verified the
 * address.
 */
export interface ExternalPerson {
  readonly issuer: string
  readonly subject: string
  readonly emailAddress: string | null
  readonly isEmailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
  readonly msOid: string | null
}

export type OidcProvider = ReturnType<typeof createOidcProvider>

export function createOidcProvider(settings: ProviderSettings, network: Network, clock: Clock) {
  const { name, displayName, hasMicrosoftId, issuer, clientId, clientSecret } = settings
  // Lazy: discovered at the first use, so that a provider that is down does not prevent the start.
  const configuration = cached(clock, metadataMs, () => {
    const url = new URL(issuer)
    const authentication = chooseClientAuth(clientSecret)
    return oidc.discovery(url, clientId, undefined, authentication, discoveryOptions(url, network))
  })
  return {
    name,
    displayName,
    hasMicrosoftId,

    /** Throws if the provider's discovery document is missing or invalid. */
    async buildAuthorisationUrl(flow: FlowSecrets, redirectUri: string): Promise<URL> {
      return buildAuthorizationUrl(await configuration.read(), flow, redirectUri, 'openid profile email')
    },

    /** Exchanges the authorization code of a callback for the person's claims. Throws as the exchange does. */
    async exchangeCode(callbackUrl: URL, flow: FlowSecrets): Promise<ExternalPerson> {
      const server = await configuration.read()
      const { tokens, claims } = await exchangeAuthorizationCode(server, callbackUrl, flow)
      const needsUserInfo = claims['email'] === undefined && server.serverMetadata().userinfo_endpoint !== undefined
      const userInfo = needsUserInfo ? await oidc.fetchUserInfo(server, tokens.access_token, claims.sub) : {}
      return readPerson({ ...userInfo, ...claims }, hasMicrosoftId)
    },
  }
}

/** @param hasMicrosoftId whether the `oid` claim is the object id of a Microsoft account */
function readPerson(claims: Readonly<Record<string, unknown>>, hasMicrosoftId: boolean): ExternalPerson {
  const emailAddress = readEmail(claims)
  return {
    issuer: Identifier.parse(claims['iss']),
    subject: Identifier.parse(claims['sub']),
    emailAddress,
    isEmailVerified: emailAddress !== null && claims['email_verified'] === true,
    firstName: readName(claims['given_name']),
    lastName: readName(claims['family_name']),
    msOid: hasMicrosoftId ? (z.guid().safeParse(claims['oid']).data ?? null) : null,
  }
}

/**
 * Uses the method that the provider lists first: some providers list both but implement the second one incompletely.
 */
function chooseClientAuth(clientSecret: string): oidc.ClientAuth {
  const methods = new Map([
    ['client_secret_basic', oidc.ClientSecretBasic(clientSecret)],
    ['client_secret_post', oidc.ClientSecretPost(clientSecret)],
  ])
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported?.find((method) => methods.has(method))
    methods.get(supported ?? 'client_secret_basic')?.(server, client, body, headers)
  }
}

/** A name without control characters, at most 100 characters; null if nothing is left. */
function readName(claim: unknown): string | null {
  if (typeof claim !== 'string') return null
  const name = claim
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100)
  return name === '' ? null : name
}
