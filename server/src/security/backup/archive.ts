/** The archive format of backups: an encrypted, compressed tar of COPY text with a signed manifest at the end. */
import { createHash, type Hash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { countRows } from '@tributary/engine/encoding/copy-text'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import {
  type ArchiveHeader,
  hasValidSignature,
  type ArchiveManifest,
  parseHeader,
  parseManifest,
  signManifest,
  sha256,
} from './manifest.ts'
import { BackupRefused, damaged } from './backup-refused.ts'
import { type EncryptionRecipients, encryptStream, type DecryptionKey, decryptStream } from './age-encryption.ts'
import { InvalidTar, readTar, type TarEntry, tarEnd, tarEntry } from './tar.ts'

const names = { about: 'about.json', manifest: 'manifest.json', seal: 'manifest.seal' } as const
const partBytes = 1_048_576

export interface ArchiveContents {
  readonly about: ArchiveHeader
  /** The rows of a table of `about` as COPY text, in chunks of any size. */
  readonly rows: (table: string) => AsyncIterable<Buffer>
}

export interface ArchiveFigures {
  readonly rows: number
  readonly bytes: number
}

/** Writes the archive and ends `to`. Memory use is constant. */
export async function writeArchive(
  { about, rows }: ArchiveContents,
  lock: EncryptionRecipients,
  keys: MasterKeys,
  to: Writable,
): Promise<ArchiveFigures> {
  const written = { rows: 0, bytes: 0 }
  async function* entries(): AsyncGenerator<Buffer> {
    const first = Buffer.from(JSON.stringify(about))
    yield* tarEntry({ name: names.about, bytes: first })
    const figures = new FigureCounter()
    for (const { name } of about.tables) yield* tableEntries(name, rows(name), figures)
    const last = Buffer.from(JSON.stringify({ about: sha256(first), tables: figures.sums() } satisfies ArchiveManifest))
    yield* tarEntry({ name: names.manifest, bytes: last })
    yield* tarEntry({ name: names.seal, bytes: signManifest(last, keys) })
    yield tarEnd
    written.rows = figures.rows
  }
  const gzip = createGzip({ level: 4 })
  const sealed = await encryptStream(Readable.toWeb(gzip) as ReadableStream<Uint8Array>, lock)
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      written.bytes += chunk.length
      yield chunk
    }
  }
  await Promise.all([pipeline(entries, gzip), pipeline(Readable.fromWeb(sealed), counted, to)])
  return written
}

async function* tableEntries(
  table: string,
  rows: AsyncIterable<Buffer>,
  figures: FigureCounter,
): AsyncGenerator<Buffer> {
  let number = 0
  for await (const bytes of copyInChunks(rows)) {
    number += 1
    figures.add(table, bytes)
    yield* tarEntry({ name: `tables/${table}/${String(number).padStart(8, '0')}.copy`, bytes })
  }
  figures.add(table, Buffer.alloc(0))
}

/** Copies the chunks, because the driver reuses their memory. */
async function* copyInChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    held.push(Buffer.from(piece))
    size += piece.length
    if (size < partBytes) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

/** Counts the rows and computes the SHA-256 of each table. */
class FigureCounter {
  readonly #tables = new Map<string, { rows: number; hash: Hash }>()

  add(table: string, bytes: Buffer): void {
    const known = this.#tables.get(table) ?? { rows: 0, hash: createHash('sha256') }
    known.rows += countRows(bytes)
    known.hash.update(bytes)
    this.#tables.set(table, known)
  }

  get rows(): number {
    return this.#tables.values().reduce((sum, { rows }) => sum + rows, 0)
  }

  sums(): ArchiveManifest['tables'] {
    return Object.fromEntries(
      this.#tables.entries().map(([name, { rows, hash }]) => [name, { rows, sha256: hash.copy().digest('hex') }]),
    )
  }
}

export type ArchivePiece =
  | { readonly kind: 'about'; readonly about: ArchiveHeader }
  | { readonly kind: 'rows'; readonly table: string; readonly bytes: Buffer }
  | { readonly kind: 'end'; readonly manifest: ArchiveManifest }

/**
 * Yields the contents of the archive in order, and `end` only after all checksums and the signature are verified. Throws
 * `BackupRefused` if the file is no backup, `unlock` does not decrypt it, it was changed or truncated, or no key matches.
 */
export async function* readArchive(
  source: Readable,
  unlock: DecryptionKey,
  keys: MasterKeys,
): AsyncGenerator<ArchivePiece> {
  try {
    const clear = await decryptStream(Readable.toWeb(source) as ReadableStream<Uint8Array>, unlock)
    const unpacked = createGunzip()
    const unpacking = pipeline(Readable.fromWeb(clear), unpacked)
    unpacking.catch(() => undefined)
    yield* verifyEntries(readTar(unpacked), keys)
    await unpacking
  } catch (error) {
    throw error instanceof BackupRefused || !isDamagedArchive(error)
      ? error
      : damaged('it was changed, or ends too early')
  } finally {
    source.destroy()
  }
}

/** Errors of the file system are not damage of the archive and are rethrown. */
function isDamagedArchive(error: unknown): boolean {
  return error instanceof InvalidTar || !(error as NodeJS.ErrnoException).syscall
}

async function* verifyEntries(entries: AsyncIterable<TarEntry>, keys: MasterKeys): AsyncGenerator<ArchivePiece> {
  const figures = new FigureCounter()
  const found: { about?: Buffer; manifest?: Buffer; seal?: Buffer } = {}
  const tables: string[] = []
  for await (const { name, bytes } of entries) {
    if (name === names.about) {
      const about = parseHeader(bytes)
      found.about = bytes
      for (const table of about.tables) {
        tables.push(table.name)
        figures.add(table.name, Buffer.alloc(0))
      }
      yield { kind: 'about', about }
    } else if (name === names.manifest) found.manifest = bytes
    else if (name === names.seal) found.seal = bytes
    else {
      const table = /^tables\/(\w+)\/\d+\.copy$/u.exec(name)?.[1] ?? ''
      if (!tables.includes(table)) throw damaged(`it has an entry ‘${name}’`)
      figures.add(table, bytes)
      yield { kind: 'rows', table, bytes }
    }
  }
  yield { kind: 'end', manifest: requireIntact(found, figures, keys) }
}

function requireIntact(
  found: { about?: Buffer; manifest?: Buffer; seal?: Buffer },
  figures: FigureCounter,
  keys: MasterKeys,
): ArchiveManifest {
  const { about, manifest, seal: seen } = found
  if (about === undefined || manifest === undefined || seen === undefined) throw damaged('a part is missing')
  if (!hasValidSignature(manifest, seen, keys))
    throw new BackupRefused(
      'The backup was not made with this master key. Tributary can neither verify that it is yours nor decrypt the passwords in it. Nothing was written. Set TRIBUTARY_MASTER_KEY to the key it was made with, or add that one to TRIBUTARY_MASTER_KEYS_OLD.',
    )
  const said = parseManifest(manifest)
  if (said.about !== sha256(about)) throw damaged('its beginning was changed')
  const sums = figures.sums()
  for (const table of new Set([...Object.keys(said.tables), ...Object.keys(sums)])) {
    if (said.tables[table]?.sha256 !== sums[table]?.sha256) throw damaged(`the table ‘${table}’ is not as it was made`)
  }
  return said
}
