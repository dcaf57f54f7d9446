/** Apps, people, authorisation codes, tokens, and the connections that result from consents. */
import { createHash, randomUUID } from 'node:crypto'
import { seal, signedJwt, unseal } from './jwt.ts'

export interface XeroPerson {
  /** The claim `xero_userid` of ID tokens. */
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

export interface XeroApp {
  readonly clientId: string
  readonly clientSecret: string
  /** The single company of a custom connection, which signs in without a person. */
  readonly tenantId: string | null
}

/** One event of consent. */
export interface XeroConsent {
  readonly clientId: string
  /** Null for a custom connection. */
  readonly personId: string | null
  readonly scopes: readonly string[]
  readonly event: string
  readonly tenantIds: readonly string[]
}

export interface XeroConnection {
  readonly id: string
  readonly clientId: string
  readonly personId: string | null
  readonly tenantId: string
  readonly createdAt: number
  event: string
  updatedAt: number
}

/** A chain of rotating refresh tokens; each holds its turn, sealed. */
interface TokenFamily {
  readonly consent: XeroConsent
  turn: number
  formerUntil: number
  usedAt: number
  isDead: boolean
}

interface SealedRefreshToken {
  readonly family: string
  readonly turn: number
  readonly consent: XeroConsent
}

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface XeroGrants {
  readonly connections: readonly XeroConnection[]
  /** Issues the first tokens after a consent, and creates its connections. */
  grant(consent: XeroConsent): IssuedTokens
  /** Rotates the tokens; null if the refresh token is expired, unknown or of another app. */
  renew(
    refreshToken: string,
    clientId: string,
  ): { readonly consent: XeroConsent; readonly granted: IssuedTokens } | null
  /** The consent of an access token; null if the token is unknown or expired. */
  consentOf(accessToken: string): XeroConsent | null
  disconnect(which: (connection: XeroConnection) => boolean): boolean
  /** Ends all consents of a person. */
  revoke(personId: string): void
}

export const accessTokenMs = 30 * 60_000
const graceMs = 30 * 60_000
const unusedMs = 60 * 86_400_000

export function makeGrants({
  now,
  issuer,
  secret,
}: {
  now: () => number
  issuer: () => string
  secret: string
}): XeroGrants {
  const families = new Map<string, TokenFamily>()
  const accessTokens = accessTokenBook(now, issuer)
  const book = connectionBook(now, secret)

  const refreshToken = (family: string, turn: number, consent: XeroConsent): string =>
    seal({ family, turn, consent }, secret)

  return {
    get connections() {
      return book.list()
    },
    grant(consent) {
      book.connect(consent)
      const family = randomUUID()
      if (consent.personId !== null)
        families.set(family, { consent, turn: 1, formerUntil: 0, usedAt: now(), isDead: false })
      return { accessToken: accessTokens.issue(consent), refreshToken: refreshToken(family, 1, consent) }
    },
    renew(token, clientId) {
      const presentedTurn = unseal(token, secret) as SealedRefreshToken | undefined
      if (presentedTurn === undefined || presentedTurn.consent.clientId !== clientId) return null
      const family = families.get(presentedTurn.family) ?? adopt(presentedTurn)
      if (family.isDead || now() - family.usedAt > unusedMs || !isCurrent(family, presentedTurn.turn, now()))
        return null
      if (presentedTurn.turn === family.turn)
        Object.assign(family, { turn: family.turn + 1, formerUntil: now() + graceMs })
      family.usedAt = now()
      const { consent, turn } = family
      return {
        consent,
        granted: {
          accessToken: accessTokens.issue(consent),
          refreshToken: refreshToken(presentedTurn.family, turn, consent),
        },
      }
    },
    consentOf: accessTokens.consentOf,
    disconnect: (which) => book.remove(which),
    revoke(personId) {
      book.remove((connection) => connection.personId === personId)
      for (const family of families.values()) if (family.consent.personId === personId) family.isDead = true
    },
  }

  /** Accepts a token from before a restart, so that a demonstration survives it. */
  function adopt({ family: id, turn, consent }: SealedRefreshToken): TokenFamily {
    const family = { consent, turn, formerUntil: 0, usedAt: now(), isDead: false }
    families.set(id, family)
    book.connect(consent)
    return family
  }
}

function accessTokenBook(now: () => number, issuer: () => string) {
  const tokens = new Map<string, { readonly consent: XeroConsent; readonly until: number }>()
  return {
    issue(consent: XeroConsent): string {
      const until = now() + accessTokenMs
      const token = signedJwt({
        iss: issuer(),
        aud: `${issuer()}/resources`,
        client_id: consent.clientId,
        ...(consent.personId !== null && { sub: guidOf(consent.personId), xero_userid: consent.personId }),
        authentication_event_id: consent.event,
        scope: consent.scopes,
        nbf: Math.floor(now() / 1_000),
        exp: Math.floor(until / 1_000),
        jti: randomUUID(),
      })
      tokens.set(token, { consent, until })
      return token
    },
    consentOf(token: string): XeroConsent | null {
      const found = tokens.get(token)
      return found === undefined || found.until <= now() ? null : found.consent
    },
  }
}

function connectionBook(now: () => number, secret: string) {
  let connections: XeroConnection[] = []
  return {
    list: (): readonly XeroConnection[] => connections,
    connect({ clientId, personId, event, tenantIds }: XeroConsent): void {
      for (const tenantId of tenantIds) {
        const known = connections.find(
          (each) => each.clientId === clientId && each.personId === personId && each.tenantId === tenantId,
        )
        const id = guidOf(`${secret} ${clientId} ${personId} ${tenantId}`)
        if (known !== undefined) Object.assign(known, { event, updatedAt: now() })
        else connections.push({ id, clientId, personId, tenantId, event, createdAt: now(), updatedAt: now() })
      }
    },
    /** Returns whether there was one. */
    remove(which: (connection: XeroConnection) => boolean): boolean {
      const before = connections.length
      connections = connections.filter((connection) => !which(connection))
      return connections.length < before
    },
  }
}

function isCurrent({ turn, formerUntil }: TokenFamily, presentedTurn: number, now: number): boolean {
  return presentedTurn === turn || (presentedTurn === turn - 1 && now < formerUntil)
}

/** Deterministic for a text. */
export function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
