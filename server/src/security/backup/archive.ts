/** A backup as a stream of bytes: a tar of COPY text, compressed and encrypted, with its manifest at the end. */
import { createHash, type Hash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { countRows } from '@tributary/engine/encoding/copy-text'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import { type About, isSealed, type Manifest, parseAbout, parseManifest, sealOf, sha256 } from './manifest.ts'
import { BackupRefused, damaged } from './backup-refused.ts'
import { type Lock, seal, type Unlock, unseal } from './age-encryption.ts'
import { NoTar, readTar, type TarEntry, tarEnd, tarEntry } from './tar.ts'

const names = { about: 'about.json', manifest: 'manifest.json', seal: 'manifest.seal' } as const
const partBytes = 1_048_576

export interface Contents {
  readonly about: About
  /** The rows of a table of `about`, as COPY text; pieces may end anywhere. */
  readonly rows: (table: string) => AsyncIterable<Buffer>
}

export interface Written {
  readonly rows: number
  readonly bytes: number
}

/** Ends `to` when all is in it. Memory stays the same however much there is. */
export async function writeArchive(
  { about, rows }: Contents,
  lock: Lock,
  keys: MasterKeys,
  to: Writable,
): Promise<Written> {
  const written = { rows: 0, bytes: 0 }
  async function* entries(): AsyncGenerator<Buffer> {
    const first = Buffer.from(JSON.stringify(about))
    yield* tarEntry({ name: names.about, bytes: first })
    const figures = new Figures()
    for (const { name } of about.tables) yield* tableEntries(name, rows(name), figures)
    const last = Buffer.from(JSON.stringify({ about: sha256(first), tables: figures.sums() } satisfies Manifest))
    yield* tarEntry({ name: names.manifest, bytes: last })
    yield* tarEntry({ name: names.seal, bytes: sealOf(last, keys) })
    yield tarEnd
    written.rows = figures.rows
  }
  const gzip = createGzip({ level: 4 })
  const sealed = await seal(Readable.toWeb(gzip) as ReadableStream<Uint8Array>, lock)
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      written.bytes += chunk.length
      yield chunk
    }
  }
  await Promise.all([pipeline(entries, gzip), pipeline(Readable.fromWeb(sealed), counted, to)])
  return written
}

async function* tableEntries(table: string, rows: AsyncIterable<Buffer>, figures: Figures): AsyncGenerator<Buffer> {
  let number = 0
  for await (const bytes of inParts(rows)) {
    number += 1
    figures.add(table, bytes)
    yield* tarEntry({ name: `tables/${table}/${String(number).padStart(8, '0')}.copy`, bytes })
  }
  figures.add(table, Buffer.alloc(0))
}

/** Copies, for the memory of a piece is the socket's. */
async function* inParts(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

/** Rows and SHA-256 of each table. */
class Figures {
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

  sums(): Manifest['tables'] {
    return Object.fromEntries(
      this.#tables.entries().map(([name, { rows, hash }]) => [name, { rows, sha256: hash.copy().digest('hex') }]),
    )
  }
}

export type Piece =
  | { readonly kind: 'about'; readonly about: About }
  | { readonly kind: 'rows'; readonly table: string; readonly bytes: Buffer }
  | { readonly kind: 'end'; readonly manifest: Manifest }

/**
 * What is in the archive, in order; its `end` comes only once everything was found to be as it was made. Throws `BackupRefused`
 * for what is no backup, is not opened by `unlock`, was changed, was cut, or was not made with one of these keys.
 */
export async function* readArchive(source: Readable, unlock: Unlock, keys: MasterKeys): AsyncGenerator<Piece> {
  try {
    const clear = await unseal(Readable.toWeb(source) as ReadableStream<Uint8Array>, unlock)
    const unpacked = createGunzip()
    const unpacking = pipeline(Readable.fromWeb(clear), unpacked)
    unpacking.catch(() => undefined)
    yield* checked(readTar(unpacked), keys)
    await unpacking
  } catch (error) {
    throw error instanceof BackupRefused || !isDamage(error) ? error : damaged('it was changed, or ends too early')
  } finally {
    source.destroy()
  }
}

/** Of the file system all errors are told as they are. */
function isDamage(error: unknown): boolean {
  return error instanceof NoTar || !(error as NodeJS.ErrnoException).syscall
}

async function* checked(entries: AsyncIterable<TarEntry>, keys: MasterKeys): AsyncGenerator<Piece> {
  const figures = new Figures()
  const found: { about?: Buffer; manifest?: Buffer; seal?: Buffer } = {}
  const tables: string[] = []
  for await (const { name, bytes } of entries) {
    if (name === names.about) {
      const about = parseAbout(bytes)
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
  yield { kind: 'end', manifest: requireWhole(found, figures, keys) }
}

function requireWhole(
  found: { about?: Buffer; manifest?: Buffer; seal?: Buffer },
  figures: Figures,
  keys: MasterKeys,
): Manifest {
  const { about, manifest, seal: seen } = found
  if (about === undefined || manifest === undefined || seen === undefined) throw damaged('a part is missing')
  if (!isSealed(manifest, seen, keys))
    throw new BackupRefused(
      'The backup was not made with this master key, so it cannot be told whether it is yours, and the passwords in it could not be opened. Nothing was written. Set TRIBUTARY_MASTER_KEY to the key it was made with, or add that one to TRIBUTARY_MASTER_KEYS_OLD.',
    )
  const said = parseManifest(manifest)
  if (said.about !== sha256(about)) throw damaged('its beginning was changed')
  const sums = figures.sums()
  for (const table of new Set([...Object.keys(said.tables), ...Object.keys(sums)])) {
    if (said.tables[table]?.sha256 !== sums[table]?.sha256) throw damaged(`the table ‘${table}’ is not as it was made`)
  }
  return said
}
