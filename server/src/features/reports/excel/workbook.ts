/**
 * A workbook with live queries: a sheet that explains how to refresh, and a sheet with a table for each query. It holds
 * no data until Excel refreshes it. ECMA-376 parts 1 and 2; the queries are in `data-mashup.ts`.
 */
import { columnName } from '@tributary/contract/sheet-preview'
import { createZip, type ZipFileEntry } from '../../../kernel/pages/zip.ts'
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import { sheetName, spreadsheetText as escaped } from '../../../kernel/text/spreadsheet-text.ts'
import { dataMashupPart, mashupNamespace, type WorkbookQuery } from './data-mashup.ts'

export interface QueryWorkbook {
  /** The lines of the first sheet; the first one is its heading. */
  readonly introduction: readonly string[]
  readonly queries: readonly (WorkbookQuery & { readonly title: string })[]
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const partType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const introductionSheet = 'Start here'

type NumberedQuery = QueryWorkbook['queries'][number] & { readonly number: number; readonly sheet: string }

export function queryWorkbook({ introduction, queries }: QueryWorkbook): Buffer {
  const numbered = numberQueries(queries)
  const texts: readonly (readonly [name: string, xml: string])[] = [
    ['[Content_Types].xml', contentTypes(numbered)],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(numbered)],
    ['xl/_rels/workbook.xml.rels', relationships(workbookParts(numbered))],
    ['xl/styles.xml', stylesXml],
    ['xl/connections.xml', connectionsXml(numbered)],
    ['xl/worksheets/sheet1.xml', introductionXml(introduction)],
    ['customXml/itemProps1.xml', itemProperties],
    ['customXml/_rels/item1.xml.rels', relationships([['customXmlProps', 'itemProps1.xml']])],
    ...numbered.flatMap((query) => queryParts(query)),
  ]
  const parts = texts.map(([name, xml]): ZipFileEntry => ({ name, content: Buffer.from(head + xml) }))
  return createZip([...parts, { name: 'customXml/item1.xml', content: dataMashupPart(queries) }])
}

function numberQueries(queries: QueryWorkbook['queries']): readonly NumberedQuery[] {
  const taken = new Set([introductionSheet.toLowerCase()])
  return queries.map((query, at) => {
    const sheet = sheetName(query.title, taken)
    taken.add(sheet.toLowerCase())
    return { ...query, number: at + 1, sheet }
  })
}

