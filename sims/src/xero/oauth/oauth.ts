/** OAuth 2 and OpenID Connect like Xero's: the authorise and token endpoints, and the resulting connections. */
import { createHash, randomUUID } from 'node:crypto'
import { forbidden, html, json, seeOther, unauthorised } from '../api/responses.ts'
import type { XeroResponse } from '../api/responses.ts'
import { consentPage, refusalPage } from './consent-page.ts'
import { accessTokenMs } from './grants.ts'
import type { XeroApp, XeroConsent, IssuedTokens, XeroGrants, XeroPerson } from './grants.ts'
import { publicKeys, signedJwt } from './jwt.ts'
import { everyScope, machineScopes } from './scopes.ts'

export interface XeroIdentity {
  readonly now: () => number
  readonly issuer: () => string
  readonly apps: readonly XeroApp[]
  readonly people: readonly XeroPerson[]
  readonly companies: readonly { readonly tenantId: string; readonly name: string; readonly country: string }[]
  /** Allowed redirect URIs; null allows all on loopback. */
  readonly redirectUris: readonly string[] | null
  readonly grants: XeroGrants
  readonly codes: Map<string, AuthorisationCode>
}

export interface AuthorisationCode {
  readonly consent: XeroConsent
  readonly redirectUri: string
  readonly nonce: string | null
  readonly challenge: string | null
  readonly until: number
}

export const paths = {
  authorise: '/identity/connect/authorize',
  token: '/connect/token',
  discovery: '/.well-known/openid-configuration',
  keys: '/.well-known/openid-configuration/jwks',
  connections: '/connections',
} as const

const codeMs = 5 * 60_000
/** Form fields that the consent page adds to the authorise request's parameters. */
const formFields = new Set(['person', 'tenant', 'decision'])

export function authorise(identity: XeroIdentity, method: string, parameters: URLSearchParams): XeroResponse {
  const app = identity.apps.find(
    ({ clientId, tenantId }) => clientId === parameters.get('client_id') && tenantId === null,
  )
  const redirectUri = parameters.get('redirect_uri') ?? ''
  if (app === undefined) return html(400, refusalPage('unauthorized_client: Xero knows no such app.'))
  if (!mayReturnTo(identity, redirectUri)) return html(400, refusalPage('invalid_request: Invalid redirect_uri.'))
  const redirectBack = (query: Record<string, string>): XeroResponse =>
    seeOther(returnAddress(redirectUri, { ...query, state: parameters.get('state') }))

  const scopes = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const problem = problemOf(parameters, scopes)
  if (problem !== null) return redirectBack({ error: problem })
  const query = new Map([...parameters].filter(([name]) => !formFields.has(name)))
  const pageContent = { ...identity, appName: 'The app that sent you here', scopes, query }
  if (method === 'GET') return html(200, consentPage(pageContent))
  if (parameters.get('decision') !== 'allow') return redirectBack({ error: 'access_denied' })
  return (
    allow(identity, parameters, scopes) ??
    html(400, consentPage({ ...pageContent, problem: 'Choose who you are and at least one company.' }))
  )
}

function mayReturnTo({ redirectUris }: XeroIdentity, address: string): boolean {
  if (redirectUris !== null) return redirectUris.includes(address)
  return URL.canParse(address) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)
}

function returnAddress(redirectUri: string, query: Record<string, string | null>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}

function problemOf(parameters: URLSearchParams, scopes: readonly string[]): string | null {
  if (parameters.get('response_type') !== 'code') return 'unsupported_response_type'
  if (scopes.length === 0 || scopes.some((scope) => !everyScope.includes(scope))) return 'invalid_scope'
  return parameters.has('code_challenge') && parameters.get('code_challenge_method') !== 'S256'
    ? 'invalid_request'
    : null
}

function allow(identity: XeroIdentity, parameters: URLSearchParams, scopes: readonly string[]): XeroResponse | null {
  const person = identity.people.find(({ id }) => id === parameters.get('person'))
  const tenantIds = identity.companies
    .map(({ tenantId }) => tenantId)
    .filter((id) => parameters.getAll('tenant').includes(id))
  if (person === undefined || tenantIds.length === 0) return null
  const code = randomUUID()
  identity.codes.set(code, {
    consent: {
      clientId: parameters.get('client_id') ?? '',
      personId: person.id,
      scopes,
      event: randomUUID(),
      tenantIds,
    },
    redirectUri: parameters.get('redirect_uri') ?? '',
    nonce: parameters.get('nonce'),
    challenge: parameters.get('code_challenge'),
    until: identity.now() + codeMs,
  })
  const query = { code, scope: scopes.join(' '), state: parameters.get('state'), session_state: randomUUID() }
  return seeOther(returnAddress(parameters.get('redirect_uri') ?? '', query))
}

const tokenError = (error: string): XeroResponse => json(400, { error })

export function token(
  identity: XeroIdentity,
  authorization: string | undefined,
  parameters: URLSearchParams,
): XeroResponse {
  const app = callingApp(identity, authorization, parameters)
  if (app === undefined) return tokenError('invalid_client')
  const kind = parameters.get('grant_type')
  if (kind === 'client_credentials') return machineToken(identity, app, parameters)
  if (app.tenantId !== null) return tokenError('unauthorized_client')
  if (kind === 'authorization_code') return exchange(identity, app, parameters)
  if (kind === 'refresh_token') return refresh(identity, app, parameters)
  return tokenError('unsupported_grant_type')
}

