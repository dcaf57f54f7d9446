/**
 * Writes a workbook (ECMA-376, parts 1 and 2) row by row. Its cells are text, numbers, dates and truth values, never formulas: text that looks like
 * one stays text, also when a person edits the cell.
 */
import { sheetName, spreadsheetText } from '../../../kernel/text/spreadsheet-text.ts'
import type { ExportedTable, ExportRow } from './exported-table.ts'
import { type SheetCellWriter, sheetCellWriter, sheetStyles } from './sheet-cells.ts'
import { type ZipEntry, zipStream } from './zip-stream.ts'

interface SheetLimits {
  /** Without the heading. */
  readonly rows: number
  /** Characters of the XML of a sheet. */
  readonly size: number
}

/** Of Excel, and of a ZIP entry. */
const excelLimits: SheetLimits = { rows: 1_048_575, size: 3_000_000_000 }

/** Rows beyond the limits of a sheet continue in another one. */
export function writeXlsx(exported: ExportedTable, limits = excelLimits): AsyncGenerator<Buffer> {
  return zipStream(listParts(exported, limits))
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The sheets come first, because only then their number is known. */
async function* listParts({ table, columns, rows }: ExportedTable, limits: SheetLimits): AsyncGenerator<ZipEntry> {
  const writers = columns.map((column, at) => sheetCellWriter(column, at))
  const heading = columns.map(({ name }) => name)
  const source = new RowSource(rows)
  const names: string[] = []
  do {
    names.push(
      sheetName(names.length === 0 ? table.name : `${table.name.slice(0, 24)} ${names.length + 1}`, taken(names)),
    )
    yield {
      name: `xl/worksheets/sheet${names.length}.xml`,
      content: sheetXml(source, { writers, heading, limits }),
    }
  } while (!(await source.isAtEnd()))
  yield* partsAbout(names)
}

function taken(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

/** Hands rows out in batches that do not cross the end of a sheet. */
class RowSource {
  readonly #batches: AsyncIterator<readonly ExportRow[]>
  #rest: readonly ExportRow[] = []
  #isDone = false

  constructor(rows: AsyncIterable<readonly ExportRow[]>) {
    this.#batches = rows[Symbol.asyncIterator]()
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#isDone) {
      const { done = false, value } = await this.#batches.next()
      this.#isDone = done
      this.#rest = done ? [] : (value as readonly ExportRow[])
    }
    return this.#rest.length === 0
  }

  async take(max: number): Promise<readonly ExportRow[]> {
    if (await this.isAtEnd()) return []
    const batch = this.#rest.slice(0, max)
    this.#rest = this.#rest.slice(max)
    return batch
  }
}

interface SheetParts {
  readonly writers: readonly SheetCellWriter[]
  readonly heading: readonly string[]
  readonly limits: SheetLimits
}

async function* sheetXml(source: RowSource, { writers, heading, limits }: SheetParts): AsyncGenerator<string> {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const columns = writers.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`
  yield `<row r="1">${heading.map((name, at) => writers[at]?.heading(name) ?? '').join('')}</row>`
  let count = 0
  let size = 0
  while (count < limits.rows && size < limits.size) {
    const batch = await source.take(limits.rows - count)
    if (batch.length === 0) break
    const first = count + 2
    const text = batch.map((row, at) => rowXml(row, first + at, writers)).join('')
    count += batch.length
    size += text.length
    yield text
  }
  yield '</sheetData></worksheet>'
}

function rowXml(row: ExportRow, number: number, writers: readonly SheetCellWriter[]): string {
  return `<row r="${number}">${writers.map(({ cell }, at) => cell(row[at] ?? null, number)).join('')}</row>`
}

function* partsAbout(names: readonly string[]): Generator<ZipEntry> {
  const sheets = names.map(
    (name, at) => `<sheet name="${spreadsheetText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  const targets = [
    ...names.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', 'styles.xml'] as const,
  ]
  const overrides = [
    ['workbook.xml', 'sheet.main'],
    ['styles.xml', 'styles'],
    ...names.map((_, at) => [`worksheets/sheet${at + 1}.xml`, 'worksheet'] as const),
  ].map(([part, type]) => `<Override PartName="/xl/${part}" ContentType="${types}.${type}+xml"/>`)
  const parts: readonly (readonly [name: string, xml: string])[] = [
    ['xl/styles.xml', `<styleSheet xmlns="${main}">${sheetStyles}</styleSheet>`],
    ['xl/workbook.xml', `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.join('')}</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', relationships(targets)],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    [
      '[Content_Types].xml',
      `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    ],
  ]
  for (const [name, xml] of parts) yield { name, content: [head + xml] }
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${packaged}/relationships">${each.join('')}</Relationships>`
}
