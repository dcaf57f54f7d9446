/** Sign-in of the simulated QuickBooks Online: OAuth 2, one company for each consent, which only the callback names. */
import { randomUUID } from 'node:crypto'

const accessTokenS = 3_600

export interface QuickBooksPerson {
  readonly name: string
  /** The companies that the person administers. */
  readonly realmIds: readonly string[]
}

interface IdentityReply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

interface Grant {
  readonly realmId: string
  accessToken: string
  accessEnds: number
  refreshToken: string
}

interface Consent {
  readonly realmId: string
  readonly redirectUri: string
}

export interface QuickBooksIdentity {
  /** Where the browser goes after a company was connected; null: the person has declined. */
  consent(address: URL, realmId: string | null): string
  token(form: URLSearchParams, authorization: string): IdentityReply
  /** The company that an access token opens. */
  realmOf(accessToken: string): string | undefined
  /** Tokens as if an administrator had connected the company. */
  issue(realmId: string): { readonly accessToken: string; readonly refreshToken: string }
  /** The app is disconnected from the company. */
  revoke(realmId: string): void
  readonly refreshes: { count: number }
}

interface App {
  readonly clientId: string
  readonly clientSecret: string
}

export function createIdentity(clock: { now(): number }, app: App): QuickBooksIdentity {
  const consents = new Map<string, Consent>()
  const grants: Grant[] = []
  const refreshes = { count: 0 }
  const newGrant = (realmId: string): Grant => {
    const grant: Grant = { realmId, accessToken: '', accessEnds: 0, refreshToken: '' }
    grants.push(grant)
    return grant
  }
  return {
    refreshes,
    consent: (address, realmId) => consentTo(consents, app, address, realmId),
    token(form, authorization) {
      const expected = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')
      if (authorization !== `Basic ${expected}`) return { status: 401, body: { error: 'invalid_client' } }
      if (form.get('grant_type') !== 'refresh_token') {
        const consent = claimConsent(consents, form)
        return consent === null ? invalidGrant : issueTokens(clock, newGrant(consent.realmId))
      }
      const grant = grants.find(({ refreshToken }) => refreshToken === form.get('refresh_token'))
      if (grant === undefined) return invalidGrant
      refreshes.count += 1
      return issueTokens(clock, grant)
    },
    realmOf: (accessToken) =>
      grants.find((grant) => grant.accessToken === accessToken && clock.now() < grant.accessEnds)?.realmId,
    issue(realmId) {
      const grant = newGrant(realmId)
      issueTokens(clock, grant)
      return grant
    },
    revoke(realmId) {
      for (const grant of grants.filter((one) => one.realmId === realmId)) grants.splice(grants.indexOf(grant), 1)
    },
  }
}

const invalidGrant: IdentityReply = { status: 400, body: { error: 'invalid_grant' } }

function consentTo(consents: Map<string, Consent>, app: App, address: URL, realmId: string | null): string {
  const back = callbackOf(address, app)
  if (realmId === null) {
    back.searchParams.set('error', 'access_denied')
    return back.href
  }
  const code = randomUUID()
  consents.set(code, { realmId, redirectUri: address.searchParams.get('redirect_uri') ?? '' })
  back.searchParams.set('code', code)
  back.searchParams.set('realmId', realmId)
  return back.href
}

/** The callback of the app, with its state. */
function callbackOf({ searchParams, href }: URL, { clientId }: App): URL {
  const isKnown = searchParams.get('client_id') === clientId && searchParams.get('response_type') === 'code'
  if (!isKnown || searchParams.get('scope') !== 'com.intuit.quickbooks.accounting')
    throw new Error(`The address of consent is wrong: ${href}`)
  const back = new URL(searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('state', searchParams.get('state') ?? '')
  return back
}

/** A code can be used once. */
function claimConsent(consents: Map<string, Consent>, form: URLSearchParams): Consent | null {
  const code = form.get('code') ?? ''
  const consent = consents.get(code)
  consents.delete(code)
  return consent?.redirectUri === form.get('redirect_uri') ? (consent ?? null) : null
}

function issueTokens(clock: { now(): number }, grant: Grant): IdentityReply {
  Object.assign(grant, {
    accessToken: `eyJ-${randomUUID()}`,
    refreshToken: `AB11-${randomUUID()}`,
    accessEnds: clock.now() + accessTokenS * 1_000,
  })
  return { status: 200, body: replyOf(grant) }
}

function replyOf({ accessToken, refreshToken }: Grant): Readonly<Record<string, unknown>> {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: accessTokenS,
    refresh_token: refreshToken,
    x_refresh_token_expires_in: 8_640_000,
  }
}
