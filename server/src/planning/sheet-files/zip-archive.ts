/** A ZIP archive whose parts are read as streams. Nothing that it says of sizes is believed, and no path of it reaches a disk. */
import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { archiveEntriesMax, inflatedMaxBytes, inflationFreeBytes, inflationMax } from './sheet-limits.ts'
import { damaged, Unreadable } from './unreadable-file.ts'

export interface Archive {
  has(path: string): boolean
  /** The part inflated, piece by piece. Throws `Unreadable` where there is none or it is not what the archive promises. */
  read(path: string): AsyncIterable<Buffer>
}

/** The file stays open. */
export async function openArchive(fd: number): Promise<Archive> {
  const zip = await honest(() => fromFdPromise(fd, { autoClose: false }))
  const entries = await honest(() => listEntries(zip))
  requireApart([...entries.values()])
  const budget = { left: inflatedMaxBytes }
  return {
    has: (path) => entries.has(path.toLowerCase()),
    read: (path) => {
      const entry = entries.get(path.toLowerCase())
      if (entry === undefined) throw damaged('a part of the workbook is missing')
      return inflate(zip, entry, budget)
    },
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > archiveEntriesMax) throw tooManyParts()
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.toLowerCase()
    if (entries.has(path)) throw damaged('a part of the workbook comes twice')
    if (entry.isEncrypted()) throw encrypted()
    entries.set(path, entry)
    if (entries.size > archiveEntriesMax) throw tooManyParts()
  }
  return entries
}

/** Parts that share their bytes make a small file as large as one likes. */
function requireApart(entries: readonly Entry[]): void {
  let end = 0
  for (const entry of entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damaged('parts of the workbook overlap')
    end = entry.relativeOffsetOfLocalHeader + entry.compressedSize
  }
}

async function* inflate(zip: ZipFile, entry: Entry, budget: { left: number }): AsyncIterable<Buffer> {
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw damaged('it is packed in a way that Excel does not use')
  const raw = await honest(() => zip.openReadStreamPromise(entry, { decodeFileData: false }))
  const pieces = entry.compressionMethod === 0 ? raw : inflated(raw)
  let size = 0
  let sum = 0
  try {
    for await (const piece of honestly(pieces)) {
      size += piece.length
      budget.left -= piece.length
      sum = crc32(piece, sum)
      requireModest(size, entry.compressedSize, budget.left)
      yield piece
    }
  } finally {
    pieces.destroy()
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw damaged('its check sum is wrong')
}

function inflated(raw: Readable): Readable {
  // What fails on the way is thrown to whoever reads the end.
  return pipeline(raw, createInflateRaw({ chunkSize: 262_144 }), () => {})
}

function requireModest(size: number, packedSize: number, left: number): void {
  const isBomb = size > inflationFreeBytes && size > packedSize * inflationMax
  if (isBomb || left < 0)
    throw new Unreadable('Unpacked, the file is too large to read. Split it, or delete what is not needed.')
}

async function* honestly(pieces: Readable): AsyncIterable<Buffer> {
  try {
    for await (const piece of pieces) yield piece as Buffer
  } catch (error) {
    throw damaged('a part of it cannot be unpacked', error)
  }
}

/** What the libraries refuse lies in the file. */
async function honest<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if (error instanceof Error && /encrypt/u.test(error.message)) throw encrypted()
    throw damaged('it is cut off, or no workbook', error)
  }
}

function encrypted(): Unreadable {
  return new Unreadable(
    'The file is locked with a password. Remove the password in Excel (File, Info, Protect Workbook) and save it.',
  )
}

function tooManyParts(): Unreadable {
  return new Unreadable(
    'The file has more than 2,000 parts inside. Copy the sheets that you want to load into a new workbook.',
  )
}
