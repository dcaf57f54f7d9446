/**
 * Access tokens: JWTs that name a session and expire after fifteen minutes. Their role is for the portal's display and
 * grants no right.
 */
import { accessTokenMs } from '@tributary/contract/limits'
import { jwtVerify, SignJWT, errors, type JWTHeaderParameters } from 'jose'
import * as z from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import type { Db } from '../../kernel/store/store.ts'

const AccessTokenClaims = z.object({
  /** The id of the session. */
  sid: z.uuid(),
  sub: z.uuid(),
  role: z.string(),
  roleLevel: z.number(),
  /** The organisation that the session works in. */
  org: z.uuid().nullable(),
})
type SessionClaims = z.infer<typeof AccessTokenClaims>

/** Distinguishes access tokens from anything else that is signed with a server key. */
const typ = 'at+jwt'
const audience = 'tributary'

export type AccessTokens = ReturnType<typeof createAccessTokens>

export function createAccessTokens(keys: ServerKeys, clock: Clock) {
  async function getKey({ kid }: JWTHeaderParameters): Promise<Buffer> {
    const key = await keys.find('access token', kid ?? null)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }

  return {
    /** Signs with the newest key, whose id is in the header. @param db the caller's transaction, if any. */
    async sign(claims: SessionClaims, db?: Db): Promise<string> {
      const { id, key } = await keys.newest('access token', db)
      const now = Math.floor(clock.now() / 1_000)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ, kid: id })
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + accessTokenMs / 1_000)
        .sign(key)
    },

    /**
     * Throws `notSignedIn` for a forged, changed or expired token, or a retired key. Must not run inside a transaction.
     */
    async verify(token: string): Promise<SessionClaims> {
      try {
        const currentDate = new Date(clock.now())
        const expected = { algorithms: ['HS256'], typ, audience, requiredClaims: ['exp'], currentDate }
        const { payload } = await jwtVerify(token, getKey, expected)
        return AccessTokenClaims.parse(payload)
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError)
          throw new ApiFault('notSignedIn', { cause: error })
        throw error
      }
    },
  }
}