function contentTypes(queries: readonly NumberedQuery[]): string {
  const override = (part: string, type: string) => `<Override PartName="/${part}" ContentType="${type}+xml"/>`
  const each = queries.flatMap(({ number }) => [
    override(`xl/worksheets/sheet${number + 1}.xml`, `${partType}.worksheet`),
    override(`xl/tables/table${number}.xml`, `${partType}.table`),
    override(`xl/queryTables/queryTable${number}.xml`, `${partType}.queryTable`),
  ])
  return (
    `<Types xmlns="${packaged}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
    override('xl/workbook.xml', `${partType}.sheet.main`) +
    override('xl/styles.xml', `${partType}.styles`) +
    override('xl/connections.xml', `${partType}.connections`) +
    override('xl/worksheets/sheet1.xml', `${partType}.worksheet`) +
    override('customXml/itemProps1.xml', 'application/vnd.openxmlformats-officedocument.customXmlProperties') +
    `${each.join('')}</Types>`
  )
}

function relationships(parts: readonly (readonly [type: string, target: string])[]): string {
  const each = parts.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${packaged}/relationships">${each.join('')}</Relationships>`
}

/** The sheets come first, so that the number of a sheet is that of its relationship. */
function workbookParts(queries: readonly NumberedQuery[]): readonly (readonly [string, string])[] {
  return [
    ['worksheet', 'worksheets/sheet1.xml'],
    ...queries.map(({ number }) => ['worksheet', `worksheets/sheet${number + 1}.xml`] as const),
    ['styles', 'styles.xml'],
    ['connections', 'connections.xml'],
    ['customXml', '../customXml/item1.xml'],
  ]
}

function workbookXml(queries: readonly NumberedQuery[]): string {
  const sheets = [introductionSheet, ...queries.map(({ sheet }) => sheet)].map(
    (name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  const names = queries.map(({ number, sheet, columns }) => {
    const range = `'${sheet.replaceAll("'", "''")}'!$A$1:$${columnName(columns.length)}$2`
    return `<definedName name="ExternalData_${number}" localSheetId="${number}" hidden="1">${escaped(range)}</definedName>`
  })
  return (
    `<workbook ${main} xmlns:r="${office}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets.join('')}</sheets>` +
    `${names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`}</workbook>`
  )
}

function connectionsXml(queries: readonly NumberedQuery[]): string {
  const each = queries.map(({ number, name }) => {
    const source = `Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location="${name}";Extended Properties=""`
    return (
      `<connection id="${number}" keepAlive="1" name="${escaped(`Query - ${name}`)}" description="${escaped(`Connection to the '${name}' query in the workbook.`)}" type="5" refreshedVersion="7" background="1" saveData="1">` +
      `<dbPr connection="${escaped(source)}" command="${escaped(commandOf(name))}"/></connection>`
    )
  })
  return `<connections ${main}>${each.join('')}</connections>`
}

/** What the connection asks of the query, in words of OLE DB. */
function commandOf(query: string): string {
  return ['SELECT * FROM [', query.replaceAll(']', ']]'), ']'].join('')
}

function queryParts(query: NumberedQuery): readonly (readonly [name: string, xml: string])[] {
  const { number } = query
  return [
    [`xl/worksheets/sheet${number + 1}.xml`, sheetXml(query)],
    [`xl/worksheets/_rels/sheet${number + 1}.xml.rels`, relationships([['table', `../tables/table${number}.xml`]])],
    [`xl/tables/table${number}.xml`, tableXml(query)],
    [
      `xl/tables/_rels/table${number}.xml.rels`,
      relationships([['queryTable', `../queryTables/queryTable${number}.xml`]]),
    ],
    [`xl/queryTables/queryTable${number}.xml`, queryTableXml(query)],
  ]
}

/** The headings, and the empty row that a table must have. */
function sheetXml({ columns }: NumberedQuery): string {
  const cells = columns.map((column, at) => textCell(`${columnName(at + 1)}1`, column, 1))
  return (
    `<worksheet ${main} xmlns:r="${office}"><dimension ref="A1:${columnName(columns.length)}2"/>` +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<sheetData><row r="1">${cells.join('')}</row></sheetData><tableParts count="1"><tablePart r:id="rId1"/></tableParts></worksheet>`
  )
}

function tableXml({ number, table, columns }: NumberedQuery): string {
  const range = `A1:${columnName(columns.length)}2`
  const each = columns.map(
    (column, at) =>
      `<tableColumn id="${at + 1}" uniqueName="${at + 1}" name="${escaped(column)}" queryTableFieldId="${at + 1}"/>`,
  )
  return (
    `<table ${main} id="${number}" name="${escaped(table)}" displayName="${escaped(table)}" ref="${range}" tableType="queryTable" totalsRowShown="0">` +
    `<autoFilter ref="${range}"/><tableColumns count="${columns.length}">${each.join('')}</tableColumns>` +
    '<tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>'
  )
}

function queryTableXml({ number, columns }: NumberedQuery): string {
  const fields = columns.map(
    (column, at) => `<queryTableField id="${at + 1}" name="${escaped(column)}" tableColumnId="${at + 1}"/>`,
  )
  return (
    `<queryTable ${main} name="ExternalData_${number}" connectionId="${number}" autoFormatId="16" applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" applyAlignmentFormats="0" applyWidthHeightFormats="0">` +
    `<queryTableRefresh nextId="${columns.length + 1}"><queryTableFields count="${columns.length}">${fields.join('')}</queryTableFields></queryTableRefresh></queryTable>`
  )
}

function introductionXml(lines: readonly string[]): string {
  const rows = lines.map((line, at) => `<row r="${at + 1}">${textCell(`A${at + 1}`, line, at === 0 ? 1 : 2)}</row>`)
  return `<worksheet ${main}><sheetViews><sheetView tabSelected="1" showGridLines="0" workbookViewId="0"/></sheetViews><cols><col min="1" max="1" width="100" customWidth="1"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`
}

/** Texts stay texts whatever they begin with, so no name becomes a formula. */
function textCell(address: string, text: string, style: number): string {
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

/** Plain, bold, and wrapped text. */
const stylesXml =
  `<styleSheet ${main}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

const itemProperties = `<ds:datastoreItem ds:itemID="{${nameUuid('6ba7b811-9dad-11d1-80b4-00c04fd430c8', mashupNamespace).toUpperCase()}}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"><ds:schemaRefs><ds:schemaRef ds:uri="${mashupNamespace}"/></ds:schemaRefs></ds:datastoreItem>`
