/**
 * Writes a template as an .xlsx (ECMA-376, parts 1 and 2): one sheet to fill in, and a hidden one with the lists that
 * its cells allow. Pure.
 */
import type { ColumnType } from '@tributary/contract/column-types'
import { type ZipFileEntry, createZip } from '../../../kernel/pages/zip.ts'
import { columnName } from '@tributary/contract/sheet-preview'
import { sheetName, spreadsheetText as escaped } from '../../../kernel/text/spreadsheet-text.ts'

export interface TemplateWorkbookColumn {
  readonly heading: string
  readonly type: ColumnType
  /** Measures are shown with two decimals; codes such as accounts and years are not. */
  readonly isMeasure: boolean
  /** Allowed values; default: all values of the type. */
  readonly list?: ValueList | undefined
}

export interface ValueList {
  /** Excel's message for any other value. */
  readonly error: string
  readonly values: readonly (string | number | boolean)[]
}

export interface TemplateWorkbook {
  readonly name: string
  readonly columns: readonly TemplateWorkbookColumn[]
}

export function templateWorkbook({ name, columns }: TemplateWorkbook): Buffer {
  const sheet = sheetName(name, new Set([listsSheet.toLowerCase()]))
  const lists = columns.flatMap(({ heading, list }, at) => (list === undefined ? [] : [{ at, heading, ...list }]))
  const texts: readonly (readonly [name: string, xml: string])[] = [
    ['[Content_Types].xml', contentTypes],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(sheet, lists)],
    ['xl/_rels/workbook.xml.rels', relationships(workbookParts)],
    ['xl/styles.xml', stylesXml],
    ['xl/worksheets/sheet1.xml', sheetXml(columns)],
    ['xl/worksheets/sheet2.xml', listsXml(lists)],
  ]
  return createZip(texts.map(([part, xml]): ZipFileEntry => ({ name: part, content: Buffer.from(head + xml) })))
}

type PlacedValueList = ValueList & { readonly at: number; readonly heading: string }

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${sheetType}.worksheet+xml"/></Types>`

const workbookParts = [
  ['worksheet', 'worksheets/sheet1.xml'],
  ['worksheet', 'worksheets/sheet2.xml'],
  ['styles', 'styles.xml'],
] as const

function relationships(parts: readonly (readonly [type: string, target: string])[]): string {
  const each = parts.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}

const listsSheet = 'Lists'

function workbookXml(sheet: string, lists: readonly PlacedValueList[]): string {
  const ranges = lists.map(({ at, values }, index) => {
    const column = columnName(index + 1)
    return `<definedName name="${rangeName(at)}">${listsSheet}!$${column}$2:$${column}$${values.length + 1}</definedName>`
  })
  return (
    `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/>` +
    `<sheet name="${listsSheet}" sheetId="2" state="hidden" r:id="rId2"/></sheets>${tag('definedNames', ranges)}</workbook>`
  )
}

/** Named ranges, because Excel limits inline lists to 255 characters. */
function rangeName(at: number): string {
  return `List_${at + 1}`
}

const dateFormats = { date: 'yyyy-mm-dd', moment: 'yyyy-mm-dd hh:mm:ss' } as const
const measureFormat = '#,##0.00##'

/** The indices of `cellXfs`. Text is formatted as text (49), so that codes such as 0100 keep their zeros. */
const styles = { general: 0, heading: 1, text: 2, measure: 3, date: 4, moment: 5 } as const

const stylesXml =
  `<styleSheet ${main}><numFmts count="3"><numFmt numFmtId="164" formatCode="${measureFormat}"/>` +
  `<numFmt numFmtId="165" formatCode="${dateFormats.date}"/><numFmt numFmtId="166" formatCode="${dateFormats.moment}"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">' +
  [xf(0, 0), xf(49, 1), xf(49, 0), xf(164, 0), xf(165, 0), xf(166, 0)].join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

function xf(numFmtId: number, fontId: number): string {
  return `<xf numFmtId="${numFmtId}" fontId="${fontId}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
}

