/** Documents of the simulated QuickBooks Online. Amounts are written digit by digit. */
import { ExactNumber, money as exact } from '../uniconta/rows.ts'
import { dayOf, type Members, type QuickBooksCompany, type QuickBooksRecord } from './company.ts'

export const documentKinds = [
  'Invoice',
  'Bill',
  'Payment',
  'JournalEntry',
  'SalesReceipt',
  'Purchase',
  'BillPayment',
  'CreditMemo',
  'Deposit',
  'VendorCredit',
  'Transfer',
  'RefundReceipt',
  'Estimate',
  'PurchaseOrder',
] as const
export type DocumentKind = (typeof documentKinds)[number]

export const money = (cents: number): ExactNumber => exact(cents)

/** In cents. */
export function centsOf(amount: unknown): number {
  return amount instanceof ExactNumber ? Math.round(Number(amount.text) * 100) : Math.round(Number(amount ?? 0) * 100)
}

export function ref(value: string, name?: string): Members {
  return name === undefined ? { value } : { value, name }
}

export function accountOf(company: QuickBooksCompany, name: string): QuickBooksRecord {
  const found = company.all('Account').find((account) => account['Name'] === name)
  if (found === undefined) throw new Error(`There is no account ${name}.`)
  return found
}

/** @param at the day of the document */
export function makeDocument(company: QuickBooksCompany, kind: DocumentKind, at: number): Members {
  const { random } = company
  const common = {
    TxnDate: dayOf(at),
    DocNumber: String(random.between(1_000, 99_999)),
    CurrencyRef: ref('USD', 'United States Dollar'),
    ExchangeRate: 1,
    ...(random.next() < 0.3 && { DepartmentRef: ref(random.pick(company.all('Department')).Id) }),
    ...(random.next() < 0.5 && { PrivateNote: `Note “${random.between(1, 999)}”\nof two lines` }),
  }
  return { ...common, ...makers[kind](company, at) }
}

const makers: { readonly [kind in DocumentKind]: (company: QuickBooksCompany, at: number) => Members } = {
  Invoice: (company, at) => ({
    ...withBalance(saleOf(company)),
    DueDate: dayOf(at + 30 * 86_400_000),
    SalesTermRef: ref(company.random.pick(company.all('Term')).Id),
    EmailStatus: 'NotSet',
    PrintStatus: 'NeedToPrint',
    BillEmail: { Address: 'bills@example.com' },
    LinkedTxn: [],
  }),
  CreditMemo: (company) => ({ ...withBalance(saleOf(company)), RemainingCredit: 0 }),
  SalesReceipt: (company) => ({ ...saleOf(company), ...paidTo(company, 'Undeposited Funds') }),
  RefundReceipt: (company) => ({ ...saleOf(company), ...paidTo(company, 'Checking') }),
  Estimate: (company, at) => ({
    ...saleOf(company),
    TxnStatus: 'Pending',
    ExpirationDate: dayOf(at + 14 * 86_400_000),
  }),
  Payment: (company) => paymentOf(company, 'Invoice'),
  Bill: (company, at) => ({
    ...withBalance(purchaseOf(company, true)),
    DueDate: dayOf(at + 20 * 86_400_000),
    LinkedTxn: [],
  }),
  VendorCredit: (company) => withBalance(purchaseOf(company, true)),
  PurchaseOrder: (company) => ({ ...purchaseOf(company, true), POStatus: 'Open', Memo: 'Please deliver on Monday' }),
  Purchase: (company) => ({
    ...purchaseOf(company, false),
    PaymentType: 'CreditCard',
    AccountRef: ref(accountOf(company, 'Mastercard').Id, 'Mastercard'),
    EntityRef: { ...ref(company.random.pick(company.all('Vendor')).Id), type: 'Vendor' },
    Credit: company.random.next() < 0.2,
  }),
  BillPayment: (company) => paymentOf(company, 'Bill'),
  Deposit: depositOf,
  Transfer: (company) => ({
    FromAccountRef: ref(accountOf(company, 'Checking').Id),
    ToAccountRef: ref(accountOf(company, 'Savings').Id),
    Amount: money(company.random.between(100, 900_000)),
  }),
  JournalEntry: journalEntryOf,
}

/** Nothing of it is paid yet. */
function withBalance(document: Members): Members {
  return { ...document, Balance: document['TotalAmt'] }
}

function paidTo(company: QuickBooksCompany, account: string): Members {
  return { DepositToAccountRef: ref(accountOf(company, account).Id, account), PaymentRefNum: 'cash', Balance: 0 }
}

/** Lines with and without tax, a discount, and the subtotal, which has no id. */
function saleOf(company: QuickBooksCompany): Members {
  const { random } = company
  const count = random.between(1, 4)
  const lines = Array.from({ length: count }, (_, index) => saleLine(company, index + 1))
  const subtotal = lines.reduce((sum, { Amount }) => sum + centsOf(Amount), 0)
  const discount = random.next() < 0.3 ? Math.floor(subtotal / 10) : 0
  const taxable = subtotal - discount
  const tax = Math.round(taxable * 0.08)
  const [rate] = company.all('TaxRate')
  const [code] = company.all('TaxCode')
  return {
    CustomerRef: ref(random.pick(company.all('Customer')).Id),
    Line: [
      ...lines,
      { Amount: money(subtotal), DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} },
      ...(discount > 0 ? [discountLine(company, discount)] : []),
    ],
    TxnTaxDetail: {
      TxnTaxCodeRef: ref(code?.Id ?? ''),
      TotalTax: money(tax),
      TaxLine: [
        {
          Amount: money(tax),
          DetailType: 'TaxLineDetail',
          TaxLineDetail: {
            TaxRateRef: ref(rate?.Id ?? ''),
            PercentBased: true,
            TaxPercent: 8,
            NetAmountTaxable: money(taxable),
          },
        },
      ],
    },
    TotalAmt: money(taxable + tax),
    ApplyTaxAfterDiscount: true,
  }
}

