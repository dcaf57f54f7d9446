/**
 * Writes a ZIP archive whose entries are compressed as they come, so that neither their sizes nor their number must be known.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: AsyncIterable<string> | Iterable<string>
}

interface WrittenEntry {
  readonly name: Buffer
  readonly at: number
  readonly crc: number
  readonly size: number
  readonly compressedSize: number
}

/** Without ZIP64, which readers of spreadsheets do not all know. */
const sizeMax = 0xffff_ffff
const version = 20
/** The sizes follow the content, and names are UTF-8. */
const flags = 0x0808
const deflated = 8
/** 1 January 1980, because the same rows should make the same file. */
const dosDate = 0x0021

/** Throws if the archive, or an entry, becomes larger than 4 GiB. */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: WrittenEntry[] = []
  let at = 0
  for await (const { name, content } of entries) {
    const started = at
    const bytes = Buffer.from(name)
    const head = localHeader(bytes)
    at += head.length
    yield head
    const sums = { crc: 0, size: 0 }
    let compressedSize = 0
    const deflate = createDeflateRaw({ level: 3 })
    const source = Readable.from(measured(content, sums))
    source.once('error', (error) => deflate.destroy(error))
    for await (const part of source.pipe(deflate) as AsyncIterable<Buffer>) {
      compressedSize += part.length
      yield part
    }
    const entry = { name: bytes, at: started, ...sums, compressedSize }
    const tail = dataDescriptor(entry)
    at += compressedSize + tail.length
    if (Math.max(at, entry.size) > sizeMax) throw new Error('The file is larger than 4 GiB.')
    written.push(entry)
    yield tail
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  yield endOfDirectory(written.length, directory.length, at)
}

async function* measured(content: ZipEntry['content'], sums: { crc: number; size: number }): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    sums.crc = crc32(bytes, sums.crc)
    sums.size += bytes.length
    yield bytes
  }
}

function localHeader(name: Buffer): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(deflated, 8)
  head.writeUInt16LE(dosDate, 12)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function dataDescriptor({ crc, compressedSize, size }: WrittenEntry): Buffer {
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(0x08074b50, 0)
  tail.writeUInt32LE(crc, 4)
  tail.writeUInt32LE(Math.min(compressedSize, sizeMax), 8)
  tail.writeUInt32LE(Math.min(size, sizeMax), 12)
  return tail
}

function directoryEntry({ name, at, crc, compressedSize, size }: WrittenEntry): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(version, 4)
  entry.writeUInt16LE(version, 6)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(deflated, 10)
  entry.writeUInt16LE(dosDate, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(compressedSize, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(at, 42)
  return Buffer.concat([entry, name])
}

function endOfDirectory(count: number, size: number, at: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return end
}
