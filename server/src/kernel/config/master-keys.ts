/** The master keys of the envelope encryption: they wrap all other keys and are never stored in the database. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Fault } from '@tributary/engine/ports/faults'

export interface MasterKeys {
  readonly current: Buffer
  /** Further keys, which only unwrap: former ones, or the next one before a rotation. */
  readonly old: readonly Buffer[]
  /** The file that holds them. It is read again when a wrapped key needs a master key that is not known yet. */
  readonly file?: string | undefined
}

/** Identifies a master key without revealing it: the first 31 bits of its hash, so that operators need not number keys. */
export function keyVersion(key: Buffer): number {
  return createHash('sha256').update('tributary key version').update(key).digest().readUInt32BE(0) >>> 1
}

/** Thrown if a stored key was wrapped by a master key that this process does not have. */
export class WrongMasterKey extends Fault {
  constructor() {
    super('passing', {
      code: 'keys.master_missing',
      notice:
        'The master key that encrypted the stored secrets is missing. They are intact. The operator of this server must add the key; then work continues.',
    })
  }
}

export type MasterKeyRing = ReturnType<typeof createMasterKeyRing>

/**
 * The master keys of a running process. A key that is added to the file is found without a restart.
 * @param keys without a file if they come from the environment
 */
export function createMasterKeyRing({ current: first, old, file }: MasterKeys) {
  let current = first
  /** By version. A key that is removed from the file stays known until the process ends. */
  const known = new Map([current, ...old].map((key) => [keyVersion(key), key]))

  /** A file that is being replaced may be missing or incomplete for a moment. The known keys are used meanwhile. */
  function readFile(): void {
    if (file === undefined) return
    const parsed = readLines(file).map(parseMasterKey)
    const keys = parsed.filter((key) => typeof key !== 'string')
    const [newest] = keys
    if (newest === undefined || keys.length < parsed.length) return
    current = newest
    for (const key of keys) known.set(keyVersion(key), key)
  }

  return {
    file,

    /** The key that wraps new keys. Reads the file each time, so that nothing is wrapped by a key that is being retired; calls are rare. */
    wrappingKey(): { readonly key: Buffer; readonly version: number } {
      readFile()
      return { key: current, version: keyVersion(current) }
    },

    /** Throws `WrongMasterKey`. */
    unwrappingKey(version: number): Buffer {
      if (!known.has(version)) readFile()
      const key = known.get(version)
      if (key === undefined) throw new WrongMasterKey()
      return key
    },

    /** The versions of all keys that can unwrap. */
    versions(): readonly number[] {
      readFile()
      return [...known.keys()]
    },
  }
}

function readLines(file: string): readonly string[] {
  try {
    return listKeyLines(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

/** One key per line: the first wraps, the others only unwrap. */
export function listKeyLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const makeOne = 'Make one with: openssl rand -base64 32'

/** Returns the key, or the end of a sentence that says what is wrong with it. */
export function parseMasterKey(text: string): Buffer | string {
  const key = Buffer.from(text, 'base64')
  const isWhole = key.length === 32 && key.toString('base64').replace(/=+$/u, '') === text.replace(/=+$/u, '')
  if (!isWhole) return `must be 32 bytes in base64. ${makeOne}`
  return isGuessable(key) ? `is not random. ${makeOne}` : key
}

/** 32 random bytes have about 30 different values. A sample, a repeated word or typed text has fewer, or only letters. */
function isGuessable(key: Buffer): boolean {
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  const steps = new Set(key.map((byte, at) => (byte - (key[at - 1] ?? 0)) & 0xff))
  return isText || new Set(key).size < 20 || steps.size < 12
}