function styleOf({ type, isMeasure }: TemplateWorkbookColumn): number {
  if (type === 'number') return isMeasure ? styles.measure : styles.general
  return type === 'truth' ? styles.general : styles[type]
}

const frozenHeadings =
  '<sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'

function sheetXml(columns: readonly TemplateWorkbookColumn[]): string {
  const widths = columns.map((column, at) => {
    const width = Math.min(40, Math.max(14, column.heading.length + 4))
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1" style="${styleOf(column)}"/>`
  })
  const headings = columns.map(({ heading }, at) => textCell(`${columnName(at + 1)}1`, heading, styles.heading))
  const rules = [...columns.flatMap((column, at) => validation(column, at)), newHeadings(columns.length)]
  const validations = `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`
  return `<worksheet ${main}>${frozenHeadings}${tag('cols', widths)}<sheetData>${row(1, headings)}</sheetData>${validations}</worksheet>`
}

const rowsMax = 1_048_576
/** Excel counts days from 1 January 1900 to 31 December 9999. */
const lastDay = 2_958_465
const digitsMax = '999999999999999999'

function validation(column: TemplateWorkbookColumn, at: number): string[] {
  const { list, type } = column
  const letter = columnName(at + 1)
  const where = `allowBlank="1" showErrorMessage="1" errorTitle="${escaped(short(column.heading, 32))}" sqref="${letter}2:${letter}${rowsMax}"`
  const rule = (attributes: string, error: string, formulas: string) =>
    `<dataValidation ${attributes} ${where} error="${escaped(short(error, 255))}">${formulas}</dataValidation>`
  const between = (kind: string, from: string | number, to: string | number, error: string) =>
    rule(`type="${kind}" operator="between"`, error, `<formula1>${from}</formula1><formula2>${to}</formula2>`)
  if (list !== undefined) return [rule('type="list"', list.error, `<formula1>${rangeName(at)}</formula1>`)]
  if (type === 'number') return [between('decimal', `-${digitsMax}`, digitsMax, 'This column holds numbers.')]
  if (type === 'date') return [between('date', 1, lastDay, 'This column holds dates.')]
  if (type === 'moment') return [between('date', 1, `${lastDay}.99999`, 'This column holds dates with a time.')]
  return []
}

const promptColumns = 50

/** A prompt at the empty headings, also the instruction for a table without columns. */
function newHeadings(count: number): string {
  const prompt = 'A heading that you enter here becomes a new column of the table when you load the sheet.'
  const range = `${columnName(count + 1)}1:${columnName(count + promptColumns)}1`
  return `<dataValidation allowBlank="1" showInputMessage="1" promptTitle="New column" prompt="${prompt}" sqref="${range}"/>`
}

function listsXml(lists: readonly PlacedValueList[]): string {
  const length = Math.max(0, ...lists.map(({ values }) => values.length))
  const headings = lists.map(({ heading }, index) => textCell(`${columnName(index + 1)}1`, heading, styles.heading))
  const rows = Array.from({ length }, (_, at) =>
    row(
      at + 2,
      lists.flatMap(({ values }, index) => {
        const value = values[at]
        return value === undefined ? [] : [valueCell(`${columnName(index + 1)}${at + 2}`, value)]
      }),
    ),
  )
  return `<worksheet ${main}><sheetData>${row(1, headings)}${rows.join('')}</sheetData></worksheet>`
}

function row(number: number, cells: readonly string[]): string {
  return cells.length === 0 ? '' : `<row r="${number}">${cells.join('')}</row>`
}

function valueCell(address: string, value: string | number | boolean): string {
  if (typeof value === 'string') return textCell(address, value, styles.text)
  return typeof value === 'number'
    ? `<c r="${address}"><v>${value}</v></c>`
    : `<c r="${address}" t="b"><v>${value ? 1 : 0}</v></c>`
}

function textCell(address: string, text: string, style: number): string {
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

function tag(name: string, children: readonly string[]): string {
  return children.length === 0 ? '' : `<${name}>${children.join('')}</${name}>`
}

function short(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text
}
