/** How a REST catalog recognises us. */
import { clientTokens } from '../../../../apis/http/token-request.ts'
import type { Clock } from '../../../../ports/clock.ts'
import type { AccessTokenProvider } from '../../../../ports/oauth.ts'
import type { ConnectionContext } from '../../../../ports/source.ts'
import type { Authorize } from '../../http/http-session.ts'
import { type AwsCredentials, signedHeaders, type SigningScope } from '../../http/sigv4.ts'

export type RestSignIn =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'oauth2'
      /** Null: the catalog’s own token endpoint. */
      readonly tokenEndpoint: URL | null
      readonly clientId: string
      readonly clientSecret: string
      readonly scope: string
    }
  | { readonly kind: 'sigv4'; readonly credentials: AwsCredentials; readonly scope: SigningScope }

/** @param uri the address of the catalog */
export function authorizeBy(signIn: RestSignIn, uri: URL, context: ConnectionContext): Authorize {
  switch (signIn.kind) {
    case 'none':
      return async (_, refused) => refused ?? {}
    case 'token':
      return async (_, refused) => refused ?? { authorization: `Bearer ${signIn.token}` }
    case 'sigv4':
      return signed(signIn.credentials, signIn.scope, context.clock)
    case 'oauth2': {
      const { clientId, clientSecret, scope, tokenEndpoint } = signIn
      const tokens = clientTokens(
        {
          title: 'The Iceberg catalog',
          code: 'iceberg',
          // Only the settings name the endpoint: the catalog must not choose where the secret is sent.
          token: tokenEndpoint ?? new URL(`${uri.href.replace(/\/$/u, '')}/v1/oauth/tokens`),
          client: clientId,
          secret: clientSecret,
          clientIn: 'body',
          scopes: scope === '' ? [] : [scope],
          parameters: {},
        },
        context,
      )
      return bearer(tokens)
    }
  }
}

function signed(credentials: AwsCredentials, scope: SigningScope, clock: Clock): Authorize {
  return async (request, refused) => refused ?? signedHeaders(request, credentials, scope, clock.now())
}

function bearer(tokens: AccessTokenProvider): Authorize {
  return async (_, refused) => {
    const token = await tokens.token(refused?.['authorization']?.slice('Bearer '.length))
    return { authorization: `Bearer ${token}` }
  }
}
