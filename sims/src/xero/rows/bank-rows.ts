/** Bank transactions, transfers and journals in the API's format. */
import type { XeroCompany } from '../books/company.ts'
import { contactStub, currencyRow, dateRow, linesOf, totalsRow, trackingRows, updatedRow } from './line-rows.ts'
import type { SerialiseOptions, XeroRecord } from '../api/records.ts'
import { accountStub } from './payment-rows.ts'
import { amount, dated, rate, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type {
  XeroAccount,
  BankTransaction,
  BankTransfer,
  XeroJournal,
  ManualJournal,
  AssignedTracking,
  TrackingCategory,
} from '../books/records.ts'

export function bankTransactionList(company: XeroCompany): readonly XeroRecord[] {
  const own = company.bankTransactions.map((transaction): XeroRecord => {
    const { id, status, updatedAt, date, type, totalCents, contact, bank } = transaction
    const facts = { type, total: totalCents / 100, 'contact.contactid': contact.id, 'bankaccount.accountid': bank.id }
    return { id, status, updatedAt, date, facts, row: (how) => bankTransactionRow(transaction, how) }
  })
  return [...own, ...company.transfers.flatMap((transfer) => legsOf(company, transfer))]
}

/** A transfer also appears as two bank transactions, without contact and lines. */
function legsOf({ currency }: XeroCompany, transfer: BankTransfer): readonly XeroRecord[] {
  const { legIds, from, to, cents, status, date, updatedAt } = transfer
  const leg = (id: string, type: string, bank: XeroAccount): XeroRecord => ({
    id,
    status,
    updatedAt,
    date,
    facts: { type, total: cents / 100, 'contact.contactid': null, 'bankaccount.accountid': bank.id },
    row: () => ({
      BankTransactionID: id,
      BankAccount: { ...accountStub(bank), Name: bank.name },
      Type: type,
      Reference: '',
      IsReconciled: true,
      HasAttachments: false,
      ...dated('Date', date),
      Status: status,
      LineAmountTypes: 'NoTax',
      LineItems: [],
      SubTotal: amount(cents),
      TotalTax: amount(0),
      Total: amount(cents),
      ...updatedRow(updatedAt),
      CurrencyCode: currency,
    }),
  })
  return [leg(legIds[0], 'SPEND-TRANSFER', from), leg(legIds[1], 'RECEIVE-TRANSFER', to)]
}

function bankTransactionRow(transaction: BankTransaction, how: SerialiseOptions): XeroRow {
  const { bank, credit } = transaction
  const link = credit === null ? {} : { [credit.kind === 'overpayment' ? 'OverpaymentID' : 'PrepaymentID']: credit.id }
  return {
    BankTransactionID: transaction.id,
    ...link,
    BankAccount: { ...accountStub(bank), Name: bank.name },
    Type: transaction.type,
    Reference: transaction.reference,
    IsReconciled: transaction.isReconciled,
    HasAttachments: false,
    Contact: contactStub(transaction.contact),
    ...dateRow(transaction),
    Status: transaction.status,
    LineAmountTypes: transaction.lineAmountTypes,
    LineItems: linesOf(transaction, how),
    ...totalsRow(transaction),
    ...updatedRow(transaction.updatedAt),
    ...currencyRow(transaction),
  }
}

/** Transfers have the change date of their creation and do not report deletion. */
export function transferList({ transfers, tracking }: XeroCompany): readonly XeroRecord[] {
  return transfers.map((transfer) => ({
    id: transfer.id,
    status: transfer.status,
    updatedAt: transfer.createdAt,
    date: transfer.date,
    facts: { createddateutc: transfer.createdAt, amount: transfer.cents / 100 },
    row: () => transferRow(transfer, tracking),
  }))
}

function transferRow(transfer: BankTransfer, tracking: readonly TrackingCategory[]): XeroRow {
  const { id, createdAt, date, from, to, cents, legIds, reference, status } = transfer
  return {
    BankTransferID: id,
    CreatedDateUTCString: new Date(createdAt).toISOString().slice(0, 19),
    CreatedDateUTC: stamp(createdAt),
    ...dated('Date', date),
    FromBankAccount: { ...accountStub(from), Name: from.name },
    ToBankAccount: { ...accountStub(to), Name: to.name },
    Amount: amount(cents),
    FromBankTransactionID: legIds[0],
    ToBankTransactionID: legIds[1],
    FromIsReconciled: true,
    ToIsReconciled: true,
    Reference: reference,
    CurrencyRate: rate(1),
    FromTracking: trackingRows(endTracking(tracking, cents)),
    ToTracking: trackingRows(endTracking(tracking, cents + 1)),
    HasAttachments: false,
    Status: status,
  }
}

/** Every third end of a transfer has no tracking, the others use the first category. */
function endTracking(tracking: readonly TrackingCategory[], number: number): readonly AssignedTracking[] {
  if (number % 3 === 0) return []
  return tracking.slice(0, 1).flatMap((category) => {
    const option = category.options[number % 2]
    return option === undefined ? [] : [{ category, option }]
  })
}

export function manualJournalList({ manualJournals }: XeroCompany): readonly XeroRecord[] {
  return manualJournals.map((manual) => ({
    id: manual.id,
    status: manual.status,
    updatedAt: manual.updatedAt,
    date: manual.date,
    facts: { narration: manual.narration },
    row: (how) => manualJournalRow(manual, how),
  }))
}

function manualJournalRow(manual: ManualJournal, { detail }: SerialiseOptions): XeroRow {
  const lines = manual.lines.map(({ account, cents, description, tax, taxCents, tracking }) => ({
    LineAmount: amount(cents),
    AccountCode: account.code,
    AccountID: account.id,
    Description: description,
    TaxType: tax.type,
    Tracking: trackingRows(tracking),
    TaxAmount: amount(taxCents),
    IsBlank: false,
  }))
  return {
    ManualJournalID: manual.id,
    Narration: manual.narration,
    Date: stamp(manual.date),
    Status: manual.status,
    LineAmountTypes: manual.lineAmountTypes,
    ShowOnCashBasisReports: true,
    HasAttachments: false,
    JournalLines: detail === 'full' ? lines : [],
    ...updatedRow(manual.updatedAt),
  }
}

/** Journals never change; a reversal is a separate journal. */
export function journalList({ journals }: XeroCompany): readonly XeroRecord[] {
  return journals.map((journal) => ({
    id: journal.id,
    status: 'POSTED',
    updatedAt: journal.createdAt,
    date: journal.date,
    facts: { journalnumber: journal.number },
    row: (how) => journalRow(journal, how),
  }))
}

/** The source is missing if a journal is fetched by id. */
function journalRow(
  { id, number, date, createdAt, reference, source, postings }: XeroJournal,
  { isAlone }: SerialiseOptions,
): XeroRow {
  return {
    JournalID: id,
    JournalDate: stamp(date),
    JournalNumber: number,
    CreatedDateUTC: stamp(createdAt),
    Reference: reference,
    ...(source !== null && !isAlone && { SourceID: source.id, SourceType: source.type }),
    JournalLines: postings.map(({ account, cents, description = '', tracking = [] }, index) => ({
      // The last digits of the journal's id count its lines.
      JournalLineID: id.slice(0, 32) + String(index + 1).padStart(4, '0'),
      AccountID: account.id,
      AccountCode: account.code,
      AccountType: account.type,
      AccountName: account.name,
      Description: description,
      NetAmount: amount(cents),
      GrossAmount: amount(cents),
      TaxAmount: amount(0),
      TrackingCategories: trackingRows(tracking),
    })),
  }
}
