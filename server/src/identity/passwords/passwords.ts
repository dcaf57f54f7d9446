/** Passwords: Argon2id with a pepper that is not in the store, a few at a time; and the rule for new ones. */
import { availableParallelism } from 'node:os'
import { passwordMax } from '@tributary/contract/limits'
import { hash, verify } from '@node-rs/argon2'
import type { IsBreached } from './breached-passwords.ts'
import { isCommonPassword } from './common-passwords.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'

/** OWASP's minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each takes 19 MiB and a core for some 20 ms. One core is left to everybody who is not signing in; more than four bring nothing. */
export const concurrentHashesMax = Math.min(4, Math.max(1, availableParallelism() - 1))
export const waitingMax = 50
/** Shorter words of a name or an address stand in too many good passwords by chance. */
const ownWordMin = 4

/** A hash begins with the id of its pepper; without one it is from before there were any. */
const peppered = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\$.+)$/u

/** What a password is compared with. */
interface ParsedPasswordHash {
  readonly hash: string
  readonly secret?: Buffer
}

export class Passwords {
  readonly #lengthMin: number
  readonly #keys: Pick<ServerKeys, 'newest' | 'find'>
  readonly #isBreached: IsBreached
  readonly #waiting: (() => void)[] = []
  #running = 0
  /** Checked against where there is no such person, so that the answer takes as long. */
  #decoy: Promise<ParsedPasswordHash> | undefined

  /** @param isBreached asked last, for it may be far away. */
  constructor(
    lengthMin: number,
    keys: Pick<ServerKeys, 'newest' | 'find'>,
    isBreached: IsBreached = async () => false,
  ) {
    this.#lengthMin = lengthMin
    this.#keys = keys
    this.#isBreached = isBreached
  }

  /** With the newest pepper. Not inside a transaction. */
  async hash(password: string): Promise<string> {
    const { id, key: secret } = await this.#keys.newest('password')
    return id + (await this.#inTurn(() => hash(password.normalize('NFKC'), { ...cost, secret })))
  }

  /** False, after the same work, where there is no hash to compare with. Throws `tooMany` when too many wait already. */
  async matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const stored = typeof passwordHash === 'string' ? await this.#readable(passwordHash) : undefined
    this.#decoy ??= this.#makeDecoy().catch((error: unknown) => {
      this.#decoy = undefined
      throw error
    })
    const { hash: compared, secret } = stored ?? (await this.#decoy)
    const isMatch = await this.#inTurn(() =>
      verify(compared, password.normalize('NFKC'), secret === undefined ? {} : { secret }),
    )
    return isMatch && stored !== undefined
  }

  /** Whether it was hashed at a lower cost than passwords are today, or with another pepper than the newest. */
  async isOutdated(passwordHash: string): Promise<boolean> {
    const [, pepper, phc = ''] = peppered.exec(passwordHash) ?? []
    if (pepper !== (await this.#keys.newest('password')).id) return true
    const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/u.exec(phc) ?? []
    return Number(memory ?? 0) < cost.memoryCost || Number(time ?? 0) < cost.timeCost
  }

  /**
   * Refuses a password that is too easy, naming the field. Not inside a transaction.
   * @param about what is known of the person: names, the e-mail address, the organisation.
   */
  async requireGood(field: string, password: string, about: readonly string[] = []): Promise<void> {
    const flaw = this.#flawOf(password.normalize('NFKC'), about)
    if (flaw !== null) throw badField(field, flaw)
    // As it was typed: the lists are made of what was stolen.
    if (await this.#isBreached(password))
      throw badField(field, 'is known from a breach elsewhere, where it was stolen; choose another')
  }

  /** Undefined where its pepper is retired: then it matches nothing, and its owner sets another one by mail. */
  async #readable(passwordHash: string): Promise<ParsedPasswordHash | undefined> {
    const [, pepper, phc] = peppered.exec(passwordHash) ?? []
    if (pepper === undefined || phc === undefined) return { hash: passwordHash }
    const secret = await this.#keys.find('password', pepper)
    return secret === undefined ? undefined : { hash: phc, secret }
  }

  async #makeDecoy(): Promise<ParsedPasswordHash> {
    const { key: secret } = await this.#keys.newest('password')
    return { hash: await hash('nobody has this password', { ...cost, secret }), secret }
  }

  #flawOf(password: string, about: readonly string[]): string | null {
    const length = [...password].length
    if (length < this.#lengthMin) return `must be at least ${this.#lengthMin} characters long`
    if (length > passwordMax) return `must be at most ${passwordMax} characters long`
    if (!/[^\p{L}\s]/u.test(password)) return 'must contain a number or a special character'
    if (isCommonPassword(password)) return 'is among the most common ones; choose another'
    const rest = withoutWords(password, [...about, 'tributary'])
    return [...rest].length < this.#lengthMin
      ? 'is too close to your name, address or organisation; choose another'
      : null
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= concurrentHashesMax) await this.#queue()
    else this.#running += 1
    try {
      return await work()
    } finally {
      // The place passes to whoever waits longest; only where nobody does is it free.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #queue(): Promise<void> {
    if (this.#waiting.length >= waitingMax) throw new ApiFault('tooMany', { values: { seconds: 5 } })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

/** What is left when everything that a stranger could guess of the person is taken away. */
function withoutWords(password: string, about: readonly string[]): string {
  const words = about
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => [...word].length >= ownWordMin)
  // The longest first: it may hold a shorter one.
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase())
}
