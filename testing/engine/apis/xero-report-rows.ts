/** The rows that a target must hold of Xero's own reports, month by month from the first document to the present. */
import type { XeroSimulator } from '@tributary/sims/xero/server'

type Row = Readonly<Record<string, unknown>>

interface Cell {
  readonly Value?: string
  readonly Attributes?: readonly { readonly Id: string; readonly Value: string }[]
}

/** Sections hold rows, and so does the report. */
interface Part {
  readonly RowType: string
  readonly Title?: string
  readonly Cells?: readonly Cell[]
  readonly Rows?: readonly Part[]
}

interface Line {
  readonly section: string
  readonly row_type: string
  readonly cells: readonly Cell[]
}

export function reportRows(sim: XeroSimulator, tenantId: string, now: number): readonly [string, readonly Row[]][] {
  const months = monthsOf(sim, tenantId, now)
  const each = (report: string, rows: (lines: readonly Line[], month: string) => readonly Row[]): readonly Row[] =>
    months.flatMap((month) => rows(linesOf(reportOf(sim, tenantId, report, month)), month))
  return [
    ['report_trial_balance', each('TrialBalance', trialBalanceRows)],
    ['report_profit_and_loss', each('ProfitAndLoss', statementRows)],
    ['report_balance_sheet', each('BalanceSheet', statementRows)],
  ]
}

function reportOf(sim: XeroSimulator, tenantId: string, report: string, month: string): readonly Part[] {
  const [reply] = sim.readRows(tenantId, `Reports/${report}`, queryOf(report, month))
  return reply?.['Rows'] as readonly Part[]
}

/** First days, from the month of the first document. */
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

/** Every row with the section that it stands in. */
function linesOf(parts: readonly Part[], section = ''): readonly Line[] {
  return parts.flatMap(({ RowType, Title, Cells = [], Rows }): readonly Line[] =>
    Rows === undefined ? [{ section, row_type: RowType, cells: Cells }] : linesOf(Rows, Title),
  )
}

function trialBalanceRows(lines: readonly Line[], month: string): readonly Row[] {
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
const figureIn = (cell: Cell | undefined): string => cell?.Value || '0'

function statementRows(lines: readonly Line[], month: string): readonly Row[] {
  return lines
    .filter(({ row_type }) => row_type !== 'Header')
    .map(({ section, row_type, cells: [label, amount] }, index) => {
      const values = { section, row_type, label: label?.Value, amount: amount?.Value }
      return { month, ordinal: index + 1, account_id: accountOf(label), ...values }
    })
}

function accountOf(cell: Cell | undefined): string | undefined {
  return cell?.Attributes?.find(({ Id }) => Id === 'account')?.Value
}
