/** What the documents of a simulated company post to its accounts. */
import type { Members, QuickBooksCompany, QuickBooksRecord } from './company.ts'
import { accountOf, centsOf, type DocumentKind } from './documents.ts'

export interface Posting {
  readonly accountId: string
  /** In cents; negative for a credit. */
  readonly cents: number
  readonly memo: string
}

export interface PostedDocument {
  readonly kind: PostingKind
  readonly document: QuickBooksRecord
  readonly date: string
  readonly postings: readonly Posting[]
}

/** Documents that post nothing are left out. */
export type PostingKind = Exclude<DocumentKind, 'Estimate' | 'PurchaseOrder'>

/** The documents of some days, oldest first. Days are inclusive. */
export function postedDocuments(company: QuickBooksCompany, from: string, to: string): readonly PostedDocument[] {
  return Object.entries(posters)
    .flatMap(([kind, post]) =>
      company.all(kind as PostingKind).map((document) => ({
        kind: kind as PostingKind,
        document,
        date: String(document['TxnDate']),
        postings: post(company, document).filter(({ cents }) => cents !== 0),
      })),
    )
    .filter(({ date }) => date >= from && date <= to)
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : Number(a.document.Id) - Number(b.document.Id)))
}

type Poster = (company: QuickBooksCompany, document: QuickBooksRecord) => readonly Posting[]

const posters: { readonly [kind in PostingKind]: Poster } = {
  Invoice: (company, document) => saleOf(company, document, receivables(company), 1),
  CreditMemo: (company, document) => saleOf(company, document, receivables(company), -1),
  SalesReceipt: (company, document) => saleOf(company, document, idAt(document, 'DepositToAccountRef'), 1),
  RefundReceipt: (company, document) => saleOf(company, document, idAt(document, 'DepositToAccountRef'), -1),
  Payment: (company, document) => [
    posting(idAt(document, 'DepositToAccountRef'), centsOf(document['TotalAmt'])),
    posting(receivables(company), -centsOf(document['TotalAmt'])),
  ],
  Bill: (_, document) => purchaseOf(document, idAt(document, 'APAccountRef'), 1),
  VendorCredit: (_, document) => purchaseOf(document, idAt(document, 'APAccountRef'), -1),
  Purchase: (_, document) => purchaseOf(document, idAt(document, 'AccountRef'), document['Credit'] === true ? -1 : 1),
  BillPayment: (company, document) => [
    posting(accountOf(company, 'Accounts Payable (A/P)').Id, centsOf(document['TotalAmt'])),
    posting(idAt(memberOf(document, 'CheckPayment'), 'BankAccountRef'), -centsOf(document['TotalAmt'])),
  ],
  Deposit: (_, document) => [
    posting(idAt(document, 'DepositToAccountRef'), centsOf(document['TotalAmt'])),
    ...linesOf(document).map((line) =>
      posting(idAt(memberOf(line, 'DepositLineDetail'), 'AccountRef'), -centsOf(line['Amount'])),
    ),
  ],
  Transfer: (_, document) => [
    posting(idAt(document, 'ToAccountRef'), centsOf(document['Amount'])),
    posting(idAt(document, 'FromAccountRef'), -centsOf(document['Amount'])),
  ],
  JournalEntry: (_, document) =>
    linesOf(document).map((line) => {
      const detail = memberOf(line, 'JournalEntryLineDetail')
      const sign = detail['PostingType'] === 'Debit' ? 1 : -1
      return posting(idAt(detail, 'AccountRef'), sign * centsOf(line['Amount']), String(line['Description']))
    }),
}

/** Debits what the customer owes, and credits income and tax. @param sign -1 for what is given back */
function saleOf(company: QuickBooksCompany, document: QuickBooksRecord, accountId: string, sign: 1 | -1): Posting[] {
  const lines = linesOf(document).flatMap((line) => {
    const amount = centsOf(line['Amount'])
    const text = String(line['Description'] ?? '')
    if (line['DetailType'] === 'SalesItemLineDetail')
      return [posting(idAt(memberOf(line, 'SalesItemLineDetail'), 'ItemAccountRef'), -sign * amount, text)]
    if (line['DetailType'] !== 'DiscountLineDetail') return []
    return [posting(idAt(memberOf(line, 'DiscountLineDetail'), 'DiscountAccountRef'), sign * amount, 'Discount')]
  })
  const tax = centsOf(memberOf(document, 'TxnTaxDetail')['TotalTax'])
  return [
    posting(accountId, sign * centsOf(document['TotalAmt'])),
    ...lines,
    posting(accountOf(company, 'Sales Tax Payable').Id, -sign * tax, 'Sales tax'),
  ]
}

function purchaseOf(document: QuickBooksRecord, accountId: string, sign: 1 | -1): readonly Posting[] {
  return [
    posting(accountId, -sign * centsOf(document['TotalAmt'])),
    ...linesOf(document).map((line) =>
      posting(
        idAt(memberOf(line, 'AccountBasedExpenseLineDetail'), 'AccountRef'),
        sign * centsOf(line['Amount']),
        String(line['Description']),
      ),
    ),
  ]
}

function posting(accountId: string, cents: number, memo = ''): Posting {
  return { accountId, cents, memo }
}

function receivables(company: QuickBooksCompany): string {
  return accountOf(company, 'Accounts Receivable (A/R)').Id
}

function linesOf(document: Members): readonly Members[] {
  return (document['Line'] ?? []) as readonly Members[]
}

function memberOf(members: Members, name: string): Members {
  return (members[name] ?? {}) as Members
}

function idAt(members: Members, reference: string): string {
  return String(memberOf(members, reference)['value'])
}
