/** Object storage in a local folder, for trials. Refuses every location outside of the folder. */
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  type ByteRange,
  type ObjectContent,
  ObjectNotFoundError,
  type ObjectStorage,
  type StoredObject,
} from './storage.ts'

export class LocalStorage implements ObjectStorage {
  readonly #folder: string

  /** @param folder the only folder that it reads and writes; it must exist */
  private constructor(folder: string) {
    this.#folder = folder
  }

  static async open(folder: string): Promise<LocalStorage> {
    await mkdir(folder, { recursive: true })
    return new LocalStorage(await realpath(folder))
  }

  /** The location of the folder, without a slash at the end. */
  get root(): string {
    return pathToFileURL(this.#folder).href
  }

  async read(location: string, range?: ByteRange): Promise<Uint8Array> {
    await using file = await this.#openExisting(location)
    if (range === undefined) return file.readFile()
    const buffer = Buffer.alloc(range.length)
    const { bytesRead } = await file.read(buffer, 0, range.length, range.offset)
    return buffer.subarray(0, bytesRead)
  }

  async size(location: string): Promise<number> {
    await using file = await this.#openExisting(location)
    return (await file.stat()).size
  }

  async write(location: string, content: ObjectContent): Promise<number> {
    return this.#writeTo(location, content, rename)
  }

  /** Writes an object unless one of that name exists. Returns false, and changes nothing, if it does. */
  async create(location: string, content: Uint8Array): Promise<boolean> {
    try {
      // A hard link is created only if the name is free, unlike a rename, which replaces.
      await this.#writeTo(location, content, link)
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    }
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const path = this.#pathOf(prefix)
    const folder = prefix.endsWith('/') ? path : dirname(path)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing)
    for (const entry of entries ?? []) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      const location = pathToFileURL(file).href
      const info = location.startsWith(prefix) ? await stat(file).catch(ignoreMissing) : undefined
      if (info !== undefined) yield { location, size: info.size, modifiedAt: info.mtime }
    }
  }

  async delete(locations: readonly string[]): Promise<void> {
    for (const location of locations) await rm(this.#pathOf(location), { force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #writeTo(
    location: string,
    content: ObjectContent,
    publish: (from: string, to: string) => Promise<void>,
  ): Promise<number> {
    const path = this.#pathOf(location)
    await mkdir(dirname(path), { recursive: true })
    const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
    try {
      const size = await writeDurably(temporary, content)
      await publish(temporary, path)
      return size
    } finally {
      await rm(temporary, { force: true })
    }
  }

  async #openExisting(location: string) {
    try {
      return await open(this.#pathOf(location), 'r')
    } catch (error) {
      throw hasCode(error, 'ENOENT') ? new ObjectNotFoundError(location) : error
    }
  }

  #pathOf(location: string): string {
    const path = resolve(fileURLToPath(location))
    if (path !== this.#folder && !path.startsWith(this.#folder + sep))
      throw new Error(`The location ${location} is outside of the folder.`)
    return path
  }
}

async function writeDurably(path: string, content: ObjectContent): Promise<number> {
  await using file = await open(path, 'wx')
  let size = 0
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    await file.writeFile(part)
    size += part.length
  }
  await file.sync()
  return size
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
