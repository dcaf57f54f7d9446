/** Who let which app into which company: apps, people, codes, tokens and the connections that come of them. */
import { createHash, randomUUID } from 'node:crypto'
import { sealed, signedJwt, unsealed } from './jwt.ts'

export interface Person {
  /** What ID tokens call `xero_userid`. */
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

export interface App {
  readonly clientId: string
  readonly clientSecret: string
  /** The only company of a custom connection, which signs in by itself. */
  readonly tenantId: string | null
}

/** What somebody allowed. */
export interface Consent {
  readonly clientId: string
  /** Null for a custom connection. */
  readonly personId: string | null
  readonly scopes: readonly string[]
  readonly event: string
  readonly tenantIds: readonly string[]
}

export interface Connection {
  readonly id: string
  readonly clientId: string
  readonly personId: string | null
  readonly tenantId: string
  readonly createdAt: number
  event: string
  updatedAt: number
}

/** The refresh tokens that follow each other; each is the number of its turn, sealed. */
interface Family {
  readonly consent: Consent
  turn: number
  formerUntil: number
  usedAt: number
  isDead: boolean
}

interface RefreshToken {
  readonly family: string
  readonly turn: number
  readonly consent: Consent
}

export interface Granted {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface Grants {
  readonly connections: readonly Connection[]
  /** The first tokens after a consent, and its connections. */
  grant(consent: Consent): Granted
  /** The next tokens; null where the refresh token is dead, unknown or of another app. */
  renew(refreshToken: string, clientId: string): { readonly consent: Consent; readonly granted: Granted } | null
  /** Whose the access token is; null where it is unknown or has run out. */
  consentOf(accessToken: string): Consent | null
  disconnect(which: (connection: Connection) => boolean): boolean
  /** All that a person allowed ends. */
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
}): Grants {
  const families = new Map<string, Family>()
  const accessTokens = accessTokenBook(now, issuer)
  const book = connectionBook(now, secret)

  const refreshToken = (family: string, turn: number, consent: Consent): string =>
    sealed({ family, turn, consent }, secret)

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
      const told = unsealed(token, secret) as RefreshToken | undefined
      if (told === undefined || told.consent.clientId !== clientId) return null
      const family = families.get(told.family) ?? adopt(told)
      if (family.isDead || now() - family.usedAt > unusedMs || !isCurrent(family, told.turn, now())) return null
      if (told.turn === family.turn) Object.assign(family, { turn: family.turn + 1, formerUntil: now() + graceMs })
      family.usedAt = now()
      const { consent, turn } = family
      return {
        consent,
        granted: { accessToken: accessTokens.issue(consent), refreshToken: refreshToken(told.family, turn, consent) },
      }
    },
    consentOf: accessTokens.consentOf,
    disconnect: (which) => book.remove(which),
    revoke(personId) {
      book.remove((connection) => connection.personId === personId)
      for (const family of families.values()) if (family.consent.personId === personId) family.isDead = true
    },
  }

  /** A token from before the simulator was started anew is taken as it comes, or no demonstration would outlive a restart. */
  function adopt({ family: id, turn, consent }: RefreshToken): Family {
    const family = { consent, turn, formerUntil: 0, usedAt: now(), isDead: false }
    families.set(id, family)
    book.connect(consent)
    return family
  }
}

function accessTokenBook(now: () => number, issuer: () => string) {
  const tokens = new Map<string, { readonly consent: Consent; readonly until: number }>()
  return {
    issue(consent: Consent): string {
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
    consentOf(token: string): Consent | null {
      const found = tokens.get(token)
      return found === undefined || found.until <= now() ? null : found.consent
    },
  }
}

function connectionBook(now: () => number, secret: string) {
  let connections: Connection[] = []
  return {
    list: (): readonly Connection[] => connections,
    connect({ clientId, personId, event, tenantIds }: Consent): void {
      for (const tenantId of tenantIds) {
        const known = connections.find(
          (each) => each.clientId === clientId && each.personId === personId && each.tenantId === tenantId,
        )
        const id = guidOf(`${secret} ${clientId} ${personId} ${tenantId}`)
        if (known !== undefined) Object.assign(known, { event, updatedAt: now() })
        else connections.push({ id, clientId, personId, tenantId, event, createdAt: now(), updatedAt: now() })
      }
    },
    /** Whether there was one. */
    remove(which: (connection: Connection) => boolean): boolean {
      const before = connections.length
      connections = connections.filter((connection) => !which(connection))
      return connections.length < before
    },
  }
}

function isCurrent({ turn, formerUntil }: Family, told: number, now: number): boolean {
  return told === turn || (told === turn - 1 && now < formerUntil)
}

/** Always the same for a text. */
export function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
