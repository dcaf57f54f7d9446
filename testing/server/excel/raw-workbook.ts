/** Writes workbooks byte by byte, including malformed ones that a library would not write. */
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

export interface RawZipEntry {
  readonly name: string
  readonly content: Buffer | string
  /** False values of the headers of this entry. */
  readonly falseHeader?: {
    readonly size?: number
    readonly sum?: number
    readonly offset?: number
    readonly flags?: number
    readonly method?: number
  }
}

export function zipOf(parts: readonly RawZipEntry[]): Buffer {
  const bodies: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, content, falseHeader = {} } of parts) {
    const plain = Buffer.from(content)
    const compressed = deflateRawSync(plain)
    const header = { size: plain.length, sum: crc32(plain), compressedSize: compressed.length, offset, ...falseHeader }
    const body = Buffer.concat([localHeader(name, header), Buffer.from(name), compressed])
    bodies.push(body)
    entries.push(centralHeader(name, header), Buffer.from(name))
    offset += body.length
  }
  const directory = Buffer.concat(entries)
  return Buffer.concat([...bodies, directory, endOf(parts.length, directory.length, offset)])
}

interface EntryHeader {
  readonly size: number
  readonly sum: number
  readonly compressedSize: number
  readonly offset: number
  readonly flags?: number
  readonly method?: number
}

function localHeader(name: string, entry: EntryHeader): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeEntryHeader(header, 4, name, entry)
  return header
}

function centralHeader(name: string, entry: EntryHeader): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(20, 4)
  writeEntryHeader(header, 6, name, entry)
  header.writeUInt32LE(entry.offset, 42)
  return header
}

function writeEntryHeader(
  header: Buffer,
  at: number,
  name: string,
  { size, sum, compressedSize, flags = 0, method = 8 }: EntryHeader,
): void {
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(flags, at + 2)
  header.writeUInt16LE(method, at + 4)
  header.writeUInt32LE(sum, at + 10)
  header.writeUInt32LE(compressedSize, at + 14)
  header.writeUInt32LE(size, at + 18)
  header.writeUInt16LE(Buffer.byteLength(name), at + 22)
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

export interface RawWorkbook {
  /** The content of `<sheetData>`. */
  readonly rows: string
  /** Elements after `<sheetData>`. */
  readonly after?: string
  readonly strings?: string
  readonly numFmts?: string
  readonly xfs?: string
  readonly is1904?: boolean
  readonly sheetAttributes?: string
  readonly sheetName?: string
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

/** The parts of a workbook with one sheet, for `zipOf`. */
export function workbookParts(made: RawWorkbook): RawZipEntry[] {
  const {
    rows,
    after = '',
    strings = '',
    numFmts = '',
    xfs = '<xf numFmtId="0"/>',
    sheetAttributes = '',
    sheetName = 'Sheet1',
  } = made
  const date1904 = made.is1904 === true ? '<workbookPr date1904="1"/>' : ''
  return [
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relationsXml([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${main} xmlns:r="${relations}">${date1904}<sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1" ${sheetAttributes}/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationsXml([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
        ['rId2', 'sharedStrings', '/xl/sharedStrings.xml'],
        ['rId3', 'styles', 'styles.xml'],
      ]),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet ${main}><sheetData>${rows}</sheetData>${after}</worksheet>`,
    },
    { name: 'xl/sharedStrings.xml', content: `<sst ${main}>${strings}</sst>` },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet ${main}><numFmts>${numFmts}</numFmts><cellXfs>${xfs}</cellXfs></styleSheet>`,
    },
  ]
}

export function workbookOf(made: RawWorkbook): Buffer {
  return zipOf(workbookParts(made))
}

function relationsXml(list: readonly (readonly [string, string, string])[]): string {
  const each = list.map(
    ([id, kind, target]) => `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}

/** Streams a workbook of numbers, dates and distinct texts to a file. The first row is a heading. */
export async function writeLargeWorkbook(path: string, rows: number, columns: number): Promise<void> {
  const compressed = await compressedSheet(rows, columns)
  const parts = workbookParts({ rows: '', xfs: '<xf numFmtId="0"/><xf numFmtId="14"/>' })
  const around = parts.filter(({ name }) => name !== 'xl/worksheets/sheet1.xml')
  const small = zipOf(around)
  // The sheet precedes the other parts, so their offsets grow by its length.
  const name = 'xl/worksheets/sheet1.xml'
  const header = { size: compressed.size, sum: compressed.sum, compressedSize: compressed.bytes.length, offset: 0 }
  const sheet = Buffer.concat([localHeader(name, header), Buffer.from(name), compressed.bytes])
  const start = small.readUInt32LE(small.length - 6)
  const directory = small.subarray(start, small.length - 22)
  for (let at = 0; at < directory.length; at += 46 + directory.readUInt16LE(at + 28))
    directory.writeUInt32LE(directory.readUInt32LE(at + 42) + sheet.length, at + 42)
  const whole = Buffer.concat([centralHeader(name, header), Buffer.from(name), directory])
  const pieces = [sheet, small.subarray(0, start), whole, endOf(parts.length, whole.length, sheet.length + start)]
  await pipeline(Readable.from(pieces), createWriteStream(path))
}

async function compressedSheet(rows: number, columns: number): Promise<{ bytes: Buffer; size: number; sum: number }> {
  let size = 0
  let sum = 0
  const counted = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length
      sum = crc32(piece, sum)
      done(null, piece)
    },
  })
  const bytes: Buffer[] = []
  await pipeline(
    Readable.from(sheetXml(rows, columns)),
    counted,
    createDeflateRaw({ level: 1 }),
    async (compressed) => {
      for await (const piece of compressed) bytes.push(piece as Buffer)
    },
  )
  return { bytes: Buffer.concat(bytes), size, sum }
}

function* sheetXml(rows: number, columns: number): Iterable<string> {
  yield `<worksheet ${main}><sheetData><row r="1">`
  for (let column = 1; column <= columns; column++) yield `<c t="inlineStr"><is><t>Column ${column}</t></is></c>`
  yield '</row>'
  for (let row = 2; row <= rows + 1; row++) {
    const cells = Array.from({ length: columns }, (_, column) => largeCell(row, column))
    yield `<row r="${row}">${cells.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

function largeCell(row: number, column: number): string {
  if (column % 5 === 0) return `<c t="inlineStr"><is><t>Line ${row} of ${column}</t></is></c>`
  if (column % 5 === 1) return `<c s="1"><v>${45_000 + (row % 365)}</v></c>`
  return `<c><v>${row * column}.${(row + column) % 100}</v></c>`
}
