/**
 * What a target must hold of a simulated company, derived from Xero's replies alone: every value of every document
 * under the snake-case name of its key. It knows nothing of how the source declares its tables, so that the two can be
 * compared.
 */
import type { XeroSimulator } from '@tributary/sims/xero/server'
import { reportRows } from './xero-report-rows.ts'

type XeroNode = Readonly<Record<string, unknown>>
export type ExpectedXeroRow = Readonly<Record<string, unknown>>

/** Lists within a document whose objects are rows of a table, each by its path: `LineItems.Tracking`. */
type NestedRowPaths = Readonly<Record<string, string>>

interface XeroDocumentKind {
  readonly table: string
  readonly endpoint: string
  /** The key whose value names the document, and names it in its child tables. */
  readonly key: string
  readonly nestedRows: NestedRowPaths
}

const of = (table: string, endpoint: string, key: string, nestedRows: NestedRowPaths = {}): XeroDocumentKind => ({
  table,
  endpoint,
  key,
  nestedRows,
})
const withLines = (table: string, endpoint: string, key: string, more: NestedRowPaths = {}): XeroDocumentKind =>
  of(table, endpoint, key, {
    [`${table}_line`]: 'LineItems',
    [`${table}_line_tracking`]: 'LineItems.Tracking',
    ...more,
  })
const credits = (table: string): NestedRowPaths => ({
  [`${table}_allocation`]: 'Allocations',
  [`${table}_payment`]: 'Payments',
})

const kinds: readonly XeroDocumentKind[] = [
  of('organisation', 'Organisation', 'OrganisationID', {
    organisation_address: 'Addresses',
    organisation_phone: 'Phones',
    organisation_external_link: 'ExternalLinks',
  }),
  of('xero_user', 'Users', 'UserID'),
  of('account', 'Accounts', 'AccountID'),
  of('tax_rate', 'TaxRates', 'TaxType', { tax_component: 'TaxComponents' }),
  of('currency', 'Currencies', 'Code'),
  of('tracking_category', 'TrackingCategories', 'TrackingCategoryID', { tracking_option: 'Options' }),
  of('branding_theme', 'BrandingThemes', 'BrandingThemeID'),
  of('item', 'Items', 'ItemID'),
  of('contact', 'Contacts', 'ContactID', {
    contact_address: 'Addresses',
    contact_phone: 'Phones',
    contact_person: 'ContactPersons',
    contact_group_member: 'ContactGroups',
    contact_sales_tracking_category: 'SalesTrackingCategories',
    contact_purchases_tracking_category: 'PurchasesTrackingCategories',
  }),
  of('contact_group', 'ContactGroups', 'ContactGroupID'),
  withLines('invoice', 'Invoices', 'InvoiceID', {
    invoice_payment: 'Payments',
    invoice_credit_note: 'CreditNotes',
    invoice_prepayment: 'Prepayments',
    invoice_overpayment: 'Overpayments',
  }),
  withLines('credit_note', 'CreditNotes', 'CreditNoteID', credits('credit_note')),
  of('payment', 'Payments', 'PaymentID'),
  of('batch_payment', 'BatchPayments', 'BatchPaymentID', { batch_payment_payment: 'Payments' }),
  withLines('overpayment', 'Overpayments', 'OverpaymentID', credits('overpayment')),
  withLines('prepayment', 'Prepayments', 'PrepaymentID', credits('prepayment')),
  withLines('bank_transaction', 'BankTransactions', 'BankTransactionID'),
  of('bank_transfer', 'BankTransfers', 'BankTransferID', {
    bank_transfer_from_tracking: 'FromTracking',
    bank_transfer_to_tracking: 'ToTracking',
  }),
  of('manual_journal', 'ManualJournals', 'ManualJournalID', {
    manual_journal_line: 'JournalLines',
    manual_journal_line_tracking: 'JournalLines.Tracking',
  }),
  withLines('purchase_order', 'PurchaseOrders', 'PurchaseOrderID'),
  withLines('quote', 'Quotes', 'QuoteID'),
  of('repeating_invoice', 'RepeatingInvoices', 'RepeatingInvoiceID', { repeating_invoice_line: 'LineItems' }),
  of('linked_transaction', 'LinkedTransactions', 'LinkedTransactionID'),
  of('expense_claim', 'ExpenseClaims', 'ExpenseClaimID', {
    expense_claim_receipt: 'Receipts',
    expense_claim_payment: 'Payments',
  }),
  withLines('receipt', 'Receipts', 'ReceiptID'),
]
const journals = of('journal', 'Journals', 'JournalID', {
  journal_line: 'JournalLines',
  journal_line_tracking: 'JournalLines.TrackingCategories',
})

