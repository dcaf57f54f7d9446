/** Passwords: Argon2id, a few at a time, and the rule for new ones. */
import { availableParallelism } from 'node:os'
import { passwordMax } from '@tributary/contract/limits'
import { hash, verify } from '@node-rs/argon2'
import { isCommonPassword } from './common-passwords.ts'
import { ApiFault, badField } from './fault.ts'

/** OWASP's minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each takes 19 MiB and a core for some 20 ms. One core is left to everybody who is not signing in; more than four bring nothing. */
export const atOnceMax = Math.min(4, Math.max(1, availableParallelism() - 1))
export const waitingMax = 50
/** Shorter words of a name or an address stand in too many good passwords by chance. */
const ownWordMin = 4

export class Passwords {
  readonly #lengthMin: number
  readonly #waiting: (() => void)[] = []
  #running = 0
  /** Checked against where there is no such person, so that the answer takes as long. */
  #decoy: Promise<string> | undefined

  constructor(lengthMin: number) {
    this.#lengthMin = lengthMin
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password.normalize('NFKC'), cost))
  }

  /** False, after the same work, where there is no hash to compare with. Throws `tooMany` when too many wait already. */
  async matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    this.#decoy ??= hash('nobody has this password', cost)
    const stored = passwordHash ?? (await this.#decoy)
    const isMatch = await this.#inTurn(() => verify(stored, password.normalize('NFKC')))
    return isMatch && typeof passwordHash === 'string'
  }

  /** Whether it was hashed at a lower cost than passwords are today. */
  isOutdated(passwordHash: string): boolean {
    const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/u.exec(passwordHash) ?? []
    return Number(memory ?? 0) < cost.memoryCost || Number(time ?? 0) < cost.timeCost
  }

  /**
   * Refuses a password that is too easy, naming the field.
   * @param about what is known of the person: names, the e-mail address, the organisation.
   */
  requireGood(field: string, password: string, about: readonly string[] = []): void {
    const flaw = this.#flawOf(password.normalize('NFKC'), about)
    if (flaw !== null) throw badField(field, flaw)
  }

  #flawOf(password: string, about: readonly string[]): string | null {
    const length = [...password].length
    if (length < this.#lengthMin) return `must be at least ${this.#lengthMin} characters long`
    if (length > passwordMax) return `must be at most ${passwordMax} characters long`
    if (!/[^\p{L}\s]/u.test(password)) return 'must contain a number or a special character'
    if (isCommonPassword(password)) return 'is among the most common ones; choose another'
    const rest = withoutWords(password, [...about, 'tributary'])
    return [...rest].length < this.#lengthMin ? 'is too close to your name, address or organisation; choose another' : null
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= atOnceMax) await this.#queue()
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
  const words = about.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => [...word].length >= ownWordMin)
  // The longest first: it may hold a shorter one.
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase())
}