function callingApp(
  { apps }: XeroIdentity,
  authorization: string | undefined,
  parameters: URLSearchParams,
): XeroApp | undefined {
  const basic =
    authorization?.startsWith('Basic ') === true ? Buffer.from(authorization.slice(6), 'base64').toString() : null
  const [id, secret] =
    basic === null
      ? [parameters.get('client_id'), parameters.get('client_secret')]
      : basic.split(/:(.*)/s).map((part) => decodeURIComponent(part))
  return apps.find(({ clientId, clientSecret }) => clientId === id && clientSecret === secret)
}

function machineToken({ grants }: XeroIdentity, app: XeroApp, parameters: URLSearchParams): XeroResponse {
  if (app.tenantId === null) return tokenError('unauthorized_client')
  const requestedScopes = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  if (requestedScopes.some((scope) => !machineScopes.includes(scope))) return tokenError('invalid_scope')
  const scopes = requestedScopes.length === 0 ? machineScopes : requestedScopes
  const { accessToken } = grants.grant({
    clientId: app.clientId,
    personId: null,
    scopes,
    event: randomUUID(),
    tenantIds: [app.tenantId],
  })
  return json(200, {
    access_token: accessToken,
    expires_in: accessTokenMs / 1_000,
    token_type: 'Bearer',
    scope: scopes.join(' '),
  })
}

function exchange(identity: XeroIdentity, { clientId }: XeroApp, parameters: URLSearchParams): XeroResponse {
  const submittedCode = parameters.get('code') ?? ''
  const code = identity.codes.get(submittedCode)
  identity.codes.delete(submittedCode)
  if (code === undefined || code.until <= identity.now() || code.consent.clientId !== clientId)
    return tokenError('invalid_grant')
  if (code.redirectUri !== parameters.get('redirect_uri') || !matchesChallenge(code, parameters.get('code_verifier')))
    return tokenError('invalid_grant')
  return tokenAnswer(identity, code.consent, identity.grants.grant(code.consent), code.nonce)
}

function matchesChallenge({ challenge }: AuthorisationCode, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier
  return /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge
}

function refresh(identity: XeroIdentity, { clientId }: XeroApp, parameters: URLSearchParams): XeroResponse {
  const renewed = identity.grants.renew(parameters.get('refresh_token') ?? '', clientId)
  return renewed === null ? tokenError('invalid_grant') : tokenAnswer(identity, renewed.consent, renewed.granted, null)
}

function tokenAnswer(
  identity: XeroIdentity,
  consent: XeroConsent,
  granted: IssuedTokens,
  nonce: string | null,
): XeroResponse {
  const { scopes } = consent
  return json(200, {
    ...(scopes.includes('openid') && { id_token: idToken(identity, consent, nonce) }),
    access_token: granted.accessToken,
    expires_in: accessTokenMs / 1_000,
    token_type: 'Bearer',
    ...(scopes.includes('offline_access') && { refresh_token: granted.refreshToken }),
    scope: scopes.join(' '),
  })
}

function idToken(
  { now, issuer, people }: XeroIdentity,
  { clientId, personId, scopes }: XeroConsent,
  nonce: string | null,
): string {
  const person = people.find(({ id }) => id === personId)
  const seconds = Math.floor(now() / 1_000)
  return signedJwt({
    iss: issuer(),
    aud: clientId,
    sub: createHash('sha256').update(String(personId)).digest('hex').slice(0, 32),
    iat: seconds,
    nbf: seconds,
    exp: seconds + 300,
    auth_time: seconds,
    ...(nonce !== null && { nonce }),
    xero_userid: personId,
    ...(scopes.includes('email') && { email: person?.email }),
    ...(scopes.includes('profile') && {
      preferred_username: person?.email,
      given_name: person?.firstName,
      family_name: person?.lastName,
      name: `${person?.firstName} ${person?.lastName}`,
    }),
  })
}

export function discovery({ issuer }: XeroIdentity): XeroResponse {
  const at = issuer()
  return json(200, {
    issuer: at,
    authorization_endpoint: at + paths.authorise,
    token_endpoint: at + paths.token,
    jwks_uri: at + paths.keys,
    scopes_supported: everyScope,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  })
}

export const keySet = (): XeroResponse => json(200, publicKeys())

/** `GET /connections`, and `DELETE /connections/{id}`. */
export function connections(
  { grants, companies }: XeroIdentity,
  consent: XeroConsent | null,
  method: string,
  url: URL,
): XeroResponse {
  if (consent === null) return unauthorised('TokenExpired: token expired')
  const isOwn = ({ clientId, personId }: { clientId: string; personId: string | null }): boolean =>
    clientId === consent.clientId && personId === consent.personId
  const id = url.pathname.slice(paths.connections.length + 1)
  if (method === 'DELETE')
    return { status: grants.disconnect((each) => isOwn(each) && each.id === id) ? 204 : 404, body: '' }
  if (method !== 'GET' || id !== '') return forbidden()
  const event = url.searchParams.get('authEventId')
  const shown = grants.connections.filter((each) => isOwn(each) && (event === null || each.event === event))
  return json(
    200,
    shown.map(({ id, event, tenantId, createdAt, updatedAt }) => ({
      id,
      authEventId: event,
      tenantId,
      tenantType: 'ORGANISATION',
      tenantName: companies.find((company) => company.tenantId === tenantId)?.name ?? '',
      createdDateUtc: longMoment(createdAt),
      updatedDateUtc: longMoment(updatedAt),
    })),
  )
}

/** Seven decimals and no zone. */
const longMoment = (at: number): string => `${new Date(at).toISOString().slice(0, 23)}0000`
