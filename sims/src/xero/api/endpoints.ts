/** All lists of the simulated API, with their parameters and rules. */
import { bankTransactionList, journalList, manualJournalList, transferList } from '../rows/bank-rows.ts'
import { budgetList, claimList, receiptList } from '../rows/claim-rows.ts'
import { contactList, groupList } from '../rows/contact-rows.ts'
import { creditList, invoiceList } from '../rows/invoice-rows.ts'
import type { SimulatedEndpoint } from './records.ts'
import { linkedList, orderList, quoteList, repeatingList } from '../rows/order-rows.ts'
import { batchList, paymentList } from '../rows/payment-rows.ts'
import {
  accountList,
  currencyList,
  itemList,
  organisationList,
  taxList,
  themeList,
  trackingList,
  userList,
} from '../rows/reference-rows.ts'

const settings = ['accounting.settings']
const invoices = ['accounting.invoices', 'accounting.transactions']
const bank = ['accounting.banktransactions', 'accounting.transactions']
const expenses = ['accounting.classicexpenses', 'accounting.transactions']
const payments = ['accounting.payments', 'accounting.transactions']

const whole = { paging: 'whole', isSmall: true, tellsChanges: false } as const
const changing = { paging: 'whole', isSmall: true, tellsChanges: true, filters: ['where'] } as const
const paged = { paging: 'sized', tellsChanges: true, filters: ['where'] } as const

const all: readonly SimulatedEndpoint[] = [
  {
    name: 'Organisation',
    key: 'Organisations',
    idKey: 'OrganisationID',
    scopes: settings,
    ...whole,
    list: organisationList,
  },
  { name: 'Users', idKey: 'UserID', scopes: settings, ...changing, list: userList },
  { name: 'Accounts', idKey: 'AccountID', scopes: settings, ...changing, list: accountList },
  { name: 'TaxRates', idKey: 'TaxType', scopes: settings, ...whole, filters: ['where'], list: taxList },
  { name: 'Currencies', idKey: 'Code', scopes: settings, ...whole, filters: ['where'], list: currencyList },
  {
    name: 'TrackingCategories',
    idKey: 'TrackingCategoryID',
    scopes: settings,
    ...whole,
    filters: ['where'],
    hides: { statuses: ['ARCHIVED'], unless: 'includearchived' },
    list: trackingList,
  },
  { name: 'BrandingThemes', idKey: 'BrandingThemeID', scopes: settings, ...whole, list: themeList },
  { name: 'Items', idKey: 'ItemID', scopes: [...settings, ...invoices], ...changing, list: itemList },
  {
    name: 'Contacts',
    idKey: 'ContactID',
    scopes: ['accounting.contacts'],
    ...paged,
    isSmall: true,
    filters: ['where', 'ids', 'searchterm', 'summaryonly'],
    hides: { statuses: ['ARCHIVED'], unless: 'includearchived' },
    list: contactList,
  },
  {
    name: 'ContactGroups',
    idKey: 'ContactGroupID',
    scopes: ['accounting.contacts'],
    ...whole,
    filters: ['where'],
    list: groupList,
  },
  {
    name: 'Invoices',
    idKey: 'InvoiceID',
    scopes: invoices,
    ...paged,
    filters: ['where', 'ids', 'statuses', 'invoicenumbers', 'contactids', 'summaryonly'],
    // Deleted records are returned only if their status is named.
    hides: { statuses: ['DELETED'], unless: 'statuses' },
    list: invoiceList,
  },
  { name: 'CreditNotes', idKey: 'CreditNoteID', scopes: invoices, ...paged, list: creditList('creditNote') },
  { name: 'Payments', idKey: 'PaymentID', scopes: payments, ...paged, list: paymentList },
  { name: 'BatchPayments', idKey: 'BatchPaymentID', scopes: payments, ...changing, list: batchList },
  { name: 'Overpayments', idKey: 'OverpaymentID', scopes: payments, ...paged, list: creditList('overpayment') },
  { name: 'Prepayments', idKey: 'PrepaymentID', scopes: payments, ...paged, list: creditList('prepayment') },
  { name: 'BankTransactions', idKey: 'BankTransactionID', scopes: bank, ...paged, list: bankTransactionList },
  {
    name: 'BankTransfers',
    idKey: 'BankTransferID',
    scopes: bank,
    ...changing,
    hides: { statuses: ['DELETED'], unless: 'includedeleted' },
    list: transferList,
  },
  {
    name: 'ManualJournals',
    idKey: 'ManualJournalID',
    scopes: ['accounting.manualjournals', 'accounting.transactions'],
    ...paged,
    breaksOnOrder: true,
    list: manualJournalList,
  },
  {
    name: 'Journals',
    idKey: 'JournalID',
    scopes: ['accounting.journals'],
    paging: 'offset',
    isSmall: true,
    tellsChanges: true,
    isGated: true,
    list: journalList,
  },
  {
    name: 'PurchaseOrders',
    idKey: 'PurchaseOrderID',
    scopes: invoices,
    paging: 'sized',
    tellsChanges: true,
    filters: ['status', 'dates'],
    list: orderList,
  },
  {
    name: 'Quotes',
    idKey: 'QuoteID',
    scopes: invoices,
    paging: 'hundred',
    tellsChanges: true,
    filters: ['status', 'dates', 'contactid'],
    list: quoteList,
  },
  {
    name: 'RepeatingInvoices',
    idKey: 'RepeatingInvoiceID',
    scopes: invoices,
    ...whole,
    filters: ['where'],
    list: repeatingList,
  },
  {
    name: 'LinkedTransactions',
    idKey: 'LinkedTransactionID',
    scopes: invoices,
    paging: 'hundred',
    isSmall: true,
    // Its rows have a change date, but the API has no filter for it.
    tellsChanges: false,
    filters: ['status', 'contactid', 'sourcetransactionid'],
    list: linkedList,
  },
  { name: 'ExpenseClaims', idKey: 'ExpenseClaimID', scopes: expenses, ...changing, list: claimList },
  { name: 'Receipts', idKey: 'ReceiptID', scopes: expenses, ...changing, list: receiptList },
  { name: 'Budgets', idKey: 'BudgetID', scopes: ['accounting.budgets'], ...whole, filters: ['ids'], list: budgetList },
]

/** Keyed by name in lower case. */
export const endpoints: ReadonlyMap<string, SimulatedEndpoint> = new Map(
  all.map((endpoint) => [endpoint.name.toLowerCase(), endpoint]),
)
