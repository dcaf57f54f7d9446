/** Our own captcha: the browser computes for a moment, nobody solves a puzzle, and nothing is asked of anybody else. */
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey as derive } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { PurposeKey, ServerKeys } from '../keys/server-keys.ts'
import { hashOf } from '../secrets/one-time-codes.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { Captcha } from './captcha.ts'

export interface Work {
  /** Iterations of one try. */
  readonly cost: number
  /** Tries it takes on average. */
  readonly tries: number
}

/** Some 90 ms of a server's core, and about half a second of a telephone's. */
const usualWork: Work = { cost: 1_000, tries: 500 }
const lifeMs = 10 * 60_000

interface Options {
  readonly store: Store
  readonly clock: Clock
  readonly keys: ServerKeys
  readonly work?: Work | undefined
}

/** What the widget hands in, as JSON in base64. */
const Solved = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      expiresAt: z.number(),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})
type Solved = z.infer<typeof Solved>

export function openProofOfWork({ store, clock, keys, work = usualWork }: Options): Captcha {
  return {
    challenge: async () =>
      createChallenge({
        ...signingBy(await keys.newest('captcha')),
        algorithm: 'PBKDF2/SHA-256',
        cost: work.cost,
        counter: randomInt(Math.ceil(work.tries * 1.5), Math.ceil(work.tries / 2)),
        expiresAt: Math.floor((clock.now() + lifeMs) / 1_000),
      }),
    async require(token) {
      const solved = read(token)
      if (solved === null || solved.challenge.parameters.expiresAt * 1_000 <= clock.now())
        throw new ApiFault('captchaFailed')
      if (!(await isSolution(solved, await keys.all('captcha'))) || !(await useUp(store, clock, solved)))
        throw new ApiFault('captchaFailed')
    },
  }
}

/** The key of a solution is signed with a key of its own, so that verifying costs a hash and not the work again. */
function signingBy({ key }: PurposeKey) {
  const secret = key.toString('base64')
  return { deriveKey: derive, hmacSignatureSecret: secret, hmacKeySignatureSecret: `${secret} solution` }
}

/** By whichever key was the newest when the browser was asked. */
async function isSolution(solved: Solved, keys: readonly PurposeKey[]): Promise<boolean> {
  for (const key of keys) if ((await verifySolution({ ...solved, ...signingBy(key) })).verified) return true
  return false
}

function read(token: string): Solved | null {
  try {
    return Solved.safeParse(JSON.parse(Buffer.from(token, 'base64').toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

/** False for a challenge that was handed in before. Those that have expired are forgotten: their age refuses them. */
function useUp(store: Store, clock: Clock, { challenge }: Solved): Promise<boolean> {
  const row = { challengeHash: hashOf(challenge.signature), expiresAt: isoTime(challenge.parameters.expiresAt * 1_000) }
  // Across: visitors belong to no organisation.
  return store.across(async (db) => {
    await db.deleteFrom('captchaUsed').where('expiresAt', '<=', isoTime(clock.now())).execute()
    const { numInsertedOrUpdatedRows: added } = await db
      .insertInto('captchaUsed')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return added === 1n
  })
}
