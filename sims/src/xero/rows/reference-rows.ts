/** Reference data in the API's format: the company, accounts, taxes, currencies, tracking, users and items. */
import type { XeroCompany } from '../books/company.ts'
import type { SerialiseOptions, XeroRecord } from '../api/records.ts'
import { amount, bareStamp, tenThousandths, raw, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type { XeroAccount } from '../books/records.ts'

const zones: Readonly<Record<string, string>> = {
  NZ: 'NEWZEALANDSTANDARDTIME',
  AU: 'AUSEASTERNSTANDARDTIME',
  GB: 'GMTSTANDARDTIME',
}

const localMidnight = (day: number): string => `/Date(${day - 13 * 3_600_000}+1300)/`

export function organisationList(company: XeroCompany): readonly XeroRecord[] {
  const { tenantId, name, country, currency, yearEndMonth, foundedAt } = company
  const { period, yearEnd } = company.locks ?? { period: foundedAt - 86_400_000, yearEnd: null }
  const row: XeroRow = {
    Name: name,
    LegalName: `${name} Limited`,
    PaysTax: true,
    Version: country,
    OrganisationType: 'COMPANY',
    BaseCurrency: currency,
    CountryCode: country,
    IsDemoCompany: false,
    OrganisationStatus: 'ACTIVE',
    RegistrationNumber: '',
    FinancialYearEndDay: new Date(Date.UTC(2025, yearEndMonth, 0)).getUTCDate(),
    FinancialYearEndMonth: yearEndMonth,
    SalesTaxBasis: 'ACCRUALS',
    SalesTaxPeriod: 'TWOMONTHS',
    DefaultSalesTax: 'Tax Exclusive',
    DefaultPurchasesTax: 'Tax Inclusive',
    // Midnight in the company's time zone, with its offset.
    ...(period !== null && { PeriodLockDate: localMidnight(period) }),
    ...(yearEnd !== null && { EndOfYearLockDate: localMidnight(yearEnd) }),
    CreatedDateUTC: bareStamp(foundedAt),
    OrganisationEntityType: 'COMPANY',
    Timezone: zones[country] ?? 'GMTSTANDARDTIME',
    ShortCode: '!AbC12',
    Class: 'STANDARD',
    Edition: 'BUSINESS',
    OrganisationID: tenantId,
    LineOfBusiness: 'Wholesale',
    Addresses: [
      {
        AddressType: 'STREET',
        AddressLine1: '1 Quay St',
        City: 'Wellington',
        Region: '',
        PostalCode: '6011',
        Country: country,
        AttentionTo: '',
      },
    ],
    Phones: [{ PhoneType: 'OFFICE', PhoneNumber: '5550100', PhoneAreaCode: '04', PhoneCountryCode: '64' }],
    ExternalLinks: [{ LinkType: 'Website', Url: 'https://harbour.example/' }],
    PaymentTerms: {},
  }
  return [{ id: tenantId, status: 'ACTIVE', updatedAt: null, date: null, row: () => row }]
}

export function accountList(company: XeroCompany): readonly XeroRecord[] {
  return company.accounts.map((account) => ({
    id: account.id,
    status: account.status,
    updatedAt: account.updatedAt,
    date: null,
    facts: {
      code: account.code,
      name: account.name,
      type: account.type,
      class: account.class,
      systemaccount: account.system,
    },
    row: () => accountRow(company, account),
  }))
}

function accountRow({ currency }: XeroCompany, account: XeroAccount): XeroRow {
  const isBank = account.bankNumber !== null
  return {
    AccountID: account.id,
    Code: account.code,
    Name: account.name,
    Status: account.status,
    Type: account.type,
    TaxType: account.taxType,
    Description: '',
    Class: account.class,
    ...(account.system !== '' && { SystemAccount: account.system }),
    EnablePaymentsToAccount: account.type === 'EQUITY',
    ShowInExpenseClaims: account.type === 'EXPENSE',
    ...(isBank && { BankAccountNumber: account.bankNumber, BankAccountType: 'BANK', CurrencyCode: currency }),
    ReportingCode: account.class.slice(0, 3),
    ReportingCodeName: account.class,
    HasAttachments: false,
    UpdatedDateUTC: stamp(account.updatedAt),
    AddToWatchlist: false,
  }
}

export function taxList({ taxes }: XeroCompany): readonly XeroRecord[] {
  return taxes.map(({ type, name, reportType, percent }) => ({
    id: type,
    status: 'ACTIVE',
    updatedAt: null,
    date: null,
    facts: { name, taxtype: type },
    row: () => ({
      Name: name,
      TaxType: type,
      ReportTaxType: reportType,
      CanApplyToAssets: true,
      CanApplyToEquity: true,
      CanApplyToExpenses: true,
      CanApplyToLiabilities: true,
      CanApplyToRevenue: true,
      DisplayTaxRate: raw(percent.toFixed(4)),
      EffectiveRate: raw(percent.toFixed(4)),
      Status: 'ACTIVE',
      TaxComponents: [
        { Name: name.split(' ')[1] ?? name, Rate: raw(percent.toFixed(4)), IsCompound: false, IsNonRecoverable: false },
      ],
    }),
  }))
}

const currencyNames: Readonly<Record<string, string>> = {
  NZD: 'New Zealand Dollar',
  AUD: 'Australian Dollar',
  GBP: 'British Pound',
  USD: 'United States Dollar',
  EUR: 'Euro',
}

export function currencyList({ contacts, currency }: XeroCompany): readonly XeroRecord[] {
  return [...new Set([currency, ...contacts.map((contact) => contact.currency)])].map((code) => ({
    id: code,
    status: 'ACTIVE',
    updatedAt: null,
    date: null,
    facts: { code },
    row: () => ({ Code: code, Description: currencyNames[code] ?? code }),
  }))
}

export function trackingList({ tracking }: XeroCompany): readonly XeroRecord[] {
  return tracking.map(({ id, name, status, options }) => ({
    id,
    status,
    updatedAt: null,
    date: null,
    facts: { name },
    row: () => ({
      Name: name,
      Status: status,
      TrackingCategoryID: id,
      Options: options.map((option) => ({
        TrackingOptionID: option.id,
        Name: option.name,
        Status: option.status,
        HasValidationErrors: false,
        IsDeleted: false,
        IsArchived: option.status === 'ARCHIVED',
        IsActive: option.status === 'ACTIVE',
      })),
    }),
  }))
}

/** Includes timestamps at and before 1970. */
export function themeList({ themes }: XeroCompany): readonly XeroRecord[] {
  return themes.map(({ id, name }, index) => ({
    id,
    status: 'ACTIVE',
    updatedAt: null,
    date: null,
    facts: { name },
    row: () => ({
      BrandingThemeID: id,
      Name: name,
      SortOrder: index,
      CreatedDateUTC: stamp(index * -86_400_000),
      Type: 'INVOICE',
    }),
  }))
}

export function userList({ users }: XeroCompany): readonly XeroRecord[] {
  return users.map(({ id, email, firstName, lastName, role, updatedAt }, index) => ({
    id,
    status: 'ACTIVE',
    updatedAt,
    date: null,
    facts: { emailaddress: email, issubscriber: index === 0, organisationrole: role },
    row: () => ({
      UserID: id,
      GlobalUserID: id,
      EmailAddress: email,
      FirstName: firstName,
      LastName: lastName,
      UpdatedDateUTC: stamp(updatedAt),
      IsSubscriber: index === 0,
      OrganisationRole: role,
    }),
  }))
}

export function itemList(company: XeroCompany): readonly XeroRecord[] {
  return company.items.map((item) => ({
    id: item.id,
    status: 'ACTIVE',
    updatedAt: item.updatedAt,
    date: null,
    facts: { code: item.code, name: item.name, istrackedasinventory: item.isTracked },
    row: (how) => itemRow(company, item, how),
  }))
}

function itemRow(
  { accounts, taxes }: XeroCompany,
  item: XeroCompany['items'][number],
  { unitDecimals }: SerialiseOptions,
): XeroRow {
  const [sale, purchase] = taxes
  const inventory = accounts.find(({ type }) => type === 'INVENTORY')
  return {
    ItemID: item.id,
    Code: item.code,
    Name: item.name,
    Description: item.description,
    PurchaseDescription: item.description,
    UpdatedDateUTC: stamp(item.updatedAt),
    PurchaseDetails: {
      UnitPrice: tenThousandths(item.buyUnits, unitDecimals),
      ...(item.isTracked ? { COGSAccountCode: '310' } : { AccountCode: '310' }),
      TaxType: purchase?.type,
    },
    SalesDetails: { UnitPrice: tenThousandths(item.saleUnits, unitDecimals), AccountCode: '200', TaxType: sale?.type },
    IsTrackedAsInventory: item.isTracked,
    ...(item.isTracked && {
      InventoryAssetAccountCode: inventory?.code,
      TotalCostPool: amount(0),
      QuantityOnHand: tenThousandths(0),
    }),
    IsSold: true,
    IsPurchased: true,
  }
}
