/** The SELECTs of a described tie-out: the entries of the ledger, the figures of both sides, and the documents behind them. */
import type { LedgerCell, LedgerView } from '../../../ports/tie-out.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import type {
  AmountsDescription,
  EntriesDescription,
  PeriodDescription,
  TieOutDescription,
} from '../description/schema-tie-out.ts'
import { balanceColumn, monthColumn } from '../months/monthly-columns.ts'
import type { SelectedTable, SourceTables } from './source-tables.ts'

export const ledgerView = 'general_ledger'
export const balanceView = 'trial_balance'

export class LedgerSql {
  readonly #tieOut: TieOutDescription
  readonly #tables: SourceTables

  constructor(tieOut: TieOutDescription, tables: SourceTables) {
    this.#tieOut = tieOut
    this.#tables = tables
  }

  readonly views: readonly LedgerView[] = [
    { name: ledgerView, select: (names) => this.#selectLedger(names) },
    { name: balanceView, select: (names) => this.#selectBalance(names) },
  ]

  /** One row: name and base currency. Of several companies: how many, and their currency if it is one. */
  company(names: StatementNames, title: string): string {
    const { company } = this.#tieOut
    if (company === undefined) return `SELECT ${literal(title)} AS name, ${nullText} AS currency`
    const { from, column } = this.#tables.select(company, 'o', names)
    const currency = company.currency === undefined ? nullText : column(company.currency)
    return `SELECT CASE WHEN COUNT(*) = 1 THEN MAX(${column(company.name)}) ELSE CONCAT(COUNT(*), ' companies') END AS name,
      CASE WHEN COUNT(DISTINCT ${currency}) = 1 THEN MAX(${currency}) END AS currency FROM ${from}`
  }

  figures(names: StatementNames): string {
    const { accounts } = this.#tieOut
    const account = this.#tables.select(accounts, 'a', names)
    const code = accounts.code === undefined ? 'f.code' : `COALESCE(${text(account.column(accounts.code))}, f.code)`
    const name = `COALESCE(${account.column(accounts.name)}, f.name, 'No such account')`
    const id = keyOf(account.company, account.column(accounts.id))
    const company = this.#companyName(names)
    return `SELECT f.month, f.account_id, ${code} AS code, ${company.nameWith(name)} AS name, f.computed, f.reported, ${nullText} AS reason
      FROM (SELECT b.month, b.account_id, MAX(b.company) AS company, MAX(b.code) AS code, MAX(b.name) AS name,
          ${cents('SUM(b.computed)')} AS computed, ${cents('SUM(b.reported)')} AS reported
        FROM (${this.#computed(names)} UNION ALL ${this.#reported(names)}) AS b GROUP BY b.month, b.account_id) AS f
      LEFT JOIN ${account.from} ON ${id} = f.account_id${company.join}
      WHERE f.computed <> 0 OR f.reported <> 0`
  }

  /** The latest 500 documents of each cell. */
  documents(names: StatementNames, cells: readonly LedgerCell[]): string {
    const key = this.#viewKey('g')
    return `SELECT n.month, n.account_id, n.kind, n.document_id AS id, n.document_number AS number, n.date, n.contact, n.amount
      FROM (SELECT m.*, ROW_NUMBER() OVER (PARTITION BY m.month, m.account_id ORDER BY m.date DESC, m.document_id) AS place
        FROM (SELECT g.month, ${key} AS account_id, g.kind, g.document_id, MAX(g.document_number) AS document_number, g.date,
            MAX(g.contact) AS contact, ${cents('SUM(g.amount)')} AS amount
          FROM ${names.view(ledgerView)} AS g WHERE ${cells.map((cell) => `(g.month = '${requireMonth(cell.month)}' AND ${key} = ${literal(cell.accountId)})`).join(' OR ')}
          GROUP BY g.month, ${key}, g.kind, g.document_id, g.date) AS m) AS n
      WHERE n.place <= 500`
  }

  #selectLedger(names: StatementNames): string {
    return this.#tieOut.entries.map((entries) => this.#selectEntries(names, entries)).join(' UNION ALL ')
  }

  #selectEntries(names: StatementNames, entries: EntriesDescription): string {
    const { accounts } = this.#tieOut
    const { stream } = entries
    const entry = this.#tables.select({ stream, table: this.#tables.monthlyLines(stream) ?? entries.table }, 'e', names)
    const account = this.#tables.select(accounts, 'a', names)
    const { id, kind, number, contact } = entries.document
    const optional = (field: string | undefined): string => (field === undefined ? nullText : text(entry.column(field)))
    const date = day(entry.column(entries.date))
    const month = names.month(entries.period === undefined ? date : this.#periodStart(names, entry, entries.period))
    const sameCompany = entry.company === null ? '' : ` AND ${String(account.company)} = ${entry.company}`
    return `SELECT ${date} AS date, ${month} AS month, ${this.#companyColumn(entry)}${entry.column(entries.account)} AS account_id,
        ${accounts.code === undefined ? nullText : text(account.column(accounts.code))} AS account_code, ${account.column(accounts.name)} AS account_name,
        ${kind === undefined ? `'Entry'` : kindOf(entry.column(kind))} AS kind, ${text(entry.column(id))} AS document_id,
        ${optional(number)} AS document_number, ${optional(contact)} AS contact, ${amountOf(entry, entries)} AS amount
      FROM ${entry.from} LEFT JOIN ${account.from} ON ${text(account.column(accounts.id))} = ${text(entry.column(entries.account))}${sameCompany}
      WHERE ${conditionOf(entry, entries.only)}`
  }

  #selectBalance({ view }: StatementNames): string {
    const columns = `g.month, ${this.#tables.companyColumn === null ? '' : `g.${this.#tables.companyColumn}, `}g.account_id, g.account_code, g.account_name`
    return `SELECT ${columns}, SUM(g.amount) AS amount FROM ${view(ledgerView)} AS g GROUP BY ${columns}`
  }

  /** The months that have been reported. */
  #computed(names: StatementNames): string {
    const { companyColumn } = this.#tables
    const company = companyColumn === null ? nullText : text(`c.${companyColumn}`)
    const { stream } = this.#tieOut.report
    const lines = this.#tables.monthlyLines(stream)
    const report = this.#tables.select(lines === undefined ? this.#tieOut.report : { stream }, 'm', names)
    const month = this.#reportMonth(names, report)
    const same = companyColumn === null ? '' : ` WHERE ${text(String(report.company))} = ${company}`
    return `SELECT c.month, ${this.#viewKey('c')} AS account_id, ${company} AS company, c.account_code AS code, c.account_name AS name,
        c.amount AS computed, 0 * c.amount AS reported
      FROM ${names.view(balanceView)} AS c WHERE c.month IN (SELECT ${month} FROM ${report.from}${same})`
  }

