/** Reads the small parts of a workbook: list of sheets, shared strings, number formats. */
import { builtInFormat, customFormat, type DateFormat } from '@tributary/contract/excel-number-formats'
import { posix } from 'node:path'
import type { ZipArchive } from '../zip-archive.ts'
import { RichText } from './rich-text.ts'
import { sheetsMax, stylesMax } from '../sheet-limits.ts'
import { TextTable } from './shared-strings.ts'
import { damagedFile, tooManySheets, UnreadableFile } from '../unreadable-file.ts'
import { readXml, relationOf } from './xml.ts'

export interface WorkbookParts {
  readonly is1904: boolean
  readonly sheets: readonly WorkbookSheet[]
  readonly texts: TextTable
  /** Number format by style index. */
  readonly formats: readonly DateFormat[]
}

interface WorkbookSheet {
  readonly name: string
  readonly path: string
  readonly isHidden: boolean
}

export async function readWorkbook(archive: ZipArchive): Promise<WorkbookParts> {
  const path = await findWorkbook(archive)
  const relations = await readRelations(archive, path)
  const { is1904, sheets } = await readSheetList(archive, path, relations)
  if (sheets.length === 0)
    throw new UnreadableFile('The workbook has no sheet with cells. Add one, or upload another file.')
  const texts = await readTexts(archive, pathOf(relations, 'sharedStrings'))
  const formats = await readFormats(archive, pathOf(relations, 'styles'))
  return { is1904, sheets, texts, formats }
}

async function findWorkbook(archive: ZipArchive): Promise<string> {
  const path = archive.has('_rels/.rels') ? pathOf(await readRelations(archive, ''), 'officeDocument') : undefined
  if (path?.endsWith('.bin') === true)
    throw new UnreadableFile(
      'This is a binary workbook (.xlsb). In Excel choose Save As, Excel Workbook (.xlsx), and upload that file.',
    )
  if (path !== undefined && /(?:^|\/)workbook[^/]*\.xml$/iu.test(path)) return path
  throw new UnreadableFile('This is not an Excel workbook. Save it as .xlsx or .csv and upload that file.')
}

interface PackageRelation {
  readonly kind: string
  readonly path: string
}

/** Relationships by id. The kind is the last segment of a URI whose prefix differs between editions of the format. */
async function readRelations(archive: ZipArchive, of: string): Promise<ReadonlyMap<string, PackageRelation>> {
  const relations = new Map<string, PackageRelation>()
  const folder = posix.dirname(of)
  await readXml(archive.read(posix.join(folder, '_rels', `${posix.basename(of)}.rels`)), {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return
      const path = posix.join(Target.startsWith('/') ? '' : folder, Target).replace(/^\/+/u, '')
      relations.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), path })
    },
  })
  return relations
}

function pathOf(relations: ReadonlyMap<string, PackageRelation>, kind: string): string | undefined {
  return relations.values().find((one) => one.kind === kind)?.path
}

async function readSheetList(
  archive: ZipArchive,
  path: string,
  relations: ReadonlyMap<string, PackageRelation>,
): Promise<Pick<WorkbookParts, 'is1904' | 'sheets'>> {
  const sheets: WorkbookSheet[] = []
  let is1904 = false
  await readXml(archive.read(path), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const relation = relations.get(relationOf(attributes) ?? '')
      if (relation === undefined) throw damagedFile('a sheet is missing')
      if (relation.kind !== 'worksheet') return
      const isHidden = ['hidden', 'veryHidden'].includes(attributes['state'] ?? '')
      sheets.push({ name: attributes['name'] ?? '', path: relation.path, isHidden })
      if (sheets.length > sheetsMax) throw tooManySheets()
    },
  })
  return { is1904, sheets }
}

async function readTexts(archive: ZipArchive, path: string | undefined): Promise<TextTable> {
  const texts = new TextTable()
  if (path === undefined) return texts
  const item = new RichText()
  await readXml(archive.read(path), {
    open: (name) => item.open(name),
    text: (text) => item.add(text),
    close(name) {
      item.close(name)
      if (name === 'si') texts.add(item.take())
    },
  })
  return texts
}

async function readFormats(archive: ZipArchive, path: string | undefined): Promise<readonly DateFormat[]> {
  const formats: DateFormat[] = []
  if (path === undefined) return formats
  const custom = new Map<number, DateFormat>()
  let isInStyles = false
  await readXml(archive.read(path), {
    open(name, { numFmtId, formatCode = '' }) {
      const id = Number(numFmtId ?? 0)
      if (name === 'numFmt') custom.set(id, customFormat(formatCode))
      if (name === 'cellXfs') isInStyles = true
      if (name !== 'xf' || !isInStyles) return
      formats.push(custom.get(id) ?? builtInFormat(id))
      if (formats.length > stylesMax) throw damagedFile('it has too many styles')
    },
    close(name) {
      if (name === 'cellXfs') isInStyles = false
    },
  })
  return formats
}
