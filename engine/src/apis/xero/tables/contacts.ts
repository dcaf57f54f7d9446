/** Customers and suppliers. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, text } from '../../http/fields.ts'
import {
  addressFields,
  listOf,
  identifiedListOf,
  paymentTerms,
  percent,
  phoneFields,
  updated,
  word,
} from './columns.ts'
import { changingStream, wholeStream } from './stream-kinds.ts'
import type { XeroStream } from './stream-kinds.ts'

const parent = { table: 'contact', id: 'ContactID' }
const tracked = [
  guid('TrackingCategoryID'),
  word('TrackingCategoryName'),
  guid('TrackingOptionID'),
  word('TrackingOptionName'),
]

const contact = parentTable(
  'contact',
  [
    guid('ContactID', { key: true }),
    guid('MergedToContactID'),
    word('ContactNumber'),
    word('AccountNumber'),
    word('ContactStatus'),
    word('Name'),
    word('FirstName'),
    word('LastName'),
    word('CompanyNumber'),
    word('EmailAddress'),
    text('BankAccountDetails'),
    ...['BankAccountNumber', 'BankAccountName', 'Details', 'Code', 'Reference'].map((name) =>
      word(`BatchPayments.${name}`),
    ),
    word('TaxNumber'),
    word('TaxNumberType'),
    word('AccountsReceivableTaxType'),
    word('AccountsPayableTaxType'),
    flag('IsSupplier'),
    flag('IsCustomer'),
    word('DefaultCurrency'),
    word('SalesDefaultLineAmountType'),
    word('PurchasesDefaultLineAmountType'),
    word('SalesDefaultAccountCode'),
    word('PurchasesDefaultAccountCode'),
    word('TrackingCategoryName'),
    word('TrackingCategoryOption'),
    word('XeroNetworkKey'),
    text('Website'),
    guid('BrandingTheme.BrandingThemeID', { as: 'branding_theme_id' }),
    ...paymentTerms,
    percent('Discount'),
    money('Balances.AccountsReceivable.Outstanding', { as: 'receivable_outstanding' }),
    money('Balances.AccountsReceivable.Overdue', { as: 'receivable_overdue' }),
    money('Balances.AccountsPayable.Outstanding', { as: 'payable_outstanding' }),
    money('Balances.AccountsPayable.Overdue', { as: 'payable_overdue' }),
    flag('HasAttachments'),
    updated,
  ],
  [
    listOf(parent, 'address', 'Addresses', addressFields),
    listOf(parent, 'phone', 'Phones', phoneFields),
    listOf(parent, 'person', 'ContactPersons', [
      word('FirstName'),
      word('LastName'),
      word('EmailAddress'),
      flag('IncludeInEmails'),
    ]),
    identifiedListOf(parent, 'group_member', 'ContactGroups', [
      guid('ContactGroupID', { key: true }),
      word('Name'),
      word('Status'),
    ]),
    listOf(parent, 'sales_tracking_category', 'SalesTrackingCategories', tracked),
    listOf(parent, 'purchases_tracking_category', 'PurchasesTrackingCategories', tracked),
  ],
)

const contactGroup = parentTable('contact_group', [guid('ContactGroupID', { key: true }), word('Name'), word('Status')])

const scope = 'accounting.contacts.read'
export const contactStreams: readonly XeroStream[] = [
  changingStream('Contacts', contact, { scope, page: 1000, query: { includeArchived: 'true' } }),
  wholeStream('ContactGroups', contactGroup, { scope }),
]
