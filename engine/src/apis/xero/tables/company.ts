/** The company and its reference data. */
import { childTable, parentTable } from '../../http/documents.ts'
import { flag, guid, readMembers, money, ordinal, text, integer } from '../../http/fields.ts'
import {
  addressFields,
  day,
  deletedAt,
  listOf,
  instant,
  identifiedListOf,
  paymentTerms,
  percent,
  phoneFields,
  updated,
  word,
} from './columns.ts'
import { changingStream, fourDecimals, wholeStream } from './stream-kinds.ts'
import type { XeroStream } from './stream-kinds.ts'

const settings = { scope: 'accounting.settings.read' } as const

const company = { table: 'organisation', id: 'OrganisationID' }
const organisation = parentTable(
  'organisation',
  [
    guid('OrganisationID', { key: true }),
    word('Name'),
    word('LegalName'),
    flag('PaysTax'),
    word('Version'),
    word('OrganisationType'),
    word('OrganisationEntityType'),
    word('BaseCurrency'),
    word('CountryCode'),
    flag('IsDemoCompany'),
    word('OrganisationStatus'),
    word('RegistrationNumber'),
    word('EmployerIdentificationNumber'),
    word('TaxNumber'),
    integer('FinancialYearEndDay'),
    integer('FinancialYearEndMonth'),
    word('SalesTaxBasis'),
    word('SalesTaxPeriod'),
    word('DefaultSalesTax'),
    word('DefaultPurchasesTax'),
    day('PeriodLockDate'),
    day('EndOfYearLockDate'),
    instant('CreatedDateUTC'),
    word('Timezone'),
    word('ShortCode'),
    word('Class'),
    word('Edition'),
    word('LineOfBusiness'),
    ...paymentTerms,
  ],
  [
    listOf(company, 'address', 'Addresses', addressFields),
    listOf(company, 'phone', 'Phones', phoneFields),
    listOf(company, 'external_link', 'ExternalLinks', [word('LinkType'), text('Url'), text('Description')]),
  ],
)

/** Not named `user`, which is a reserved word in most databases. */
const xeroUser = parentTable('xero_user', [
  guid('UserID', { key: true }),
  guid('GlobalUserID'),
  word('EmailAddress'),
  word('FirstName'),
  word('LastName'),
  flag('IsSubscriber'),
  word('OrganisationRole'),
  updated,
])

const account = parentTable('account', [
  guid('AccountID', { key: true }),
  word('Code'),
  word('Name'),
  word('Type'),
  word('Class'),
  word('Status'),
  text('Description'),
  word('SystemAccount'),
  word('TaxType'),
  word('BankAccountNumber'),
  word('BankAccountType'),
  word('CurrencyCode'),
  flag('EnablePaymentsToAccount'),
  flag('ShowInExpenseClaims'),
  flag('AddToWatchlist'),
  flag('HasAttachments'),
  word('ReportingCode'),
  word('ReportingCodeName'),
  updated,
  deletedAt(),
])

const taxRate = parentTable(
  'tax_rate',
  [
    text('TaxType', 100, { key: true }),
    word('Name'),
    word('Status'),
    word('ReportTaxType'),
    flag('CanApplyToAssets'),
    flag('CanApplyToEquity'),
    flag('CanApplyToExpenses'),
    flag('CanApplyToLiabilities'),
    flag('CanApplyToRevenue'),
    percent('DisplayTaxRate'),
    percent('EffectiveRate'),
  ],
  [
    childTable(
      'tax_component',
      [
        text('TaxType', 100, { of: 'document', key: true }),
        ordinal,
        word('Name'),
        percent('Rate'),
        flag('IsCompound'),
        flag('IsNonRecoverable'),
      ],
      (document) =>
        readMembers(document, 'TaxComponents').map((node, at) => ({
          document,
          node,
          section: '',
          number: 0,
          ordinal: at + 1,
        })),
    ),
  ],
)

const currencyList = parentTable('currency', [text('Code', 10, { key: true }), word('Description')])

const trackingCategory = parentTable(
  'tracking_category',
  [guid('TrackingCategoryID', { key: true }), word('Name'), word('Status')],
  [
    identifiedListOf({ table: 'tracking', id: 'TrackingCategoryID' }, 'option', 'Options', [
      guid('TrackingOptionID', { key: true }),
      word('Name'),
      word('Status'),
    ]),
  ],
)

const brandingTheme = parentTable('branding_theme', [
  guid('BrandingThemeID', { key: true }),
  word('Name'),
  text('LogoUrl'),
  word('Type'),
  integer('SortOrder'),
  instant('CreatedDateUTC'),
])

const tradeFields = (side: 'PurchaseDetails' | 'SalesDetails') => [
  money(`${side}.UnitPrice`),
  word(`${side}.AccountCode`),
  word(`${side}.COGSAccountCode`),
  word(`${side}.TaxType`),
]
const item = parentTable('item', [
  guid('ItemID', { key: true }),
  word('Code'),
  word('Name'),
  text('Description'),
  text('PurchaseDescription'),
  ...tradeFields('PurchaseDetails'),
  ...tradeFields('SalesDetails'),
  flag('IsTrackedAsInventory'),
  word('InventoryAssetAccountCode'),
  money('TotalCostPool'),
  money('QuantityOnHand'),
  flag('IsSold'),
  flag('IsPurchased'),
  updated,
])

export const companyStreams: readonly XeroStream[] = [
  wholeStream('Organisation', organisation, { ...settings, rows: 'Organisations' }),
  wholeStream('Users', xeroUser, settings),
  changingStream('Accounts', account, settings),
  wholeStream('TaxRates', taxRate, settings),
  wholeStream('Currencies', currencyList, settings),
  wholeStream('TrackingCategories', trackingCategory, { ...settings, query: { includeArchived: 'true' } }),
  wholeStream('BrandingThemes', brandingTheme, settings),
  changingStream('Items', item, { ...settings, query: fourDecimals, hasUnreportedDeletions: true }),
]
