/** Creates ZIP files without compression (APPNOTE.TXT 4.3). Names must be ASCII. */
import { crc32 } from 'node:zlib'

export interface ZipFileEntry {
  readonly name: string
  readonly content: Buffer
}

export function createZip(entries: readonly ZipFileEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const fields = sharedFields(name, content)
    const local = Buffer.concat([littleEndian([0x04034b50, 4]), fields, Buffer.from(name), content])
    const rest = littleEndian([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4])
    directory.push(littleEndian([0x02014b50, 4], [versionNeeded, 2]), fields, rest, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const centralDirectory = Buffer.concat(directory)
  const end = littleEndian(
    [0x06054b50, 4],
    [0, 4],
    [entries.length, 2],
    [entries.length, 2],
    [centralDirectory.length, 4],
    [offset, 4],
    [0, 2],
  )
  return Buffer.concat([...parts, centralDirectory, end])
}

const versionNeeded = 20
/** 1 January 1980: the same content always creates the same file. */
const date = 0x21

/** The fields that the local header and the central directory have in common. */
function sharedFields(name: string, content: Buffer): Buffer {
  const { length } = content
  return littleEndian(
    [versionNeeded, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [date, 2],
    [crc32(content), 4],
    [length, 4],
    [length, 4],
    [name.length, 2],
    [0, 2],
  )
}

/** Encodes each value in little-endian order with its width in bytes. */
function littleEndian(...fields: readonly (readonly [value: number, width: 2 | 4])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, width]) => sum + width, 0))
  let at = 0
  for (const [value, width] of fields) at = bytes.writeUIntLE(value, at, width)
  return bytes
}
