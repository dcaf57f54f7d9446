/**
 * Reads an authorisation request (OAuth 2.1, section 4.1.1): the query string with which an assistant sends the browser to the
 * portal.
 */
import { Id } from '@tributary/contract/id'
import { assistantScopes } from '@tributary/contract/token-scopes'
import { resourceAddress } from '../../identity/tokens/assistant-resource.ts'
import { detailedFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { OauthError } from './oauth-error.ts'
import { findClient, type OauthClient } from './queries.ts'
import { matchesRedirectUri } from './redirect-uris.ts'

type AssistantScope = (typeof assistantScopes)[number]

export interface AuthorisationRequest {
  readonly client: OauthClient
  /** One that the client has registered. */
  readonly redirectUri: string
  readonly state: string | null
  /** Why the request cannot be allowed. The client learns it at its address if the person agrees. */
  readonly problem: OauthError | null
  readonly scopes: readonly AssistantScope[]
  readonly challenge: string
}

const unanswerable = 'Nothing was sent to it. Start again in the assistant, or ask its maker.'

/** Throws `oauthRequestWrong` if it is unknown which client asks, or if the answer would go to an address that it has not registered. */
export async function readAuthorisationRequest(
  db: Db,
  publicUrl: string,
  query: string,
): Promise<AuthorisationRequest> {
  const parameters = new URLSearchParams(query)
  const client = await findRequestingClient(db, parameters)
  const redirectUris = parameters.getAll('redirect_uri')
  const [redirectUri = ''] = redirectUris
  if (redirectUris.length !== 1 || !matchesRedirectUri(client.redirectUris, redirectUri))
    throw wrong(`The assistant wants its answer at an address that it has not registered. ${unanswerable}`)
  const states = parameters.getAll('state')
  return {
    client,
    redirectUri,
    state: states.length === 1 ? (states[0] ?? null) : null,
    problem: findProblem(parameters, publicUrl),
    scopes: readScopes(parameters),
    challenge: parameters.get('code_challenge') ?? '',
  }
}

async function findRequestingClient(db: Db, parameters: URLSearchParams): Promise<OauthClient> {
  const ids = parameters.getAll('client_id')
  const id = Id.safeParse(ids.length === 1 ? ids[0] : undefined)
  const client = id.success ? await findClient(db, id.data) : undefined
  if (client !== undefined) return client
  throw wrong(
    'The portal does not know the assistant that sent you here. A registration that nobody allows is deleted after a week. Remove the connection in the assistant and add it again.',
  )
}

function wrong(detail: string) {
  return detailedFault('oauthRequestWrong', detail)
}

/** RFC 6749, section 3.1: no parameter may occur twice. */
const single = [
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
]

function findProblem(parameters: URLSearchParams, publicUrl: string): OauthError | null {
  const twice = single.find((name) => parameters.getAll(name).length > 1)
  if (twice !== undefined) return new OauthError('invalid_request', `${twice} is given more than once.`)
  if (parameters.get('response_type') !== 'code')
    return new OauthError('unsupported_response_type', 'response_type must be code.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    return new OauthError('invalid_request', 'response_mode must be query.')
  // A missing method would mean plain.
  if (parameters.get('code_challenge_method') !== 'S256')
    return new OauthError('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[\w-]{43}$/u.test(parameters.get('code_challenge') ?? ''))
    return new OauthError('invalid_request', 'code_challenge must be a SHA-256 in base64url.')
  if (parameters.get('resource') !== resourceAddress(publicUrl))
    return new OauthError('invalid_target', `resource must be ${resourceAddress(publicUrl)}.`)
  if (readScopes(parameters).length === 0)
    return new OauthError('invalid_scope', `scope must have at least one of ${assistantScopes.join(' ')}.`)
  return null
}

/** Without a scope: all. Unknown ones are ignored (RFC 6749, section 3.3); the reply with the token names those it has. */
function readScopes(parameters: URLSearchParams): readonly AssistantScope[] {
  const scope = parameters.get('scope')
  if (scope === null || scope === '') return assistantScopes
  const requested = scope.split(' ')
  return assistantScopes.filter((one) => requested.includes(one))
}
