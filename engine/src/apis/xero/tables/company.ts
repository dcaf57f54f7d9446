/** The company and its reference data. */
import { identifiedListOf, listOf, parentTable } from '../../http/documents.ts'
import { type Fields, flag, guid, integer, keyed, money, prefixed, text, textUpTo } from '../../http/fields.ts'
import { addressFields, day, instant, paymentTerms, percent, phoneFields, updatedAndDeleted, word } from './columns.ts'
import { changingStream, fourDecimals, wholeStream, type XeroStream } from './stream-kinds.ts'

const settings = { scope: 'accounting.settings.read' } as const

const organisation = parentTable(
  'organisation',
  {
    OrganisationID: keyed(guid),
    Name: word,
    LegalName: word,
    PaysTax: flag,
    Version: word,
    OrganisationType: word,
    OrganisationEntityType: word,
    BaseCurrency: word,
    CountryCode: word,
    IsDemoCompany: flag,
    OrganisationStatus: word,
    RegistrationNumber: word,
    EmployerIdentificationNumber: word,
    TaxNumber: word,
    FinancialYearEndDay: integer,
    FinancialYearEndMonth: integer,
    SalesTaxBasis: word,
    SalesTaxPeriod: word,
    DefaultSalesTax: word,
    DefaultPurchasesTax: word,
    PeriodLockDate: day,
    EndOfYearLockDate: day,
    CreatedDateUTC: instant,
    Timezone: word,
    ShortCode: word,
    Class: word,
    Edition: word,
    LineOfBusiness: word,
    ...paymentTerms,
  },
  [
    listOf('organisation_address', 'Addresses', addressFields),
    listOf('organisation_phone', 'Phones', phoneFields),
    listOf('organisation_external_link', 'ExternalLinks', { LinkType: word, Url: text, Description: text }),
  ],
)

/** Not named `user`, which is a reserved word in most databases. */
const xeroUser = parentTable('xero_user', {
  UserID: keyed(guid),
  GlobalUserID: guid,
  EmailAddress: word,
  FirstName: word,
  LastName: word,
  IsSubscriber: flag,
  OrganisationRole: word,
  UpdatedDateUTC: instant,
})

const account = parentTable('account', {
  AccountID: keyed(guid),
  Code: word,
  Name: word,
  Type: word,
  Class: word,
  Status: word,
  Description: text,
  SystemAccount: word,
  TaxType: word,
  BankAccountNumber: word,
  BankAccountType: word,
  CurrencyCode: word,
  EnablePaymentsToAccount: flag,
  ShowInExpenseClaims: flag,
  AddToWatchlist: flag,
  HasAttachments: flag,
  ReportingCode: word,
  ReportingCodeName: word,
  ...updatedAndDeleted,
})

const taxRate = parentTable(
  'tax_rate',
  {
    TaxType: keyed(textUpTo(100)),
    Name: word,
    Status: word,
    ReportTaxType: word,
    CanApplyToAssets: flag,
    CanApplyToEquity: flag,
    CanApplyToExpenses: flag,
    CanApplyToLiabilities: flag,
    CanApplyToRevenue: flag,
    DisplayTaxRate: percent,
    EffectiveRate: percent,
  },
  [
    listOf('tax_component', 'TaxComponents', {
      Name: word,
      Rate: percent,
      IsCompound: flag,
      IsNonRecoverable: flag,
    }),
  ],
)

const currencyList = parentTable('currency', { Code: keyed(textUpTo(10)), Description: word })

const trackingCategory = parentTable(
  'tracking_category',
  { TrackingCategoryID: keyed(guid), Name: word, Status: word },
  [
    identifiedListOf('tracking_option', 'Options', {
      TrackingOptionID: keyed(guid),
      Name: word,
      Status: word,
    }),
  ],
)

const brandingTheme = parentTable('branding_theme', {
  BrandingThemeID: keyed(guid),
  Name: word,
  LogoUrl: text,
  Type: word,
  SortOrder: integer,
  CreatedDateUTC: instant,
})

const tradeFields: Fields = { UnitPrice: money, AccountCode: word, COGSAccountCode: word, TaxType: word }
const item = parentTable('item', {
  ItemID: keyed(guid),
  Code: word,
  Name: word,
  Description: text,
  PurchaseDescription: text,
  ...prefixed('PurchaseDetails.', tradeFields),
  ...prefixed('SalesDetails.', tradeFields),
  IsTrackedAsInventory: flag,
  InventoryAssetAccountCode: word,
  TotalCostPool: money,
  QuantityOnHand: money,
  IsSold: flag,
  IsPurchased: flag,
  UpdatedDateUTC: instant,
})

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
