/** Reads a workbook with live queries: its sheets and tables, and the queries of its DataMashup part ([MS-QDEFF]). */
import { all, type ParsedElement, parseXml, readParts } from '../excel/read-parts.ts'

export interface OpenQueryWorkbook {
  readonly parts: ReadonlyMap<string, Buffer>
  readonly sheets: readonly string[]
  /** The texts of the first sheet. */
  readonly introduction: readonly string[]
  readonly tables: readonly OpenQueryTable[]
  /** The section document in M. */
  readonly section: string
  readonly permissions: ParsedElement
  /** The entries of each query by its path. */
  readonly metadata: ReadonlyMap<string, Readonly<Record<string, string>>>
}

interface OpenQueryTable {
  readonly name: string
  readonly sheet: string
  readonly headings: readonly string[]
  readonly columns: readonly string[]
  readonly fields: readonly string[]
  /** The query that the table's connection names. */
  readonly query: string
  readonly command: string
}

export async function readQueryWorkbook(bytes: Buffer): Promise<OpenQueryWorkbook> {
  const parts = await readParts(bytes)
  const part = (name: string) => {
    const content = parts.get(name)
    if (content === undefined) throw new Error(`The part ${name} is missing.`)
    return parseXml(content.toString())
  }
  const connections = new Map(
    all(part('xl/connections.xml'), 'connection').map((each) => [each.attributes['id'], each]),
  )
  const sheets = all(part('xl/workbook.xml'), 'sheet').map(({ attributes }) => unescaped(attributes['name'] ?? ''))
  const mashup = await readMashup(parts.get('customXml/item1.xml') ?? Buffer.alloc(0))
  const tables = sheets.slice(1).map((sheet, at): OpenQueryTable => {
    const table = all(part(`xl/tables/table${at + 1}.xml`), 'table')[0]
    const query = all(part(`xl/queryTables/queryTable${at + 1}.xml`), 'queryTable')[0]
    const source = all(connections.get(query?.attributes['connectionId'] ?? ''), 'dbPr')[0]?.attributes ?? {}
    return {
      name: unescaped(table?.attributes['displayName'] ?? ''),
      sheet,
      headings: texts(part(`xl/worksheets/sheet${at + 2}.xml`)),
      columns: all(table, 'tableColumn').map(({ attributes }) => unescaped(attributes['name'] ?? '')),
      fields: all(query, 'queryTableField').map(({ attributes }) => unescaped(attributes['name'] ?? '')),
      query: /Location="(?<query>[^"]*)"/u.exec(source['connection'] ?? '')?.groups?.['query'] ?? '',
      command: source['command'] ?? '',
    }
  })
  return { parts, sheets, introduction: texts(part('xl/worksheets/sheet1.xml')), tables, ...mashup }
}

function texts(sheet: ParsedElement): readonly string[] {
  return all(sheet, 't').map(({ text }) => unescaped(text))
}

/** `_x0007_` is a character (ECMA-376 part 1, 22.9.2.19). */
function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-F]{4})_/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Fails if a length does not lead to the end of the part. */
async function readMashup(part: Buffer): Promise<Pick<OpenQueryWorkbook, 'section' | 'permissions' | 'metadata'>> {
  const xml = parseXml(part.toString('utf16le').replace(/^\uFEFF/u, ''))
  const [root] = xml.children
  if (root?.attributes['xmlns'] !== 'http://schemas.microsoft.com/DataMashup') throw new Error('This is no DataMashup.')
  const bytes = Buffer.from(root.text, 'base64')
  if (bytes.readInt32LE(0) !== 0) throw new Error('The version is unknown.')
  const [packaged, permissions, metadata, , rest] = split(bytes.subarray(4), 4)
  if (rest?.length !== 0) throw new Error('Bytes are left over.')
  const inner = await readParts(packaged ?? Buffer.alloc(0))
  for (const name of ['[Content_Types].xml', 'Config/Package.xml']) parseXml(plain(inner.get(name)))
  const [items, , left] = split((metadata ?? Buffer.alloc(0)).subarray(4), 2)
  if (left?.length !== 0) throw new Error('Bytes are left over in the metadata.')
  return {
    section: plain(inner.get('Formulas/Section1.m')),
    permissions: parseXml(plain(permissions)),
    metadata: new Map(
      all(parseXml(plain(items)), 'Item').map((item) => [
        all(item, 'ItemPath')[0]?.text ?? '',
        Object.fromEntries(all(item, 'Entry').map(({ attributes: { Type = '', Value = '' } }) => [Type, Value])),
      ]),
    ),
  }
}

function plain(bytes: Buffer | undefined): string {
  return (bytes ?? Buffer.alloc(0)).toString().replace(/^\uFEFF/u, '')
}

/** Fields that are each preceded by their length, and the rest. */
function split(bytes: Buffer, count: number): readonly Buffer[] {
  const fields: Buffer[] = []
  let at = 0
  for (let field = 0; field < count; field += 1) {
    const length = bytes.readInt32LE(at)
    if (length < 0 || at + 4 + length > bytes.length) throw new Error('A field is longer than its part.')
    fields.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return [...fields, bytes.subarray(at)]
}
