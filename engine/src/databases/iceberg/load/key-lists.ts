/** Lists of keys in local files, split by a hash of the key, so that keys of any number are compared with little memory. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const partitions = 64
const bufferLength = 32_768

/** One key as a line: `encodeRow` without its newline. */
export type KeyLine = string

class KeyFile {
  readonly #path: string
  #file: FileHandle | null = null
  #buffer: string[] = []
  #length = 0

  constructor(path: string) {
    this.#path = path
  }

  async add(key: KeyLine): Promise<void> {
    this.#buffer.push(key)
    this.#length += key.length + 1
    if (this.#length >= bufferLength) await this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#buffer.length === 0) return
    this.#file ??= await open(this.#path, 'a', 0o600)
    await this.#file.writeFile(`${this.#buffer.join('\n')}\n`)
    this.#buffer = []
    this.#length = 0
  }

  async *read(): AsyncGenerator<KeyLine> {
    if (this.#file === null) return yield* this.#buffer
    await this.#flush()
    yield* readLines(this.#path)
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}

export class KeyLists implements AsyncDisposable {
  readonly #folder: string
  readonly #files: readonly KeyFile[]

  private constructor(folder: string) {
    this.#folder = folder
    this.#files = Array.from({ length: partitions }, () => new KeyFile(join(folder, randomUUID())))
  }

  static async open(): Promise<KeyLists> {
    return new KeyLists(await mkdtemp(join(tmpdir(), 'tributary-keys-')))
  }

  async add(key: KeyLine): Promise<void> {
    await this.#files[hash(key) % partitions]?.add(key)
  }

  /** The keys of each partition; equal keys are in the same. */
  async *partitionsWith(other: KeyLists): AsyncGenerator<{ readonly own: Set<KeyLine>; readonly other: KeyFile }> {
    for (const [at, file] of this.#files.entries()) {
      const own = new Set<KeyLine>()
      for await (const key of file.read()) own.add(key)
      const second = other.#files[at]
      if (second !== undefined) yield { own, other: second }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#files) await file.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** FNV-1a of the UTF-16 units. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93)
  return value >>> 0
}

/** Splits at newlines only: other characters that end lines are in keys. */
async function* readLines(path: string): AsyncGenerator<KeyLine> {
  let rest = ''
  for await (const part of createReadStream(path, 'utf8')) {
    const lines = (rest + String(part)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
