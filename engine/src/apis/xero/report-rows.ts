/** Parses Xero's reports: sections of rows of text cells. */
import { asText } from '../http/canonical-text.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { readMember, readMembers } from '../http/fields.ts'
import { unknownFormatFault } from './api.ts'
import type { XeroMonth } from './tables/dates.ts'
import type { ReportStream } from './tables/stream-kinds.ts'

interface XeroReportRow {
  readonly section: string
  readonly type: string
  readonly cells: readonly JsonObject[]
}

/** Returns a report's month as a document with its lines. */
export function monthDocument({ name }: ReportStream, month: XeroMonth, answer: JsonObject): JsonObject {
  const [report] = readMembers(answer, 'Reports')
  if (report === undefined || !Array.isArray(readMember(report, 'Rows'))) throw unknownFormatFault(name)
  const rows = readMembers(report, 'Rows').flatMap((row) => rowsIn(row, ''))
  const lines = name === 'Reports/TrialBalance' ? balanceLines(rows, name) : statementLines(rows)
  return {
    Month: month,
    ReportName: readMember(report, 'ReportName'),
    UpdatedDateUTC: readMember(report, 'UpdatedDateUTC'),
    Lines: lines,
  }
}

function rowsIn(row: JsonObject, parentSection: string): XeroReportRow[] {
  const type = asText(readMember(row, 'RowType')) ?? ''
  if (type !== 'Section') return [{ section: parentSection, type, cells: readMembers(row, 'Cells') }]
  const title = asText(readMember(row, 'Title')) ?? ''
  return readMembers(row, 'Rows').flatMap((inner) => rowsIn(inner, title === '' ? parentSection : title))
}

/** One line per account: the movement of the month and of the year to date. */
function balanceLines(rows: readonly XeroReportRow[], path: string): JsonObject[] {
  const titles = rows.find(({ type }) => type === 'Header')?.cells.map((cell) => textOf(cell).toLowerCase()) ?? []
  const columns = ['debit', 'credit', 'ytd debit', 'ytd credit'].map((title) => titles.indexOf(title))
  // Without known columns, figures could be assigned to the wrong ones.
  if (columns.includes(-1)) throw unknownFormatFault(path)
  return rows
    .filter(({ type, cells }) => type === 'Row' && accountOf(cells) !== null)
    .map(({ section, cells }) => {
      const [debit, credit, ytdDebit, ytdCredit] = columns.map((column) => amountOf(cells[column]))
      const { label, code } = namesOf(textOf(cells[0]))
      return {
        AccountID: accountOf(cells),
        Code: code,
        Name: label,
        Section: section,
        Debit: debit,
        Credit: credit,
        YtdDebit: ytdDebit,
        YtdCredit: ytdCredit,
      }
    })
}

function statementLines(rows: readonly XeroReportRow[]): JsonObject[] {
  return rows
    .filter(({ type }) => type !== 'Header')
    .map(({ section, type, cells }) => ({
      Section: section,
      RowType: type,
      AccountID: accountOf(cells),
      Label: textOf(cells[0]),
      Amount: textOf(cells[1]) === '' ? null : textOf(cells[1]),
    }))
}

/** An empty cell means that the account has not moved. */
function amountOf(cell: JsonObject | undefined): string {
  const text = textOf(cell).replaceAll(',', '')
  return text === '' ? '0' : text
}

/** Splits `Sales (200)` into name and code; the code may be missing. */
function namesOf(text: string): { readonly label: string; readonly code: string | null } {
  const [, label, code] = /^(.*) \(([^()]*)\)$/s.exec(text) ?? []
  return label === undefined || code === undefined ? { label: text, code: null } : { label, code }
}

function textOf(cell: JsonObject | undefined): string {
  return cell === undefined ? '' : (asText(readMember(cell, 'Value')) ?? '')
}

function accountOf(cells: readonly JsonObject[]): ExactJson {
  const [first] = cells
  if (first === undefined) return null
  const attribute = readMembers(first, 'Attributes').find(
    (attributeNode) => readMember(attributeNode, 'Id') === 'account',
  )
  return attribute === undefined ? null : readMember(attribute, 'Value')
}