export interface ExpectedRowsOptions {
  readonly now: number
  /** Whether the app may read journals. */
  readonly withJournals: boolean
}

/** Every table with its rows, each value under the name of its column. */
export function expectedRows(
  sim: XeroSimulator,
  tenantId: string,
  { now, withJournals }: ExpectedRowsOptions,
): ReadonlyMap<string, readonly ExpectedXeroRow[]> {
  const tables = new Map<string, readonly ExpectedXeroRow[]>()
  for (const { table, endpoint, key, nestedRows } of withJournals ? [...kinds, journals] : kinds) {
    const documents: readonly XeroNode[] = sim.readRows(tenantId, endpoint)
    tables.set(
      table,
      documents.map((document) => ({ ...columnsOf(document), ...deletionOf(document) })),
    )
    for (const [child, place] of Object.entries(nestedRows))
      tables.set(
        child,
        documents.flatMap((document) => childRows(document, place.split('.'), keyed(document, key))),
      )
  }
  return new Map([...tables, ...budgetRows(sim, tenantId), ...reportRows(sim, tenantId, now)])
}

/** A bank transfer has only its creation time. */
function deletionOf({ Status, UpdatedDateUTC, CreatedDateUTC }: XeroNode): ExpectedXeroRow {
  return Status === 'VOIDED' || Status === 'DELETED'
    ? { _deleted_at: canonicalText(UpdatedDateUTC ?? CreatedDateUTC, 'UTC') }
    : {}
}

function keyed(node: XeroNode, key: string): ExpectedXeroRow {
  return { [snake(key)]: node[key] }
}

/** Rows of a line carry the number of the line. */
function childRows(
  node: XeroNode,
  [key = '', ...deeper]: readonly string[],
  above: ExpectedXeroRow,
): readonly ExpectedXeroRow[] {
  const nodes = Array.isArray(node[key]) ? (node[key] as readonly XeroNode[]) : []
  return nodes.flatMap((each, index): readonly ExpectedXeroRow[] => {
    if (deeper.length === 0) return [{ line_no: index + 1, ordinal: index + 1, ...columnsOf(each), ...above }]
    const lineId = ['LineItemID', 'JournalLineID'].find((name) => name in each)
    return childRows(each, deeper, { ...above, line_no: index + 1, ...(lineId !== undefined && keyed(each, lineId)) })
  })
}

/** Xero returns the lines only when a single budget is read. */
function budgetRows(sim: XeroSimulator, tenantId: string): readonly [string, readonly ExpectedXeroRow[]][] {
  const budgets: readonly XeroNode[] = sim.readRows(tenantId, 'Budgets')
  const lines = budgets.flatMap(({ BudgetID }) => {
    const [whole = {}] = sim.readRows(tenantId, `Budgets/${String(BudgetID)}`) as readonly XeroNode[]
    return childRows(whole, ['BudgetLines'], {}).flatMap(({ account_id, account_code, budget_balances }) =>
      (budget_balances as readonly XeroNode[]).map(({ Period, ...balance }) => {
        const of = { budget_id: BudgetID, account_id, account_code, period: `${String(Period)}-01` }
        return { ...of, ...columnsOf(balance) }
      }),
    )
  })
  return [
    ['budget', budgets.map((budget) => columnsOf(budget))],
    ['budget_tracking', budgets.flatMap((budget) => childRows(budget, ['Tracking'], keyed(budget, 'BudgetID')))],
    ['budget_line', lines],
  ]
}

/** Columns for plain values; nested objects become columns with a prefix. Lists become child tables or JSON. */
function columnsOf(node: XeroNode, before: readonly string[] = []): ExpectedXeroRow {
  const columns: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    const words = joined(before, snake(key).split('_'))
    columns[words.join('_')] = canonicalText(value, key)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      Object.assign(columns, columnsOf(value as XeroNode, words))
  }
  return columns
}

/** `bank_account` and `account_id` make `bank_account_id`. */
function joined(before: readonly string[], words: readonly string[]): readonly string[] {
  const shared = before.findIndex((_, at) => before.slice(at).every((word, index) => word === words[index]))
  return shared === -1 ? [...before, ...words] : [...before.slice(0, shared), ...words]
}

/** `/Date(1714521600000+1200)/` is a time in milliseconds; for a date, the offset says where the day began. */
function canonicalText(value: unknown, key = ''): unknown {
  const [, ms, hours = 0, minutes = 0] =
    (typeof value === 'string' && /^\/Date\((-?\d+)(?:\+(\d\d)(\d\d))?\)\/$/.exec(value)) || []
  if (ms === undefined) return value
  const offset = key.endsWith('UTC') ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(Number(ms) + offset).toISOString()
}

function snake(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
