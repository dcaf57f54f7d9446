/** Fields of the lists of the simulated Exact Online, by the names of its reference. It refuses others. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/u)
const common = 'Created Creator CreatorFullName Division ID Modified Modifier ModifierFullName'

export const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'sync/Financial/GLAccounts': words(
    `${common} Timestamp AssimilatedVATBox BalanceSide BalanceType BelcotaxType Code Compress Costcenter Costunit Description ExcludeVATListing
    IsBlocked Matching PrivateGLAccount PrivatePercentage ReportingCode RevalueCurrency SearchCode Type TypeDescription UseCostcenter
    UseCostunit VATCode VATDescription VATSystem YearEndCostGLAccount YearEndReflectionGLAccount`,
  ),
  'sync/CRM/Accounts': words(
    `${common} Timestamp AccountManager AddressLine1 AddressLine2 Blocked ChamberOfCommerce City Code Country CountryName CreditLineSales
    Currency CustomerSince Email EndDate IsSales IsSupplier Language Name Parent PaymentConditionPurchase PaymentConditionSales Phone
    Postcode PurchaseVATCode Remarks SalesVATCode SearchCode StartDate State Status StatusSince Type VATLiability VATNumber Website`,
  ),
  'sync/Financial/TransactionLines': words(
    `${common} Timestamp Account AccountCode AccountName AmountDC AmountFC AmountVATBaseFC AmountVATFC Asset CostCenter CostUnit Currency Date
    Description Document DocumentNumber DueDate EntryID EntryNumber ExchangeRate FinancialPeriod FinancialYear GLAccount GLAccountCode
    GLAccountDescription InvoiceNumber Item JournalCode JournalDescription LineNumber LineType Notes OffsetID OrderNumber PaymentReference
    Project Quantity Status Type VATCode VATPercentage VATType YourRef`,
  ),
  'sync/Logistics/Items': words(
    `${common} Timestamp AverageCost Barcode Code CostPriceCurrency CostPriceNew CostPriceStandard Description EndDate ExtraDescription GLCosts
    GLRevenue GLStock IsPurchaseItem IsSalesItem IsStockItem ItemGroup Notes SalesVATCode SearchCode StartDate Stock Unit UnitDescription`,
  ),
  'system/Divisions': words(
    `AddressLine1 ArchiveDate BlockingStatus City Code Country CountryDescription Created Creator CreatorFullName Currency CurrencyDescription
    Current Customer CustomerCode CustomerName Description Email HID IsMainDivision Legislation Modified Modifier ModifierFullName Phone Postcode
    SbiCode SiretNumber StartDate State Status TemplateCode VATNumber Website`,
  ),
  'financial/Journals': words(
    `${common} AllowVAT AutoSave Bank BankAccountBICCode BankAccountIBAN BankAccountID BankName Code Currency Description GLAccount GLAccountCode
    GLAccountType PaymentInTransitAccount Type`,
  ),
  'financial/FinancialPeriods': words(`${common} EndDate FinPeriod FinYear StartDate`),
  'financial/ReportingBalance': words(
    `ID Amount AmountCredit AmountDebit BalanceType CostCenterCode CostUnitCode Count Division GLAccount GLAccountCode GLAccountDescription
    ReportingPeriod ReportingYear Status Type`,
  ),
}
