/** OAuth 2 and OpenID Connect as Xero speaks them: the authorise address, the token address and the companies that came of it. */
import { createHash, randomUUID } from 'node:crypto'
import { forbidden, html, json, seeOther, unauthorised } from '../api/answer.ts'
import type { Answer } from '../api/answer.ts'
import { consentPage, refusalPage } from './consent-page.ts'
import { accessTokenMs } from './grants.ts'
import type { App, Consent, Granted, Grants, Person } from './grants.ts'
import { publicKeys, signedJwt } from './jwt.ts'
import { everyScope, machineScopes } from './scopes.ts'

export interface Identity {
  readonly now: () => number
  readonly issuer: () => string
  readonly apps: readonly App[]
  readonly people: readonly Person[]
  readonly companies: readonly { readonly tenantId: string; readonly name: string; readonly country: string }[]
  /** Where browsers may be sent back to; null allows every address of this machine. */
  readonly redirectUris: readonly string[] | null
  readonly grants: Grants
  readonly codes: Map<string, Code>
}

export interface Code {
  readonly consent: Consent
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
/** What the form of the page of consent adds to what came in the address. */
const answers = new Set(['person', 'tenant', 'decision'])

export function authorise(identity: Identity, method: string, told: URLSearchParams): Answer {
  const app = identity.apps.find(({ clientId, tenantId }) => clientId === told.get('client_id') && tenantId === null)
  const redirectUri = told.get('redirect_uri') ?? ''
  if (app === undefined) return html(400, refusalPage('unauthorized_client: Xero knows no such app.'))
  if (!mayReturnTo(identity, redirectUri)) return html(400, refusalPage('invalid_request: Invalid redirect_uri.'))
  const back = (query: Record<string, string>): Answer =>
    seeOther(returnAddress(redirectUri, { ...query, state: told.get('state') }))

  const scopes = (told.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const problem = problemOf(told, scopes)
  if (problem !== null) return back({ error: problem })
  const query = new Map([...told].filter(([name]) => !answers.has(name)))
  const asked = { ...identity, appName: 'The app that sent you here', scopes, query }
  if (method === 'GET') return html(200, consentPage(asked))
  if (told.get('decision') !== 'allow') return back({ error: 'access_denied' })
  return (
    allow(identity, told, scopes) ??
    html(400, consentPage({ ...asked, problem: 'Choose who you are and at least one company.' }))
  )
}

function mayReturnTo({ redirectUris }: Identity, address: string): boolean {
  if (redirectUris !== null) return redirectUris.includes(address)
  return URL.canParse(address) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)
}

function returnAddress(redirectUri: string, query: Record<string, string | null>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}

function problemOf(told: URLSearchParams, scopes: readonly string[]): string | null {
  if (told.get('response_type') !== 'code') return 'unsupported_response_type'
  if (scopes.length === 0 || scopes.some((scope) => !everyScope.includes(scope))) return 'invalid_scope'
  return told.has('code_challenge') && told.get('code_challenge_method') !== 'S256' ? 'invalid_request' : null
}

function allow(identity: Identity, told: URLSearchParams, scopes: readonly string[]): Answer | null {
  const person = identity.people.find(({ id }) => id === told.get('person'))
  const tenantIds = identity.companies
    .map(({ tenantId }) => tenantId)
    .filter((id) => told.getAll('tenant').includes(id))
  if (person === undefined || tenantIds.length === 0) return null
  const code = randomUUID()
  identity.codes.set(code, {
    consent: { clientId: told.get('client_id') ?? '', personId: person.id, scopes, event: randomUUID(), tenantIds },
    redirectUri: told.get('redirect_uri') ?? '',
    nonce: told.get('nonce'),
    challenge: told.get('code_challenge'),
    until: identity.now() + codeMs,
  })
  const query = { code, scope: scopes.join(' '), state: told.get('state'), session_state: randomUUID() }
  return seeOther(returnAddress(told.get('redirect_uri') ?? '', query))
}

const tokenError = (error: string): Answer => json(400, { error })

export function token(identity: Identity, authorization: string | undefined, told: URLSearchParams): Answer {
  const app = callingApp(identity, authorization, told)
  if (app === undefined) return tokenError('invalid_client')
  const kind = told.get('grant_type')
  if (kind === 'client_credentials') return machineToken(identity, app, told)
  if (app.tenantId !== null) return tokenError('unauthorized_client')
  if (kind === 'authorization_code') return exchange(identity, app, told)
  if (kind === 'refresh_token') return refresh(identity, app, told)
  return tokenError('unsupported_grant_type')
}

function callingApp({ apps }: Identity, authorization: string | undefined, told: URLSearchParams): App | undefined {
  const basic =
    authorization?.startsWith('Basic ') === true ? Buffer.from(authorization.slice(6), 'base64').toString() : null
  const [id, secret] =
    basic === null
      ? [told.get('client_id'), told.get('client_secret')]
      : basic.split(/:(.*)/s).map((part) => decodeURIComponent(part))
  return apps.find(({ clientId, clientSecret }) => clientId === id && clientSecret === secret)
}

function machineToken({ grants }: Identity, app: App, told: URLSearchParams): Answer {
  if (app.tenantId === null) return tokenError('unauthorized_client')
  const asked = (told.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  if (asked.some((scope) => !machineScopes.includes(scope))) return tokenError('invalid_scope')
  const scopes = asked.length === 0 ? machineScopes : asked
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

function exchange(identity: Identity, { clientId }: App, told: URLSearchParams): Answer {
  const given = told.get('code') ?? ''
  const code = identity.codes.get(given)
  identity.codes.delete(given)
  if (code === undefined || code.until <= identity.now() || code.consent.clientId !== clientId)
    return tokenError('invalid_grant')
  if (code.redirectUri !== told.get('redirect_uri') || !isProven(code, told.get('code_verifier')))
    return tokenError('invalid_grant')
  return tokenAnswer(identity, code.consent, identity.grants.grant(code.consent), code.nonce)
}

function isProven({ challenge }: Code, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier
  return /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge
}

function refresh(identity: Identity, { clientId }: App, told: URLSearchParams): Answer {
  const renewed = identity.grants.renew(told.get('refresh_token') ?? '', clientId)
  return renewed === null ? tokenError('invalid_grant') : tokenAnswer(identity, renewed.consent, renewed.granted, null)
}

function tokenAnswer(identity: Identity, consent: Consent, granted: Granted, nonce: string | null): Answer {
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
  { now, issuer, people }: Identity,
  { clientId, personId, scopes }: Consent,
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

export function discovery({ issuer }: Identity): Answer {
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

export const keySet = (): Answer => json(200, publicKeys())

/** `GET /connections`, and `DELETE /connections/{id}`. */
export function connections(
  { grants, companies }: Identity,
  consent: Consent | null,
  method: string,
  url: URL,
): Answer {
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