function saleLine(company: QuickBooksCompany, number: number) {
  const { random } = company
  const item = random.pick(company.all('Item'))
  return {
    Id: String(number),
    LineNum: number,
    Description: `${String(item['Name'])}, “best” \\ quality`,
    Amount: money(random.between(1, 2_000_000)),
    DetailType: 'SalesItemLineDetail',
    SalesItemLineDetail: {
      ItemRef: ref(item.Id, String(item['Name'])),
      // Prices and quantities have more digits than a double keeps.
      Qty: new ExactNumber(
        `0.${random.between(1_000_000_000, 9_999_999_999)}${random.between(10_000_000, 99_999_999)}`,
      ),
      UnitPrice: new ExactNumber(`${random.between(1, 99_999)}.${random.between(1_000_000, 9_999_999)}`),
      ItemAccountRef: item['IncomeAccountRef'],
      TaxCodeRef: ref('TAX'),
      ...(random.next() < 0.4 && { ClassRef: ref(random.pick(company.all('Class')).Id) }),
    },
  }
}

function discountLine(company: QuickBooksCompany, cents: number): Members {
  return {
    Amount: money(cents),
    DetailType: 'DiscountLineDetail',
    DiscountLineDetail: {
      PercentBased: true,
      DiscountPercent: 10,
      DiscountAccountRef: ref(accountOf(company, 'Discounts given').Id),
    },
  }
}

function purchaseOf(company: QuickBooksCompany, hasVendor: boolean): Members {
  const { random } = company
  const costs = company.all('Account').filter(({ Classification }) => Classification === 'Expense')
  const lines = Array.from({ length: random.between(1, 3) }, (_, index) => ({
    Id: String(index + 1),
    LineNum: index + 1,
    Description: `Delivery ${random.between(1, 500)}`,
    Amount: money(random.between(1, 500_000)),
    DetailType: 'AccountBasedExpenseLineDetail',
    AccountBasedExpenseLineDetail: {
      AccountRef: ref(random.pick(costs).Id),
      BillableStatus: 'NotBillable',
      TaxCodeRef: ref('NON'),
    },
  }))
  const total = lines.reduce((sum, { Amount }) => sum + centsOf(Amount), 0)
  return {
    ...(hasVendor && {
      VendorRef: ref(random.pick(company.all('Vendor')).Id),
      APAccountRef: ref(accountOf(company, 'Accounts Payable (A/P)').Id),
    }),
    Line: lines,
    TotalAmt: money(total),
  }
}

function paymentOf(company: QuickBooksCompany, of: 'Invoice' | 'Bill'): Members {
  const document = company.random.pick(company.all(of))
  const amount = document['TotalAmt']
  const common = {
    TotalAmt: amount,
    Line: [{ Amount: amount, LinkedTxn: [{ TxnId: document.Id, TxnType: of }] }],
  }
  const checking = accountOf(company, 'Checking')
  return of === 'Invoice'
    ? {
        ...common,
        CustomerRef: document['CustomerRef'],
        DepositToAccountRef: ref(accountOf(company, 'Undeposited Funds').Id),
        UnappliedAmt: 0,
        ProcessPayment: false,
      }
    : {
        ...common,
        VendorRef: document['VendorRef'],
        PayType: 'Check',
        CheckPayment: { PrintStatus: 'NeedToPrint', BankAccountRef: ref(checking.Id, 'Checking') },
      }
}

function depositOf(company: QuickBooksCompany): Members {
  const { random } = company
  const line = (id: number, account: string) => ({
    Id: String(id),
    LineNum: id,
    Amount: money(random.between(100, 300_000)),
    DetailType: 'DepositLineDetail',
    DepositLineDetail: {
      AccountRef: ref(accountOf(company, account).Id, account),
      Entity: { ...ref(random.pick(company.all('Customer')).Id), type: 'CUSTOMER' },
    },
  })
  const lines = [line(1, 'Undeposited Funds'), line(2, 'Design income')]
  const total = lines.reduce((sum, { Amount }) => sum + centsOf(Amount), 0)
  return { DepositToAccountRef: ref(accountOf(company, 'Checking').Id), TotalAmt: money(total), Line: lines }
}

function journalEntryOf(company: QuickBooksCompany): Members {
  const { random } = company
  const amount = money(random.between(1, 7_000_000))
  const line = (id: number, type: 'Debit' | 'Credit', account: string) => ({
    Id: String(id),
    Description: `Adjustment ${id}`,
    Amount: amount,
    DetailType: 'JournalEntryLineDetail',
    JournalEntryLineDetail: {
      PostingType: type,
      AccountRef: ref(accountOf(company, account).Id, account),
      Entity: { Type: 'Vendor', EntityRef: ref(random.pick(company.all('Vendor')).Id) },
    },
  })
  return {
    Adjustment: false,
    TotalAmt: amount,
    Line: [line(0, 'Debit', 'Rent'), line(1, 'Credit', 'Opening Balance Equity')],
  }
}
