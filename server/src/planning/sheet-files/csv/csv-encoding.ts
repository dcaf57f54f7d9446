/** Detects the encoding of a text file: byte order mark, else UTF-8 if the whole file is valid, else Windows-1252. */
import { read } from 'node:fs'
import { promisify, TextDecoder } from 'node:util'
import { UnreadableFile } from '../unreadable-file.ts'

export type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export async function detectEncoding(fd: number): Promise<CsvEncoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  for await (const piece of readPieces(fd)) {
    const marked = isFirst ? detectByteOrderMark(piece) : undefined
    if (marked !== undefined) return marked
    isFirst = false
    if (piece.includes(0))
      throw new UnreadableFile('The file is not a text file. Save it as .xlsx or as CSV UTF-8 and upload that file.')
    if (!isText(utf8, piece)) return 'windows-1252'
  }
  return isText(utf8) ? 'utf-8' : 'windows-1252'
}

/** The text in pieces, without its byte order mark. */
export async function* decodeText(fd: number, encoding: CsvEncoding): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const piece of readPieces(fd)) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableFile(
      'The file contains bytes that are not valid text. Save it as CSV UTF-8 and upload that file.',
      {
        cause: error,
      },
    )
  }
}

const readAt = promisify(read)
const pieceBytes = 262_144

/** Not a stream, because a stream closes the file when it is left early. */
async function* readPieces(fd: number): AsyncIterable<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.alloc(pieceBytes), 0, pieceBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function detectByteOrderMark([first, second]: Buffer): CsvEncoding | undefined {
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
