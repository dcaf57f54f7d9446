/** Access tokens: JWTs of fifteen minutes that name a session. What they say of a role informs the portal and grants nothing. */
import { accessTokenMs } from '@tributary/contract/limits'
import { jwtVerify, SignJWT, errors } from 'jose'
import * as z from 'zod'
import type { Clock } from './clock.ts'
import { ApiFault } from './fault.ts'

const Claims = z.object({
  /** The session. */
  sid: z.uuid(),
  sub: z.uuid(),
  role: z.string(),
  roleLevel: z.number(),
  /** The organisation it speaks for. */
  org: z.uuid().nullable(),
})
export type Claims = z.infer<typeof Claims>

/** What else is signed with a key of ours is no access token. */
const typ = 'at+jwt'
const audience = 'tributary'

export class AccessTokens {
  readonly #key: Buffer
  readonly #clock: Clock

  constructor(key: Buffer, clock: Clock) {
    this.#key = key
    this.#clock = clock
  }

  sign(claims: Claims): Promise<string> {
    const now = Math.floor(this.#clock.now() / 1_000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ })
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + accessTokenMs / 1_000)
      .sign(this.#key)
  }

  /** Throws `notSignedIn` for a token that is not ours, was changed or has expired. */
  async verify(token: string): Promise<Claims> {
    try {
      const expected = { algorithms: ['HS256'], typ, audience, currentDate: new Date(this.#clock.now()) }
      const { payload } = await jwtVerify(token, this.#key, expected)
      return Claims.parse(payload)
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw new ApiFault('notSignedIn', { cause: error })
      throw error
    }
  }
}