  #reported(names: StatementNames): string {
    const { report } = this.#tieOut
    const table = this.#tables.monthlyLines(report.stream) ?? report.table
    const row = this.#tables.select({ stream: report.stream, table }, 'r', names)
    const amount = amountOf(row, report)
    const signed = this.#tables.hasBalances(report.stream)
      ? `CASE ${text(`r.${names.quote(balanceColumn)}`)} WHEN 'start' THEN 0 - (${amount}) ELSE ${amount} END`
      : amount
    const optional = (field: string | undefined): string => (field === undefined ? nullText : text(row.column(field)))
    return `SELECT ${this.#reportMonth(names, row)} AS month, ${keyOf(row.company, row.column(report.account))} AS account_id,
        ${row.company === null ? nullText : text(row.company)} AS company, ${optional(report.code)} AS code, ${optional(report.name)} AS name,
        0 * (${amount}) AS computed, ${signed} AS reported
      FROM ${row.from} WHERE ${conditionOf(row, report.only)}`
  }

  #reportMonth(names: StatementNames, row: SelectedTable): string {
    const { month, period } = this.#tieOut.report
    if (period !== undefined) return names.month(this.#periodStart(names, row, period))
    return month === undefined ? row.column(monthColumn) : names.month(day(row.column(month)))
  }

  /** The first day of the period of a row. */
  #periodStart(names: StatementNames, row: SelectedTable, period: PeriodDescription): string {
    const { periods } = this.#tieOut
    if (periods === undefined) throw new Error('The tie-out has no periods.')
    const { from, column, company } = this.#tables.select(periods, 'q', names)
    const [year, number] = [row.column(period.year), row.column(period.number)]
    const same = company === null ? '' : ` AND ${company} = ${String(row.company)}`
    // What is no year counts for January 1900, where it is seen, instead of failing the statement.
    const listedYear = `CASE WHEN ${year} BETWEEN 1900 AND 2199 THEN ${year} ELSE 1900 END`
    return `COALESCE((SELECT MIN(${day(column(periods.start))}) FROM ${from}
      WHERE ${column(periods.year)} = ${year} AND ${column(periods.number)} = ${number}${same}), CAST(CONCAT(${listedYear}, '-01-01') AS date))`
  }

  #companyColumn({ company }: SelectedTable): string {
    return company === null ? '' : `${company}, `
  }

  /** The account of a row of a view, unique among all companies. */
  #viewKey(alias: string): string {
    const { companyColumn } = this.#tables
    return keyOf(companyColumn === null ? null : `${alias}.${companyColumn}`, `${alias}.account_id`)
  }

  /** Accounts of several companies are shown with the company. */
  #companyName(names: StatementNames): { readonly join: string; nameWith(name: string): string } {
    const { company } = this.#tieOut
    if (this.#tables.companyColumn === null || company === undefined) return { join: '', nameWith: (name) => name }
    const there = this.#tables.select(company, 'o', names)
    const all = this.#tables.select(company, 'x', names)
    return {
      join: ` LEFT JOIN ${there.from} ON ${text(String(there.company))} = f.company`,
      nameWith: (name) =>
        `CASE WHEN (SELECT COUNT(*) FROM ${all.from}) > 1 THEN CONCAT(${name}, ' (', COALESCE(${there.column(company.name)}, f.company), ')') ELSE ${name} END`,
    }
  }
}

