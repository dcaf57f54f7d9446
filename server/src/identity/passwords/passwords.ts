/**
 * Hashes passwords by Argon2id with a pepper that is not in the store, limits concurrent hashes, and validates new
 * passwords.
 */
import { availableParallelism } from 'node:os'
import { passwordMax } from '@tributary/contract/limits'
import { hash, verify } from '@node-rs/argon2'
import type { IsBreached } from './breached-passwords.ts'
import { isCommonPassword } from './common-passwords.ts'
import { limitConcurrency } from '../../kernel/concurrency-limit.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'

/** `memoryCost` in KiB, `timeCost` in iterations. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's minimum for Argon2id: 19 MiB, two iterations, parallelism 1. */
export const owaspMinimum: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Each hash takes 19 MiB and a core for about 20 ms. Leaves one core for other requests; more than four gain nothing.
 */
export const concurrentHashesMax = Math.min(4, Math.max(1, availableParallelism() - 1))
export const queuedHashesMax = 50
/** Shorter words of a name or an address occur by chance in too many good passwords. */
const personalWordMin = 4

/** A stored hash begins with the id of its pepper. Hashes of early releases have none. */
const pepperedHash = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\$.+)$/u

/** A PHC string and the pepper to verify it with. */
interface ParsedPasswordHash {
  readonly hash: string
  readonly secret?: Buffer
}

type PepperKeys = Pick<ServerKeys, 'newest' | 'find'>

export type Passwords = ReturnType<typeof openPasswords>

/** @param isBreached called last, because it may be a remote request. */
export function openPasswords(
  lengthMin: number,
  keys: PepperKeys,
  isBreached: IsBreached = async () => false,
  cost = owaspMinimum,
) {
  const limited = limitConcurrency(concurrentHashesMax, queuedHashesMax)
  /** Verified when the person does not exist, so that the response takes equally long. */
  let dummyHash: Promise<ParsedPasswordHash> | undefined
  return {
    /** Hashes with the newest pepper. Must not run inside a transaction. */
    async hash(password: string): Promise<string> {
      const { id, key: secret } = await keys.newest('password')
      return id + (await limited(() => hash(password.normalize('NFKC'), { ...cost, secret })))
    },

    /** Without a hash returns false in the same time. Throws `tooMany` if too many calls are queued. */
    async matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
      const stored = typeof passwordHash === 'string' ? await parseHash(keys, passwordHash) : undefined
      dummyHash ??= createDummyHash(keys, cost).catch((error: unknown) => {
        dummyHash = undefined
        throw error
      })
      const { hash: compared, secret } = stored ?? (await dummyHash)
      const isMatch = await limited(() =>
        verify(compared, password.normalize('NFKC'), secret === undefined ? {} : { secret }),
      )
      return isMatch && stored !== undefined
    },

    /** Whether the hash has a lower cost than new ones, or another pepper than the newest. */
    async isOutdated(passwordHash: string): Promise<boolean> {
      const [, pepper, phc = ''] = pepperedHash.exec(passwordHash) ?? []
      if (pepper !== (await keys.newest('password')).id) return true
      const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/u.exec(phc) ?? []
      return Number(memory ?? 0) < cost.memoryCost || Number(time ?? 0) < cost.timeCost
    },

    /**
     * Throws `badInput` for a weak password. Must not run inside a transaction.
     * @param about what is known about the person: names, the email address, the organisation.
     */
    async requireStrong(field: string, password: string, about: readonly string[] = []): Promise<void> {
      const flaw = findFlaw(password.normalize('NFKC'), lengthMin, about)
      if (flaw !== null) throw badField(field, flaw)
      // Not normalised, because the lists contain passwords as they were typed.
      if (await isBreached(password)) throw badField(field, 'is known from a data breach; choose another')
    },
  }
}

/**
 * Undefined if the pepper is retired. Then the hash matches nothing, and its owner must reset the password by email.
 */
async function parseHash(keys: PepperKeys, passwordHash: string): Promise<ParsedPasswordHash | undefined> {
  const [, pepper, phc] = pepperedHash.exec(passwordHash) ?? []
  if (pepper === undefined || phc === undefined) return { hash: passwordHash }
  const secret = await keys.find('password', pepper)
  return secret === undefined ? undefined : { hash: phc, secret }
}

async function createDummyHash(keys: PepperKeys, cost: PasswordCost): Promise<ParsedPasswordHash> {
  const { key: secret } = await keys.newest('password')
  return { hash: await hash('dummy password', { ...cost, secret }), secret }
}

function findFlaw(password: string, lengthMin: number, about: readonly string[]): string | null {
  const length = [...password].length
  if (length < lengthMin) return `must be at least ${lengthMin} characters long`
  if (length > passwordMax) return `must be at most ${passwordMax} characters long`
  if (!/[^\p{L}\s]/u.test(password)) return 'must contain a number or a special character'
  if (isCommonPassword(password)) return 'is among the most common ones; choose another'
  const rest = withoutWords(password, [...about, 'tributary'])
  return [...rest].length < lengthMin ? 'is too close to your name, address or organisation; choose another' : null
}

/** The password without words that a stranger could know about the person. */
function withoutWords(password: string, about: readonly string[]): string {
  const words = about
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => [...word].length >= personalWordMin)
  // The longest first, because it may contain a shorter one.
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase())
}
