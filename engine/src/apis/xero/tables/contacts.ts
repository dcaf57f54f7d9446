/** Customers and suppliers. */
import { identifiedListOf, listOf, parentTable } from '../../http/documents.ts'
import { type Fields, flag, guid, keyed, money, named, prefixed, text } from '../../http/fields.ts'
import { addressFields, instant, paymentTerms, percent, phoneFields, word } from './columns.ts'
import { changingStream, wholeStream, type XeroStream } from './stream-kinds.ts'

const tracked: Fields = {
  TrackingCategoryID: guid,
  TrackingCategoryName: word,
  TrackingOptionID: guid,
  TrackingOptionName: word,
}

const contact = parentTable(
  'contact',
  {
    ContactID: keyed(guid),
    MergedToContactID: guid,
    ContactNumber: word,
    AccountNumber: word,
    ContactStatus: word,
    Name: word,
    FirstName: word,
    LastName: word,
    CompanyNumber: word,
    EmailAddress: word,
    BankAccountDetails: text,
    ...prefixed('BatchPayments.', {
      BankAccountNumber: word,
      BankAccountName: word,
      Details: word,
      Code: word,
      Reference: word,
    }),
    TaxNumber: word,
    TaxNumberType: word,
    AccountsReceivableTaxType: word,
    AccountsPayableTaxType: word,
    IsSupplier: flag,
    IsCustomer: flag,
    DefaultCurrency: word,
    SalesDefaultLineAmountType: word,
    PurchasesDefaultLineAmountType: word,
    SalesDefaultAccountCode: word,
    PurchasesDefaultAccountCode: word,
    TrackingCategoryName: word,
    TrackingCategoryOption: word,
    XeroNetworkKey: word,
    Website: text,
    'BrandingTheme.BrandingThemeID': named('branding_theme_id', guid),
    ...paymentTerms,
    Discount: percent,
    'Balances.AccountsReceivable.Outstanding': named('receivable_outstanding', money),
    'Balances.AccountsReceivable.Overdue': named('receivable_overdue', money),
    'Balances.AccountsPayable.Outstanding': named('payable_outstanding', money),
    'Balances.AccountsPayable.Overdue': named('payable_overdue', money),
    HasAttachments: flag,
    UpdatedDateUTC: instant,
  },
  [
    listOf('contact_address', 'Addresses', addressFields),
    listOf('contact_phone', 'Phones', phoneFields),
    listOf('contact_person', 'ContactPersons', {
      FirstName: word,
      LastName: word,
      EmailAddress: word,
      IncludeInEmails: flag,
    }),
    identifiedListOf('contact_group_member', 'ContactGroups', {
      ContactGroupID: keyed(guid),
      Name: word,
      Status: word,
    }),
    listOf('contact_sales_tracking_category', 'SalesTrackingCategories', tracked),
    listOf('contact_purchases_tracking_category', 'PurchasesTrackingCategories', tracked),
  ],
)

const contactGroup = parentTable('contact_group', { ContactGroupID: keyed(guid), Name: word, Status: word })

const scope = 'accounting.contacts.read'
export const contactStreams: readonly XeroStream[] = [
  changingStream('Contacts', contact, { scope, page: 1000, query: { includeArchived: 'true' } }),
  wholeStream('ContactGroups', contactGroup, { scope }),
]