/** A null that every database takes for a text. */
const nullText = `NULLIF('', '')`

/** A value of any type as text, in the same form in every database. */
function text(expression: string): string {
  return `NULLIF(CONCAT(${expression}, ''), '')`
}

function literal(value: string): string {
  if (value.includes('\\')) throw new Error('A value of a tie-out has a backslash.')
  return `'${value.replaceAll("'", "''")}'`
}

/** In lower case, as the tie-out compares ids. */
function keyOf(company: string | null, account: string): string {
  const id = `COALESCE(${text(account)}, 'none')`
  return `LOWER(${company === null ? id : `CONCAT(${company}, ' ', ${id})`})`
}

function amountOf({ column }: SelectedTable, { amount, debit, credit }: AmountsDescription): string {
  const value = (name: string): string => `COALESCE(${column(name)}, 0)`
  if (amount !== undefined) return value(amount)
  const parts = [
    ...(debit === undefined ? [] : [value(debit)]),
    ...(credit === undefined ? [] : [`- ${value(credit)}`]),
  ]
  return debit === undefined ? `0 ${parts.join(' ')}` : parts.join(' ')
}

function conditionOf({ column }: SelectedTable, only: EntriesDescription['only']): string {
  if (only === undefined) return '1 = 1'
  const values = only.equals.map((value) => literal(value.toLowerCase()))
  return `LOWER(CONCAT(${column(only.column)}, '')) IN (${values.join(', ')})`
}

/** Names of OData write a blank as _x0020_. */
function kindOf(column: string): string {
  return `COALESCE(NULLIF(LTRIM(REPLACE(CONCAT(${column}, ''), '_x0020_', ' ')), ''), 'Entry')`
}

/** The calendar day of a date or a moment. */
function day(column: string): string {
  return `CAST(${column} AS date)`
}

/** Rounds half away from zero, as all databases round decimals. */
function cents(amount: string): string {
  return `CAST(ROUND(${amount}, 2) AS decimal(19,2))`
}

function requireMonth(month: string): string {
  if (!/^\d{4}-\d\d-01$/u.test(month)) throw new Error('This is not a month.')
  return month
}
