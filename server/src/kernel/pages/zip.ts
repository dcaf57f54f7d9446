/** A ZIP of a few small files, stored as they are (APPNOTE 4.3). Names are ASCII. */
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: Buffer
}

export function storedZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const described = description(name, content)
    const local = Buffer.concat([numbers([0x04034b50, 4]), described, Buffer.from(name), content])
    const rest = numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4])
    directory.push(numbers([0x02014b50, 4], [versionNeeded, 2]), described, rest, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = numbers(
    [0x06054b50, 4],
    [0, 4],
    [entries.length, 2],
    [entries.length, 2],
    [listed.length, 4],
    [offset, 4],
    [0, 2],
  )
  return Buffer.concat([...parts, listed, end])
}

const versionNeeded = 20
/** The first of January 1980: the same content is always the same file. */
const date = 0x21

/** What a file's own heading and its line in the directory have in common. */
function description(name: string, content: Buffer): Buffer {
  const { length } = content
  return numbers(
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

/** Each value with its width in bytes, the lowest byte first. */
function numbers(...fields: readonly (readonly [value: number, width: 2 | 4])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, width]) => sum + width, 0))
  let at = 0
  for (const [value, width] of fields) at = bytes.writeUIntLE(value, at, width)
  return bytes
}
