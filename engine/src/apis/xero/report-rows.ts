/** What stands in a report of Xero: sections of rows of cells, all of them text. */
import { asText } from '../http/canonical.ts'
import type { Json, JsonObject } from '../http/exact-json.ts'
import { member, members } from '../http/fields.ts'
import { unknownShape } from './api.ts'
import type { Month } from './tables/dates.ts'
import type { ReportStream } from './tables/declare.ts'

interface ReportRow {
  readonly section: string
  readonly type: string
  readonly cells: readonly JsonObject[]
}

/** The month as a document with its lines. */
export function monthDocument({ name }: ReportStream, month: Month, answer: JsonObject): JsonObject {
  const [report] = members(answer, 'Reports')
  if (report === undefined || !Array.isArray(member(report, 'Rows'))) throw unknownShape(name)
  const rows = members(report, 'Rows').flatMap((row) => rowsIn(row, ''))
  const lines = name === 'Reports/TrialBalance' ? balanceLines(rows, name) : statementLines(rows)
  return {
    Month: month,
    ReportName: member(report, 'ReportName'),
    UpdatedDateUTC: member(report, 'UpdatedDateUTC'),
    Lines: lines,
  }
}

function rowsIn(row: JsonObject, within: string): ReportRow[] {
  const type = asText(member(row, 'RowType')) ?? ''
  if (type !== 'Section') return [{ section: within, type, cells: members(row, 'Cells') }]
  const title = asText(member(row, 'Title')) ?? ''
  return members(row, 'Rows').flatMap((inner) => rowsIn(inner, title === '' ? within : title))
}

/** One for each account: the movement of the month, and of the year so far. */
function balanceLines(rows: readonly ReportRow[], path: string): JsonObject[] {
  const titles = rows.find(({ type }) => type === 'Header')?.cells.map((cell) => textOf(cell).toLowerCase()) ?? []
  const columns = ['debit', 'credit', 'ytd debit', 'ytd credit'].map((title) => titles.indexOf(title))
  // Without knowing which column is which, figures would be put where they do not belong.
  if (columns.includes(-1)) throw unknownShape(path)
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

function statementLines(rows: readonly ReportRow[]): JsonObject[] {
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

/** Nothing is written where an account has not moved. */
function amountOf(cell: JsonObject | undefined): string {
  const text = textOf(cell).replaceAll(',', '')
  return text === '' ? '0' : text
}

/** `Sales (200)`: the name, and the code where the account has one. */
function namesOf(text: string): { readonly label: string; readonly code: string | null } {
  const [, label, code] = /^(.*) \(([^()]*)\)$/s.exec(text) ?? []
  return label === undefined || code === undefined ? { label: text, code: null } : { label, code }
}

function textOf(cell: JsonObject | undefined): string {
  return cell === undefined ? '' : (asText(member(cell, 'Value')) ?? '')
}

function accountOf(cells: readonly JsonObject[]): Json {
  const [first] = cells
  if (first === undefined) return null
  const attribute = members(first, 'Attributes').find((one) => member(one, 'Id') === 'account')
  return attribute === undefined ? null : member(attribute, 'Value')
}
