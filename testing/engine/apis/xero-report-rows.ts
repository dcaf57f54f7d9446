/** The rows that a target must hold of Xero's reports, month by month from the first document to the present. */
import type { XeroSimulator } from '@tributary/sims/xero/server'

type ExpectedReportRow = Readonly<Record<string, unknown>>

interface XeroReportCell {
  readonly Value?: string
  readonly Attributes?: readonly { readonly Id: string; readonly Value: string }[]
}

/** A row, or a section that contains rows. */
interface XeroReportPart {
  readonly RowType: string
  readonly Title?: string
  readonly Cells?: readonly XeroReportCell[]
  readonly Rows?: readonly XeroReportPart[]
}

interface XeroReportLine {
  readonly section: string
  readonly row_type: string
  readonly cells: readonly XeroReportCell[]
}

export function reportRows(
  sim: XeroSimulator,
  tenantId: string,
  now: number,
): readonly [string, readonly ExpectedReportRow[]][] {
  const months = monthsOf(sim, tenantId, now)
  const each = (
    report: string,
    rows: (lines: readonly XeroReportLine[], month: string) => readonly ExpectedReportRow[],
  ): readonly ExpectedReportRow[] =>
    months.flatMap((month) => rows(linesOf(reportOf(sim, tenantId, report, month)), month))
  return [
    ['report_trial_balance', each('TrialBalance', trialBalanceRows)],
    ['report_profit_and_loss', each('ProfitAndLoss', statementRows)],
    ['report_balance_sheet', each('BalanceSheet', statementRows)],
  ]
}

function reportOf(sim: XeroSimulator, tenantId: string, report: string, month: string): readonly XeroReportPart[] {
  const [reply] = sim.readRows(tenantId, `Reports/${report}`, queryOf(report, month))
  return reply?.['Rows'] as readonly XeroReportPart[]
}

/** The first days of all months since the first document. */
function monthsOf(sim: XeroSimulator, tenantId: string, now: number): readonly string[] {
  const dated = ['Invoices', 'BankTransactions', 'ManualJournals', 'Payments']
  const dates = dated.flatMap((endpoint) =>
    sim.readRows(tenantId, endpoint).map(({ Date: date }) => Number(/-?\d+/.exec(String(date))?.[0])),
  )
  const months: string[] = []
  const first = new Date(dates.reduce((least, date) => Math.min(least, date), now))
  for (let at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth()); at <= now; at = nextMonth(at))
    months.push(dayText(at))
  return months
}

function nextMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

function queryOf(report: string, month: string): Readonly<Record<string, string>> {
  const last = dayText(nextMonth(Date.parse(month)) - 86_400_000)
  return report === 'ProfitAndLoss' ? { fromDate: month, toDate: last } : { date: last }
}

/** Every row with its section. */
function linesOf(parts: readonly XeroReportPart[], section = ''): readonly XeroReportLine[] {
  return parts.flatMap(({ RowType, Title, Cells = [], Rows }): readonly XeroReportLine[] =>
    Rows === undefined ? [{ section, row_type: RowType, cells: Cells }] : linesOf(Rows, Title),
  )
}

function trialBalanceRows(lines: readonly XeroReportLine[], month: string): readonly ExpectedReportRow[] {
  return lines.flatMap(({ section, row_type, cells: [label, debit, credit, ytdDebit, ytdCredit] }) =>
    row_type !== 'Row'
      ? []
      : [
          {
            month,
            section,
            account_id: accountOf(label),
            debit: figureIn(debit),
            credit: figureIn(credit),
            ytd_debit: figureIn(ytdDebit),
            ytd_credit: figureIn(ytdCredit),
          },
        ],
  )
}

/** Xero leaves the cell empty if an account has not moved. */
const figureIn = (cell: XeroReportCell | undefined): string => cell?.Value || '0'

function statementRows(lines: readonly XeroReportLine[], month: string): readonly ExpectedReportRow[] {
  return lines
    .filter(({ row_type }) => row_type !== 'Header')
    .map(({ section, row_type, cells: [label, amount] }, index) => {
      const values = { section, row_type, label: label?.Value, amount: amount?.Value }
      return { month, ordinal: index + 1, account_id: accountOf(label), ...values }
    })
}

function accountOf(cell: XeroReportCell | undefined): string | undefined {
  return cell?.Attributes?.find(({ Id }) => Id === 'account')?.Value
}
