/** The master keys: they wrap every other key, and never stand in the store. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Fault } from '@tributary/engine/ports/faults'

export interface MasterKeys {
  readonly current: Buffer
  /** Others, which open what they wrapped: former ones, or one that is to come. */
  readonly old: readonly Buffer[]
  /** Where they were read from; it is read again when a key turns up that is not among these. */
  readonly file?: string | undefined
}

/** Names a master key without telling it: a positive 31-bit number of its hash, so nobody has to number keys by hand. */
export function keyVersion(key: Buffer): number {
  return createHash('sha256').update('tributary key version').update(key).digest().readUInt32BE(0) >>> 1
}

/** What is stored was wrapped by a master key that this process does not have. */
export class WrongMasterKey extends Fault {
  constructor() {
    super('passing', {
      code: 'keys.master_missing',
      notice:
        'The master key that the stored secrets were sealed with is missing. Whoever runs this server must add it; then it goes on.',
    })
  }
}

/** The master keys as a running process has them: a key that is added to their file is found without a restart. */
export class Masters {
  /** Undefined where they were given in the environment. */
  readonly file: string | undefined
  /** By version. One that was taken out of the file stays known until the process ends. */
  readonly #known = new Map<number, Buffer>()
  #current: Buffer

  constructor({ current, old, file }: MasterKeys) {
    this.file = file
    this.#current = current
    for (const key of [current, ...old]) this.#known.set(keyVersion(key), key)
  }

  /** What wraps from now on. Asked rarely, so the file is looked at each time: nothing new is wrapped by a key that is about to go. */
  wrapping(): { readonly key: Buffer; readonly version: number } {
    this.#read()
    return { key: this.#current, version: keyVersion(this.#current) }
  }

  /** Throws `WrongMasterKey`. */
  opening(version: number): Buffer {
    if (!this.#known.has(version)) this.#read()
    const key = this.#known.get(version)
    if (key === undefined) throw new WrongMasterKey()
    return key
  }

  /** The versions of all that open. */
  versions(): readonly number[] {
    this.#read()
    return [...this.#known.keys()]
  }

  /** A file that is being replaced may be missing or half written for a moment: then what is known holds. */
  #read(): void {
    if (this.file === undefined) return
    const keys = readLines(this.file).map(parseMasterKey)
    const [current] = keys
    if (!(current instanceof Buffer) || keys.some((key) => typeof key === 'string')) return
    this.#current = current
    for (const key of keys) if (typeof key !== 'string') this.#known.set(keyVersion(key), key)
  }
}

function readLines(file: string): readonly string[] {
  try {
    return linesOf(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

/** A key a line: the first wraps, the others only open. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const makeOne = 'Make one with: openssl rand -base64 32'

/** The key, or the end of a sentence that says what is wrong with it. */
export function parseMasterKey(text: string): Buffer | string {
  const key = Buffer.from(text, 'base64')
  const isWhole = key.length === 32 && key.toString('base64').replace(/=+$/u, '') === text.replace(/=+$/u, '')
  if (!isWhole) return `must be 32 bytes in base64. ${makeOne}`
  return isGuessable(key) ? `is not random. ${makeOne}` : key
}

/** 32 random bytes have some 30 different values; a sample, a repeated word or typed text has fewer, or is all letters. */
function isGuessable(key: Buffer): boolean {
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  const steps = new Set(key.map((byte, at) => (byte - (key[at - 1] ?? 0)) & 0xff))
  return isText || new Set(key).size < 20 || steps.size < 12
}
