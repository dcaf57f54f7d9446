/** The general ledger of a company: journals, entries, and daily totals. */
import { newId, rowsOf } from './company.ts'
import type { SimulatedUnicontaCompany } from './company.ts'
import { day, ExactNumber, money, instant } from './rows.ts'
import type { UnicontaRow } from './rows.ts'

export interface JournalPosting {
  readonly Voucher: number
  readonly JournalPostedId: number
}

export function openJournal(company: SimulatedUnicontaCompany, at: number, lines: number): JournalPosting {
  const JournalPostedId = company.next.journal++
  rowsOf(company, 'GLDailyJournalPostedClient').push({
    JournalPostedId,
    Journal: 'Dag',
    Posted: instant(at),
    NumberOfLines: lines,
  })
  return { Voucher: company.next.voucher++, JournalPostedId }
}

interface LedgerEntry {
  readonly at: number
  readonly posting: JournalPosting
  readonly account: string
  readonly cents: number
  readonly Text: string
  readonly Vat: string | null
}

export function addLedger(
  company: SimulatedUnicontaCompany,
  { at, posting, account, cents, Text, Vat }: LedgerEntry,
): void {
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

export function dimensionsOf({ random }: SimulatedUnicontaCompany): UnicontaRow {
  return {
    Dimension1: random.pick(['10', '20']),
    Dimension2: null,
    Dimension3: null,
    Dimension4: null,
    Dimension5: null,
  }
}

/** The totals of each day, account and first dimension. */
export function sumLedger(company: SimulatedUnicontaCompany): void {
  const sums = new Map<string, UnicontaRow & { cents: number }>()
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

export function centsOf(cell: UnicontaRow[string] | undefined): number {
  return cell instanceof ExactNumber ? Math.round(Number(cell.text) * 100) : 0
}
