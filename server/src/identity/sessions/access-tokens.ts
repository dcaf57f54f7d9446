/** Access tokens: JWTs of fifteen minutes that name a session. What they say of a role informs the portal and grants nothing. */
import { accessTokenMs } from '@tributary/contract/limits'
import { jwtVerify, SignJWT, errors, type JWTHeaderParameters } from 'jose'
import * as z from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import type { Db } from '../../kernel/store/store.ts'

const AccessTokenClaims = z.object({
  /** The session. */
  sid: z.uuid(),
  sub: z.uuid(),
  role: z.string(),
  roleLevel: z.number(),
  /** The organisation it speaks for. */
  org: z.uuid().nullable(),
})
export type Claims = z.infer<typeof AccessTokenClaims>

/** What else is signed with a key of ours is no access token. */
const typ = 'at+jwt'
const audience = 'tributary'

export class AccessTokens {
  readonly #keys: ServerKeys
  readonly #clock: Clock

  constructor(keys: ServerKeys, clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  /** By the newest key, which the token names. @param db of the caller's transaction, where there is one. */
  async sign(claims: Claims, db?: Db): Promise<string> {
    const { id, key } = await this.#keys.newest('access token', db)
    const now = Math.floor(this.#clock.now() / 1_000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ, kid: id })
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + accessTokenMs / 1_000)
      .sign(key)
  }

  /** Throws `notSignedIn` for a token that is not ours, was changed, has expired, or whose key is retired. Not inside a transaction. */
  async verify(token: string): Promise<Claims> {
    try {
      const currentDate = new Date(this.#clock.now())
      const expected = { algorithms: ['HS256'], typ, audience, requiredClaims: ['exp'], currentDate }
      const { payload } = await jwtVerify(token, ({ kid }: JWTHeaderParameters) => this.#keyOf(kid ?? ''), expected)
      return AccessTokenClaims.parse(payload)
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof z.ZodError)
        throw new ApiFault('notSignedIn', { cause: error })
      throw error
    }
  }

  async #keyOf(kid: string): Promise<Buffer> {
    const key = await this.#keys.find('access token', kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
}
