/** The general ledger of a company: journals, entries, and the totals of each day. */
import { newId, rowsOf } from './company.ts'
import type { Company } from './company.ts'
import { day, Exact, money, moment } from './rows.ts'
import type { Row } from './rows.ts'

export interface Posting {
  readonly Voucher: number
  readonly JournalPostedId: number
}

export function openJournal(company: Company, at: number, lines: number): Posting {
  const JournalPostedId = company.next.journal++
  rowsOf(company, 'GLDailyJournalPostedClient').push({
    JournalPostedId,
    Journal: 'Dag',
    Posted: moment(at),
    NumberOfLines: lines,
  })
  return { Voucher: company.next.voucher++, JournalPostedId }
}

interface Entry {
  readonly at: number
  readonly posting: Posting
  readonly account: string
  readonly cents: number
  readonly Text: string
  readonly Vat: string | null
}

export function addLedger(company: Company, { at, posting, account, cents, Text, Vat }: Entry): void {
  const found = rowsOf(company, 'GLAccountClient').find(({ Account }) => Account === account)
  if (found !== undefined) found['Balance'] = money(centsOf(found['Balance']) + cents)
  rowsOf(company, 'GLTransClient').push({
    PrimaryKeyId: newId(company),
    Date: day(at),
    Account: account,
    AccountType: found?.['AccountType'] ?? null,
    ...posting,
    Text,
    Amount: money(cents),
    AmountCur: money(0),
    Currency: null,
    Vat,
    Qty: 0,
    ...dimensionsOf(company),
  })
}

export function dimensionsOf({ random }: Company): Row {
  return {
    Dimension1: random.pick(['10', '20']),
    Dimension2: null,
    Dimension3: null,
    Dimension4: null,
    Dimension5: null,
  }
}

/** The totals of each day, account and first dimension. */
export function sumLedger(company: Company): void {
  const sums = new Map<string, Row & { cents: number }>()
  for (const entry of rowsOf(company, 'GLTransClient')) {
    const [Date, Account, Dimension1] = [entry['Date'] ?? null, entry['Account'] ?? null, entry['Dimension1'] ?? null]
    const key = JSON.stringify([Date, Account, Dimension1])
    const sum = sums.get(key) ?? { Date, Account, Dimension1, cents: 0 }
    sum.cents += centsOf(entry['Amount'])
    sums.set(key, sum)
  }
  const names = new Map(rowsOf(company, 'GLAccountClient').map(({ Account, Name }) => [Account, Name ?? null]))
  company.rows.set(
    'GLTransSumClient',
    [...sums.values()].map(({ cents, ...place }) => ({
      ...place,
      Name: names.get(place['Account'] ?? null) ?? null,
      Amount: money(cents),
      Debit: money(Math.max(cents, 0)),
      Credit: money(Math.max(-cents, 0)),
    })),
  )
}

export function centsOf(cell: Row[string] | undefined): number {
  return cell instanceof Exact ? Math.round(Number(cell.text) * 100) : 0
}
