/** The small parts of a workbook: which sheets there are and where, what texts they share, how their numbers are shown. */
import { builtInFormat, customFormat, type DateFormat } from '@tributary/contract/excel-number-formats'
import { posix } from 'node:path'
import type { Archive } from '../zip-archive.ts'
import { RichText } from './rich-text.ts'
import { sheetsMax, stylesMax } from '../sheet-limits.ts'
import { TextTable } from './shared-strings.ts'
import { damaged, Unreadable } from '../unreadable-file.ts'
import { readXml, relationOf } from './xml.ts'

export interface Workbook {
  readonly is1904: boolean
  readonly sheets: readonly WorkbookSheet[]
  readonly texts: TextTable
  /** How the numbers of a style are shown, by the number of the style. */
  readonly formats: readonly DateFormat[]
}

interface WorkbookSheet {
  readonly name: string
  readonly path: string
  readonly isHidden: boolean
}

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const path = await findWorkbook(archive)
  const relations = await readRelations(archive, path)
  const { is1904, sheets } = await readSheetList(archive, path, relations)
  if (sheets.length === 0) throw new Unreadable('The workbook has no sheet with cells. Add one, or drop another file.')
  const texts = await readTexts(archive, pathOf(relations, 'sharedStrings'))
  const formats = await readFormats(archive, pathOf(relations, 'styles'))
  return { is1904, sheets, texts, formats }
}

async function findWorkbook(archive: Archive): Promise<string> {
  const path = archive.has('_rels/.rels') ? pathOf(await readRelations(archive, ''), 'officeDocument') : undefined
  if (path?.endsWith('.bin') === true)
    throw new Unreadable(
      'This is a binary workbook (.xlsb). In Excel choose Save As, Excel Workbook (.xlsx), and drop that file.',
    )
  if (path !== undefined && /(?:^|\/)workbook[^/]*\.xml$/iu.test(path)) return path
  throw new Unreadable('This is no Excel workbook. Save it as .xlsx or .csv and drop that file.')
}

interface Relation {
  readonly kind: string
  readonly path: string
}

/** By id. The kind is the last word of an address that differs from one edition of the format to another. */
async function readRelations(archive: Archive, of: string): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>()
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

function pathOf(relations: ReadonlyMap<string, Relation>, kind: string): string | undefined {
  return relations.values().find((one) => one.kind === kind)?.path
}

async function readSheetList(
  archive: Archive,
  path: string,
  relations: ReadonlyMap<string, Relation>,
): Promise<Pick<Workbook, 'is1904' | 'sheets'>> {
  const sheets: WorkbookSheet[] = []
  let is1904 = false
  await readXml(archive.read(path), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const relation = relations.get(relationOf(attributes) ?? '')
      if (relation === undefined) throw damaged('a sheet of it is missing')
      if (relation.kind !== 'worksheet') return
      const isHidden = ['hidden', 'veryHidden'].includes(attributes['state'] ?? '')
      sheets.push({ name: attributes['name'] ?? '', path: relation.path, isHidden })
      if (sheets.length > sheetsMax)
        throw new Unreadable(
          `The workbook has more than ${sheetsMax} sheets. Copy those that you want to load into a new one.`,
        )
    },
  })
  return { is1904, sheets }
}

async function readTexts(archive: Archive, path: string | undefined): Promise<TextTable> {
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

async function readFormats(archive: Archive, path: string | undefined): Promise<readonly DateFormat[]> {
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
      if (formats.length > stylesMax) throw damaged('it has too many styles')
    },
    close(name) {
      if (name === 'cellXfs') isInStyles = false
    },
  })
  return formats
}
