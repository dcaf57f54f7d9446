/** In which letters a text file is written: by its mark, as UTF-8 where all of it is, and as western Windows writes else. */
import { read } from 'node:fs'
import { promisify, TextDecoder } from 'node:util'
import { Unreadable } from '../unreadable-file.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export async function findEncoding(fd: number): Promise<Encoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  for await (const piece of bytesOf(fd)) {
    const marked = isFirst ? markOf(piece) : undefined
    if (marked !== undefined) return marked
    isFirst = false
    if (piece.includes(0))
      throw new Unreadable('The file is no text. Save it as .xlsx or as CSV UTF-8 and drop that file.')
    if (!isText(utf8, piece)) return 'windows-1252'
  }
  return isText(utf8) ? 'utf-8' : 'windows-1252'
}

/** The text piece by piece, without its mark. */
export async function* textOf(fd: number, encoding: Encoding): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const piece of bytesOf(fd)) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Unreadable('The file holds bytes that are no letters. Save it as CSV UTF-8 and drop that file.', {
      cause: error,
    })
  }
}

const readAt = promisify(read)
const pieceBytes = 262_144

/** Not by a stream, which would close the file when it is left early. */
async function* bytesOf(fd: number): AsyncIterable<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.alloc(pieceBytes), 0, pieceBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function markOf([first, second]: Buffer): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function isText(decoder: TextDecoder, piece?: Buffer): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined })
    return true
  } catch {
    return false
  }
}
