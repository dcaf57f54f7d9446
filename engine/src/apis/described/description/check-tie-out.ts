/** That a tie-out names tables and columns that the description has, and that they can be compared. */
import type { DescriptionPath, Report } from './check-hosts.ts'
import { parseColumnType } from './column-type.ts'
import type { StreamDescription } from './schema.ts'
import type { AmountsDescription, EntriesDescription, PeriodDescription, TieOutDescription } from './schema-tie-out.ts'
import type { SourceDescription } from './source-description.ts'

type Columns = StreamDescription['columns']

/** Views of a tie-out, which are in the schema of the tables. */
const viewNames = ['general_ledger', 'trial_balance']

export function checkTieOut(description: SourceDescription, report: Report): void {
  const { tieOut } = description
  if (tieOut === undefined) return
  checkViewNames(description, report)
  const check = new TieOutCheck(description, report)
  const { company, accounts, periods } = tieOut
  if (company !== undefined) check.columns(['tieOut', 'company'], company, [company.name, company.currency])
  check.columns(['tieOut', 'accounts'], accounts, [accounts.id, accounts.code, accounts.name])
  if (periods !== undefined) check.periods(periods)
  for (const [index, entries] of tieOut.entries.entries()) check.entries(['tieOut', 'entries', index], entries)
  check.report(tieOut.report)
  for (const [kind, address] of Object.entries(tieOut.addresses ?? {}))
    if (!address.includes('{id}') || URL.parse(address.replace('{id}', 'x'))?.protocol !== 'https:')
      report(['tieOut', 'addresses', kind], 'must be an address that begins with https:// and has {id}')
}

function checkViewNames(description: SourceDescription, report: Report): void {
  const taken =
    description.engine === 'odata'
      ? Object.entries(description.sets).map(([name, { table }]) => ({ name: table, path: ['sets', name, 'table'] }))
      : Object.entries(description.streams).flatMap(([name, { children = {} }]) => [
          { name, path: ['streams', name] },
          ...Object.keys(children).map((child) => ({ name: child, path: ['streams', name, 'children', child] })),
        ])
  for (const { name, path } of taken)
    if (name !== undefined && viewNames.includes(name)) report(path, `is the name of a view that the tie-out makes`)
}

interface NamedTable {
  readonly stream: string
  readonly table?: string | undefined
}

class TieOutCheck {
  readonly #description: SourceDescription
  readonly #report: Report

  constructor(description: SourceDescription, report: Report) {
    this.#description = description
    this.#report = report
  }

  periods({ stream, table, year, number, start }: NonNullable<TieOutDescription['periods']>): void {
    const path = ['tieOut', 'periods']
    for (const [part, name] of Object.entries({ year, number })) this.#number([...path, part], { stream, table }, name)
    this.#date([...path, 'start'], { stream, table }, start)
  }

  entries(path: DescriptionPath, entries: EntriesDescription): void {
    const { document, date, account, only, again } = entries
    this.columns(path, entries, [account, only?.column])
    this.#period(path, entries)
    this.columns([...path, 'document'], entries, [document.id, document.kind, document.number, document.contact])
    this.#date([...path, 'date'], entries, date)
    this.#amounts(path, entries, entries)
    if (again !== undefined && this.#description.engine === 'odata')
      this.#report([...path, 'again'], 'is not needed: a service is asked by the date of the entries')
  }

  report(report: TieOutDescription['report']): void {
    const path = ['tieOut', 'report']
    const isMonthly = this.#isMonthly(report.stream)
    this.columns(path, report, [report.account, report.code, report.name, report.only?.column])
    this.#amounts(path, report, report)
    if (isMonthly && (report.month ?? report.table) !== undefined)
      this.#report([...path, report.month === undefined ? 'table' : 'month'], 'is not needed for a report by months')
    this.#period(path, report)
    if (isMonthly || report.period !== undefined) return
    if (report.month === undefined) this.#report(path, 'needs month, or a stream with changes: { kind: months }')
    else this.#date([...path, 'month'], report, report.month)
  }

  /** Entries and report both have periods, or none has. */
  #period(path: DescriptionPath, table: NamedTable & { readonly period?: PeriodDescription | undefined }): void {
    const { period } = table
    const needsPeriod = this.#description.tieOut?.periods !== undefined
    if (needsPeriod !== (period !== undefined))
      this.#report(
        path,
        needsPeriod ? 'needs period, because the tie-out has periods' : 'has a period, but the tie-out has no periods',
      )
    for (const [part, name] of Object.entries(period ?? {})) this.#number([...path, 'period', part], table, name)
  }

  #number(path: DescriptionPath, table: NamedTable, name: string): void {
    this.#typed(path, table, name, { kinds: ['integer'], words: 'a whole number' })
  }

  /** That the columns exist. Those of a service are known only at run time. */
  columns(path: DescriptionPath, { stream, table }: NamedTable, names: readonly (string | undefined)[]): void {
    const found = this.#find(path, { stream, table })
    if (found === null) return
    for (const name of names)
      if (name !== undefined && found[name] === undefined)
        this.#report(path, `there is no column ${name} in ${table ?? stream}`)
  }

  #date(path: DescriptionPath, table: NamedTable, name: string): void {
    this.#typed(path, table, name, { kinds: ['date', 'localTimestamp', 'instant'], words: 'a date or a moment' })
  }

  #amounts(path: DescriptionPath, table: NamedTable, { amount, debit, credit }: AmountsDescription): void {
    if ((amount === undefined) === (debit === undefined && credit === undefined))
      this.#report(path, 'needs amount, or debit and credit instead of it')
    for (const [part, name] of Object.entries({ amount, debit, credit }))
      if (name !== undefined)
        this.#typed([...path, part], table, name, { kinds: ['decimal', 'integer'], words: 'an exact number' })
  }

  #typed(
    path: DescriptionPath,
    table: NamedTable,
    name: string,
    { kinds, words }: { readonly kinds: readonly string[]; readonly words: string },
  ): void {
    const columns = this.#find(path, table, 'silently')
    if (columns === null) return
    const column = columns[name]
    if (column === undefined) return this.#report(path, `there is no column ${name} in ${table.table ?? table.stream}`)
    const kind = parseColumnType(typeof column === 'string' ? column : column.type)?.kind ?? ''
    if (!kinds.includes(kind)) this.#report(path, `the column ${name} must be ${words}`)
  }

  /** Null without a table to look at: it is missing, which is reported, or it is one of a service. */
  #find(path: DescriptionPath, { stream, table }: NamedTable, how?: 'silently'): Columns | null {
    const missing = (part: string, message: string): null => {
      if (how === undefined) this.#report([...path, part], message)
      return null
    }
    if (this.#description.engine === 'odata')
      return this.#description.sets[stream] === undefined ? missing('stream', `there is no set ${stream}`) : null
    const found = this.#description.streams[stream]
    if (found === undefined) return missing('stream', `there is no stream ${stream}`)
    if (table === undefined) return found.columns
    const child = found.children?.[table]
    return child === undefined
      ? missing('table', `${stream} has no child table ${table}`)
      : { ...found.columns, ...child.columns }
  }

  #isMonthly(stream: string): boolean {
    const { engine } = this.#description
    const found = engine === 'odata' ? this.#description.sets[stream] : this.#description.streams[stream]
    return found?.changes?.kind === 'months'
  }
}
