/**
 * Reads the formats and data validation rules of a template, which the product only writes, and fills in the template.
 */
import { columnName } from '@tributary/contract/sheet-preview'
import { createZip } from '../../../server/src/kernel/pages/zip.ts'
import { all, type ParsedElement, parseXml, readParts } from './read-parts.ts'

type CellInput = string | number | boolean

export interface OpenTemplate {
  readonly sheets: readonly { readonly name: string; readonly state: string }[]
  readonly columns: readonly TemplateColumn[]
  readonly prompt: { readonly where: string; readonly says: string } | undefined
  /** Returns the file with these rows below its headings, each cell in the format of its column. */
  fillIn(rows: readonly (readonly CellInput[])[]): Buffer
}

interface TemplateColumn {
  readonly heading: string
  readonly format: string
  /** The values of a list, or the type with its limits. */
  readonly rule: readonly CellInput[] | string | undefined
}

export async function openTemplate(bytes: Buffer): Promise<OpenTemplate> {
  const parts = await readParts(bytes)
  const part = (name: string) => parseXml(parts.get(name)?.toString() ?? '')
  const [book, styles, sheet, lists] = [
    part('xl/workbook.xml'),
    part('xl/styles.xml'),
    part('xl/worksheets/sheet1.xml'),
    part('xl/worksheets/sheet2.xml'),
  ]
  const formats = new Map(
    all(styles, 'numFmt').map(({ attributes: { numFmtId = '', formatCode = '' } }) => [numFmtId, formatCode]),
  )
  const used = all(all(styles, 'cellXfs')[0], 'xf').map(
    ({ attributes: { numFmtId = '' } }) => formats.get(numFmtId) ?? builtIn[numFmtId],
  )
  const rules = all(sheet, 'dataValidation')
  const ranges = new Map(all(book, 'definedName').map(({ attributes: { name = '' }, text }) => [name, text]))
  const columnStyles = all(sheet, 'col').map(({ attributes: { style = '0' } }) => Number(style))
  const ruleOf = (at: number) => {
    const rule = rules.find(({ attributes: { sqref = '' } }) => sqref.startsWith(`${columnName(at + 1)}2:`))
    if (rule === undefined) return undefined
    const [from = '', to] = rule.children.map(({ text }) => text)
    const { type = '', operator } = rule.attributes
    return type === 'list' ? valuesIn(lists, ranges.get(from) ?? '') : `${type} ${operator} ${from} and ${to}`
  }
  const prompt = rules.find(({ attributes }) => attributes['showInputMessage'] === '1')?.attributes
  return {
    sheets: all(book, 'sheet').map(({ attributes: { name = '', state = 'visible' } }) => ({ name, state })),
    columns: all(sheet, 'c').map((cell, at) => ({
      heading: String(valueOf(cell)),
      format: used[columnStyles[at] ?? 0] ?? '',
      rule: ruleOf(at),
    })),
    prompt: prompt === undefined ? undefined : { where: prompt['sqref'] ?? '', says: prompt['prompt'] ?? '' },
    fillIn(rows) {
      const written = rows.map((cells, index) => {
        const each = cells.map((value, at) =>
          writeCell(`${columnName(at + 1)}${index + 2}`, value, columnStyles[at] ?? 0),
        )
        return `<row r="${index + 2}">${each.join('')}</row>`
      })
      const name = 'xl/worksheets/sheet1.xml'
      const filled = parts
        .get(name)
        ?.toString()
        .replace('</sheetData>', `${written.join('')}</sheetData>`)
      const content = new Map([...parts, [name, Buffer.from(filled ?? '')]])
      return createZip([...content].map(([entry, its]) => ({ name: entry, content: its })))
    },
  }
}

const builtIn: Readonly<Record<string, string>> = { 0: 'General', 49: '@' }

function writeCell(address: string, value: CellInput, style: number): string {
  const start = `<c r="${address}" s="${style}"`
  if (typeof value === 'string') return `${start} t="inlineStr"><is><t>${value}</t></is></c>`
  return typeof value === 'number' ? `${start}><v>${value}</v></c>` : `${start} t="b"><v>${Number(value)}</v></c>`
}

/** @param range such as `Lists!$B$2:$B$9` */
function valuesIn(lists: ParsedElement, range: string): readonly CellInput[] {
  const [, column = '', from = '', to = ''] = /^Lists!\$([A-Z]+)\$(\d+):\$\1\$(\d+)$/u.exec(range) ?? []
  const cells = new Map(all(lists, 'c').map((cell) => [cell.attributes['r'], cell]))
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) =>
    valueOf(cells.get(`${column}${Number(from) + at}`)),
  )
}

function valueOf(cell: ParsedElement | undefined): CellInput {
  const { t: type } = cell?.attributes ?? {}
  if (type === 'inlineStr') return all(cell, 't')[0]?.text ?? ''
  const written = all(cell, 'v')[0]?.text ?? ''
  return type === 'b' ? written === '1' : Number(written)
}
