/** The built-in captcha: the browser computes a proof of work. No puzzle, no external service. */
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey as derive } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { PurposeKey, ServerKeys } from '../keys/server-keys.ts'
import { hashOf } from '../secrets/one-time-codes.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { Captcha } from './captcha.ts'

export interface ProofOfWorkCost {
  /** Iterations per attempt. */
  readonly cost: number
  /** Average number of attempts. */
  readonly tries: number
}

/** About 90 ms on a server core and half a second on a phone. */
const defaultCost: ProofOfWorkCost = { cost: 1_000, tries: 500 }
const lifeMs = 10 * 60_000

export interface ProofOfWorkOptions {
  readonly store: Store
  readonly clock: Clock
  readonly keys: ServerKeys
  readonly work?: ProofOfWorkCost | undefined
}

/** The widget's token: JSON in base64. */
const ProofOfWorkSolution = z.object({
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
type ProofOfWorkSolution = z.infer<typeof ProofOfWorkSolution>

export function openProofOfWork({ store, clock, keys, work = defaultCost }: ProofOfWorkOptions): Captcha {
  return {
    challenge: async () =>
      createChallenge({
        ...createSigner(await keys.newest('captcha')),
        algorithm: 'PBKDF2/SHA-256',
        cost: work.cost,
        counter: randomInt(Math.ceil(work.tries * 1.5), Math.ceil(work.tries / 2)),
        expiresAt: Math.floor((clock.now() + lifeMs) / 1_000),
      }),
    async require(token) {
      const solved = read(token)
      if (solved === null || solved.challenge.parameters.expiresAt * 1_000 <= clock.now())
        throw new ApiFault('captchaFailed')
      if (!(await isSolution(solved, await keys.all('captcha'))) || !(await markUsed(store, clock, solved)))
        throw new ApiFault('captchaFailed')
    },
  }
}

/** Signs the solution's key with a separate key, so that verification costs a hash instead of the work. */
function createSigner({ key }: PurposeKey) {
  const secret = key.toString('base64')
  return { deriveKey: derive, hmacSignatureSecret: secret, hmacKeySignatureSecret: `${secret} solution` }
}

/** Tries all keys, because keys may have been rotated since the challenge. */
async function isSolution(solved: ProofOfWorkSolution, keys: readonly PurposeKey[]): Promise<boolean> {
  for (const key of keys) if ((await verifySolution({ ...solved, ...createSigner(key) })).verified) return true
  return false
}

function read(token: string): ProofOfWorkSolution | null {
  try {
    return ProofOfWorkSolution.safeParse(JSON.parse(Buffer.from(token, 'base64').toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

/** Returns false if the challenge was used before. Deletes expired ones, which their age refuses anyway. */
function markUsed(store: Store, clock: Clock, { challenge }: ProofOfWorkSolution): Promise<boolean> {
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
