/** What the documents refer to: the company itself, accounts, tax, items and tracking, as the API writes them. */
import type { Company } from '../books/company.ts'
import type { How, Listed } from '../api/listed.ts'
import { amount, bareStamp, fine, raw, stamp } from '../api/value-format.ts'
import type { Row } from '../api/value-format.ts'
import type { Account } from '../books/records.ts'

const zones: Readonly<Record<string, string>> = {
  NZ: 'NEWZEALANDSTANDARDTIME',
  AU: 'AUSEASTERNSTANDARDTIME',
  GB: 'GMTSTANDARDTIME',
}

export function organisationList(company: Company): readonly Listed[] {
  const { tenantId, name, country, currency, yearEndMonth, foundedAt } = company
  const row: Row = {
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
    // The day in the zone of the company, of which the offset tells.
    PeriodLockDate: `/Date(${foundedAt - 86_400_000 - 13 * 3_600_000}+1300)/`,
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

export function accountList(company: Company): readonly Listed[] {
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

function accountRow({ currency }: Company, account: Account): Row {
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

export function taxList({ taxes }: Company): readonly Listed[] {
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

export function currencyList({ contacts, currency }: Company): readonly Listed[] {
  return [...new Set([currency, ...contacts.map((contact) => contact.currency)])].map((code) => ({
    id: code,
    status: 'ACTIVE',
    updatedAt: null,
    date: null,
    facts: { code },
    row: () => ({ Code: code, Description: currencyNames[code] ?? code }),
  }))
}

export function trackingList({ tracking }: Company): readonly Listed[] {
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

/** Moments at and before 1970 come, too. */
export function themeList({ themes }: Company): readonly Listed[] {
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

export function userList({ users }: Company): readonly Listed[] {
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

export function itemList(company: Company): readonly Listed[] {
  return company.items.map((item) => ({
    id: item.id,
    status: 'ACTIVE',
    updatedAt: item.updatedAt,
    date: null,
    facts: { code: item.code, name: item.name, istrackedasinventory: item.isTracked },
    row: (how) => itemRow(company, item, how),
  }))
}

function itemRow({ accounts, taxes }: Company, item: Company['items'][number], { unitDecimals }: How): Row {
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
      UnitPrice: fine(item.buyUnits, unitDecimals),
      ...(item.isTracked ? { COGSAccountCode: '310' } : { AccountCode: '310' }),
      TaxType: purchase?.type,
    },
    SalesDetails: { UnitPrice: fine(item.saleUnits, unitDecimals), AccountCode: '200', TaxType: sale?.type },
    IsTrackedAsInventory: item.isTracked,
    ...(item.isTracked && {
      InventoryAssetAccountCode: inventory?.code,
      TotalCostPool: amount(0),
      QuantityOnHand: fine(0),
    }),
    IsSold: true,
    IsPurchased: true,
  }
}
