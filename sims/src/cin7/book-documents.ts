/** Accounting data in the API's format: accounts, taxes, payment terms, journals, bank accounts and the ledger. */
import { dayMs } from './company.ts'
import type { Cin7Company, Cin7Task } from './company.ts'
import { entriesOf } from './deal-documents.ts'
import { fileOf } from './shared-fields.ts'
import { bookedOf } from './stock-documents.ts'
import { taskNumber } from './tasks.ts'
import { amount, day } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

type AccountDefinition = readonly [code: string, name: string, type: string, group: string]
const accounts: readonly AccountDefinition[] = [
  ['090', 'Business Account', 'BANK', 'ASSET'],
  ['200', 'Sales', 'SALES', 'REVENUE'],
  ['310', 'Cost of Goods Sold', 'DIRECTCOSTS', 'EXPENSE'],
  ['425', 'Freight', 'EXPENSE', 'EXPENSE'],
  ['610', 'Accounts Receivable', 'CURRENT', 'ASSET'],
  ['630', 'Inventory', 'INVENTORY', 'ASSET'],
  ['715', 'Stock in Transit', 'CURRENT', 'ASSET'],
  ['800', 'Accounts Payable', 'CURRLIAB', 'LIABILITY'],
  ['820', 'GST', 'CURRLIAB', 'LIABILITY'],
]

export function accountRows(): Cin7Row[] {
  return accounts.map(([Code, Name, Type, Class]) => ({
    Code,
    Name,
    Type,
    Status: 'ACTIVE',
    Description: '',
    Class,
    SystemAccount: '',
    ForPayments: Type === 'BANK',
    DisplayName: `${Code}: ${Name}`,
    OldCode: null,
    BankAccountNumber: null,
    BankAccountId: null,
  }))
}

export function taxRows({ taxes, idOf }: Cin7Company): Cin7Row[] {
  return taxes.map(({ ID, Name, percent }, index) => ({
    ID,
    Name,
    Account: '820',
    IsActive: true,
    TaxInclusive: false,
    TaxPercent: percent,
    IsTaxForSale: index !== 1,
    IsTaxForPurchase: index !== 0,
    // The API returns a component's percentage as text.
    Components: [
      {
        ID: idOf('tax component', index),
        Name: 'GST',
        Percent: percent.toFixed(2),
        AccountCode: '820',
        Compound: false,
        ComponentOrder: 1,
      },
    ],
  }))
}

export function termRows({ terms }: Cin7Company): Cin7Row[] {
  return terms.map(({ ID, Name, days }, index) => ({
    ID,
    Name,
    Duration: days,
    Method: 'number of days',
    IsActive: true,
    IsDefault: index === 2,
  }))
}

export function bankRows({ idOf }: Cin7Company): Cin7Row[] {
  return [
    {
      AccountID: idOf('bank account'),
      AccountCode: '090',
      AccountName: 'Business Account',
      AccountNumber: '12-3456-7890123-00',
      Bank: 'Harbour Bank',
      Currency: 'NZD',
      StatementBalance: 0,
      BalanceInDear: 10_250.75,
      InitialBalance: 0,
    },
  ]
}

const journals = 6

export function journalRows(company: Cin7Company, foundedAt: number): Cin7Row[] {
  const { idOf } = company
  return Array.from({ length: journals }, (_, index) => {
    const value = amount(12_345 + index * 1_001)
    return {
      TaskID: idOf('journal', index),
      JournalNumber: `J-${index + 1}`,
      EffectiveDate: day(foundedAt + index * 10 * dayMs),
      Status: 'COMPLETED',
      Narration: 'Month end',
      Notes: '',
      Currency: 'NZD',
      CurrencyConversionRate: 1,
      Lines: [
        { Reference: '', Amount: value, BaseAmount: value, Debit: '425', Credit: null },
        { Reference: '', Amount: value, BaseAmount: value, Debit: null, Credit: '090' },
      ],
      Attachments: index === 0 ? [fileOf(company, 'journal 1', 'statement.jpg')] : [],
    }
  })
}

/** Every second money task is a transfer between two bank accounts. */
export const isBankTransfer = ({ number }: Cin7Task): boolean => number % 2 === 0
const moneyCents = ({ lines }: Cin7Task): number => lines.reduce((sum, { quantity }) => sum + quantity * 1_050, 0)

export function moneyRow(task: Cin7Task, { suppliers: [supplier] }: Cin7Company): Cin7Row {
  return {
    TaskID: task.ID,
    TaskType: isBankTransfer(task) ? 'Bank Transfer' : 'Spend Money',
    Status: task.status,
    Date: day(task.at),
    Reference: taskNumber('money', task),
    CustomerID: null,
    SupplierID: isBankTransfer(task) ? null : (supplier?.ID ?? null),
    SupplierCustomerName: isBankTransfer(task) ? null : (supplier?.Name ?? null),
    TotalAmount: amount(moneyCents(task)),
  }
}

export function moneyDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const { SupplierCustomerName, TotalAmount: _, ...row } = moneyRow(task, company)
  return {
    ...row,
    BankAccount: '090',
    CurrencyConversionRate: 1,
    Note: '',
    SupplierCustomer: SupplierCustomerName,
    TaxInclusive: false,
    Lines: task.lines.map(({ quantity }) => ({
      Name: 'Fuel',
      Quantity: quantity,
      Price: 10.5,
      Discount: 0,
      Tax: 0,
      TaxRuleName: 'No GST',
      AccountCode: '425',
      Comment: '',
      Total: amount(quantity * 1_050),
    })),
    Attachments: [],
    Transactions: bookedOf(task, company),
  }
}

export function bankTransferDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const { TaskID, Status, Date, Reference, TotalAmount } = moneyRow(task, company)
  const accounts = {
    FromAccount: '090',
    FromAmount: TotalAmount,
    ToAccount: '091',
    ToAmount: TotalAmount,
    CurrencyConversionRate: 1,
  }
  return {
    TaskID,
    Status,
    Date,
    Reference,
    ...accounts,
    Note: '',
    Attachments: [],
    Transactions: bookedOf(task, company),
  }
}

/** The ledger. Two entries may be identical. */
export function transactionRows(company: Cin7Company, foundedAt: number): Cin7Row[] {
  const { sales, purchases } = company
  const deals = [
    ...sales.flatMap((sale) =>
      entriesOf(sale, { debit: '610', credit: '200' }).map((entry) => ({
        ...entry,
        type: 'Sale',
        id: sale.ID,
        who: sale.customer.Name,
      })),
    ),
    ...purchases.flatMap((purchase) =>
      entriesOf(purchase, { debit: '630', credit: '800' }).map((entry) => ({
        ...entry,
        type: 'Purchase',
        id: purchase.ID,
        who: purchase.supplier.Name,
      })),
    ),
    ...Array.from({ length: journals }, (_, index) => ({
      at: foundedAt + index * 10 * dayMs,
      debit: '425',
      credit: '090',
      cents: 12_345 + index * 1_001,
      type: 'Journal',
      id: company.idOf('journal', index),
      who: 'Month end',
    })).flatMap((entry) => [entry, entry]),
  ]
  return deals.map(({ at, debit, credit, cents, type, id, who }) => ({
    TaskID: id,
    Type: type,
    EffectiveDate: day(at),
    Transaction: who,
    Reference: '',
    DebitAccountCode: debit,
    CreditAccountCode: credit,
    Amount: amount(cents),
  }))
}
