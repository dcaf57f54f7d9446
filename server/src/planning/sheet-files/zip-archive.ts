/**
 * A ZIP archive whose parts are read as streams. Declared sizes are not trusted, and its paths never reach the disk.
 */
import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { archiveEntriesMax, inflatedMaxBytes, inflationFreeBytes, inflationMax } from './sheet-limits.ts'
import { damagedFile, UnreadableFile } from './unreadable-file.ts'

export interface ZipArchive {
  has(path: string): boolean
  /**
   * The decompressed part in pieces. Throws `UnreadableFile` if it is missing or does not match its declared size and
   * checksum.
   */
  read(path: string): AsyncIterable<Buffer>
}

/** Leaves the file open. */
export async function openArchive(fd: number): Promise<ZipArchive> {
  const zip = await withDamageFaults(() => fromFdPromise(fd, { autoClose: false }))
  const entries = await withDamageFaults(() => listEntries(zip))
  requireNoOverlap([...entries.values()])
  const budget = { left: inflatedMaxBytes }
  return {
    has: (path) => entries.has(path.toLowerCase()),
    read: (path) => {
      const entry = entries.get(path.toLowerCase())
      if (entry === undefined) throw damagedFile('a part of the workbook is missing')
      return inflate(zip, entry, budget)
    },
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > archiveEntriesMax) throw tooManyParts()
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.toLowerCase()
    if (entries.has(path)) throw damagedFile('a part of the workbook appears twice')
    if (entry.isEncrypted()) throw encrypted()
    entries.set(path, entry)
    if (entries.size > archiveEntriesMax) throw tooManyParts()
  }
  return entries
}

/** Overlapping parts could make a small file expand to any size. */
function requireNoOverlap(entries: readonly Entry[]): void {
  let end = 0
  for (const entry of entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damagedFile('parts of the workbook overlap')
    end = entry.relativeOffsetOfLocalHeader + entry.compressedSize
  }
}

async function* inflate(zip: ZipFile, entry: Entry, budget: { left: number }): AsyncIterable<Buffer> {
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw damagedFile('it uses a compression method that Excel does not use')
  const raw = await withDamageFaults(() => zip.openReadStreamPromise(entry, { decodeFileData: false }))
  const pieces = entry.compressionMethod === 0 ? raw : inflated(raw)
  let size = 0
  let sum = 0
  try {
    for await (const piece of readPieces(pieces)) {
      size += piece.length
      budget.left -= piece.length
      sum = crc32(piece, sum)
      requireNoZipBomb(size, entry.compressedSize, budget.left)
      yield piece
    }
  } finally {
    pieces.destroy()
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw damagedFile('its checksum is wrong')
}

function inflated(raw: Readable): Readable {
  // Errors of the pipeline surface in the consumer of the stream.
  return pipeline(raw, createInflateRaw({ chunkSize: 262_144 }), () => {})
}

function requireNoZipBomb(size: number, compressedSize: number, left: number): void {
  const isBomb = size > inflationFreeBytes && size > compressedSize * inflationMax
  if (isBomb || left < 0)
    throw new UnreadableFile(
      'The decompressed file is too large to read. Split it, or delete data that you do not need.',
    )
}

async function* readPieces(pieces: Readable): AsyncIterable<Buffer> {
  try {
    for await (const piece of pieces) yield piece as Buffer
  } catch (error) {
    throw damagedFile('a part of it cannot be decompressed', error)
  }
}

/** Converts errors of the libraries: the file is their cause. */
async function withDamageFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    if (error instanceof Error && /encrypt/u.test(error.message)) throw encrypted()
    throw damagedFile('it is truncated or not a workbook', error)
  }
}

function encrypted(): UnreadableFile {
  return new UnreadableFile(
    'The file is protected with a password. Remove the password in Excel (File, Info, Protect Workbook) and save it.',
  )
}

function tooManyParts(): UnreadableFile {
  return new UnreadableFile(
    'The file has more than 2,000 parts inside. Copy the sheets that you want to load into a new workbook.',
  )
}
