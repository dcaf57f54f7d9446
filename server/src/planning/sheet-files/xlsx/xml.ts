/** Streaming XML reader. Refuses document types, and with them custom entities. */
import { TextDecoder } from 'node:util'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { nestingMax } from '../sheet-limits.ts'
import { damagedFile, UnreadableFile } from '../unreadable-file.ts'

type XmlAttributes = Readonly<Record<string, string>>

/** Names come without namespace prefixes, which each writer chooses freely. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void
  text?(text: string): void
  close?(name: string): void
}

/** @param afterPiece awaited between two pieces, for backpressure */
export async function readXml(
  pieces: AsyncIterable<Buffer>,
  handler: XmlHandler,
  afterPiece?: () => Promise<void>,
): Promise<void> {
  const parser = parserFor(handler)
  let decoder: TextDecoder | undefined
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true })
    parser.write(decode(decoder, piece))
    await afterPiece?.()
  }
  if (decoder === undefined) throw damagedFile('a part of the workbook is empty')
  parser.write(decode(decoder)).close()
  await afterPiece?.()
}

function parserFor(handler: XmlHandler): SaxesParser {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  let depth = 0
  parser.on('error', (error) => {
    throw damagedFile('a part of it is not XML', error)
  })
  parser.on('doctype', () => {
    throw new UnreadableFile(
      'The file contains a document type, which workbooks do not need and which can be harmful. Save it again in Excel.',
    )
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    depth += 1
    if (depth > nestingMax) throw damagedFile('it is nested too deeply')
    handler.open?.(local(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    handler.close?.(local(name))
  })
  if (handler.text !== undefined) {
    const take = handler.text.bind(handler)
    parser.on('text', take)
    parser.on('cdata', take)
  }
  return parser
}

/** The relationship id, an attribute with any prefix: `r:id`, `d3p1:id`. */
export function relationOf(attributes: XmlAttributes): string | undefined {
  return Object.entries(attributes).find(([name]) => name.includes(':') && local(name) === 'id')?.[1]
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function decode(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
  } catch (error) {
    throw damagedFile('a part of it is not text', error)
  }
}
