/** The parts of an .xlsx or another ZIP file, and the elements of an XML part. */
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { fromBufferPromise } from 'yauzl'

export interface ParsedElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ParsedElement[]
  text: string
}

export async function readParts(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
    parts.set(entry.fileName, Buffer.concat(pieces))
  }
  return parts
}

export function parseXml(xml: string): ParsedElement {
  const root: ParsedElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    const element = { name, attributes, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.write(xml).close()
  return root
}

export function all(element: ParsedElement | undefined, name: string): readonly ParsedElement[] {
  const children = element?.children ?? []
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
}
