/** The sign-in of the simulated Exact Online: plain OAuth 2 with PKCE, tokens of ten minutes, and refresh tokens that are used once. */
import { createHash, randomUUID } from 'node:crypto'

export const accessTokenS = 600
/** A token is renewed only in its last seconds. */
const renewableS = 30

export interface ExactPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Numbers of the companies that they may see; the first is the current one. */
  readonly divisions: readonly number[]
}

export interface IdentityReply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

interface Grant {
  readonly person: ExactPerson
  accessToken: string
  accessEnds: number
  refreshToken: string
}

interface Consent {
  readonly person: ExactPerson
  readonly redirectUri: string
  readonly challenge: string
}

export interface ExactIdentity {
  /** Where the browser goes after the person has allowed access to the app; null: denied it. */
  consent(address: string, person: ExactPerson | null): string
  token(form: URLSearchParams): IdentityReply
  personOf(accessToken: string): ExactPerson | undefined
  /** The person takes the app back. */
  revoke(person: ExactPerson): void
  readonly refreshes: { count: number; refused: number }
}

export function createIdentity(
  clock: { now(): number },
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): ExactIdentity {
  const consents = new Map<string, Consent>()
  const grants: Grant[] = []
  const refreshes = { count: 0, refused: 0 }

  function exchangeCode(form: URLSearchParams): IdentityReply {
    const code = form.get('code') ?? ''
    const consent = consents.get(code)
    consents.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (consent === undefined || consent.redirectUri !== form.get('redirect_uri') || consent.challenge !== challenge)
      return refused('invalid_grant')
    const grant: Grant = { person: consent.person, accessToken: '', accessEnds: 0, refreshToken: '' }
    grants.push(grant)
    return issue(clock, grant)
  }

  function refresh(form: URLSearchParams): IdentityReply {
    const grant = grants.find(({ refreshToken }) => refreshToken === form.get('refresh_token'))
    if (grant === undefined) return refused('invalid_grant')
    if (grant.accessEnds - clock.now() > renewableS * 1_000) {
      refreshes.refused += 1
      return { status: 400, body: { error: 'unauthorized_client', error_description: 'access_token not expired' } }
    }
    refreshes.count += 1
    return issue(clock, grant)
  }

  return {
    refreshes,
    consent(address, person) {
      const asked = readConsentAddress(address, clientId)
      const back = new URL(asked.redirectUri)
      back.searchParams.set('state', asked.state)
      if (person === null) {
        back.searchParams.set('error', 'access_denied')
        return back.href
      }
      const code = randomUUID()
      consents.set(code, { person, redirectUri: asked.redirectUri, challenge: asked.challenge })
      back.searchParams.set('code', code)
      return back.href
    },
    token(form) {
      if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
        return { status: 401, body: { error: 'invalid_client' } }
      return form.get('grant_type') === 'refresh_token' ? refresh(form) : exchangeCode(form)
    },
    personOf(accessToken) {
      return grants.find((grant) => grant.accessToken === accessToken && clock.now() < grant.accessEnds)?.person
    },
    revoke(person) {
      for (const grant of grants.filter((one) => one.person === person)) grants.splice(grants.indexOf(grant), 1)
    },
  }
}

function refused(error: string): IdentityReply {
  return { status: 400, body: { error } }
}

function readConsentAddress(
  address: string,
  clientId: string,
): { readonly redirectUri: string; readonly state: string; readonly challenge: string } {
  const { searchParams } = new URL(address)
  const isKnown = searchParams.get('client_id') === clientId && searchParams.get('response_type') === 'code'
  if (!isKnown || searchParams.get('code_challenge_method') !== 'S256')
    throw new Error(`The address of consent is wrong: ${address}`)
  const valueOf = (name: string): string => searchParams.get(name) ?? ''
  return { redirectUri: valueOf('redirect_uri'), state: valueOf('state'), challenge: valueOf('code_challenge') }
}

function issue(clock: { now(): number }, grant: Grant): IdentityReply {
  Object.assign(grant, {
    accessToken: `access-${randomUUID()}`,
    refreshToken: `refresh-${randomUUID()}`,
    accessEnds: clock.now() + accessTokenS * 1_000,
  })
  const { accessToken, refreshToken } = grant
  return {
    status: 200,
    // Exact Online writes the lifetime as a text.
    body: {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: String(accessTokenS),
      refresh_token: refreshToken,
    },
  }
}
