import { afterAll, beforeAll, expect, test } from 'vitest'
import { startXero } from './server.ts'
import type { XeroSimulator } from './server.ts'
import { movableClock } from '@tributary/testing/sims/xero/api-caller.ts'
import type { XeroRow } from './api/value-format.ts'

let sim: XeroSimulator
const rows = (endpoint: string): readonly XeroRow[] => sim.readRows(sim.companies[0]?.tenantId ?? '', endpoint)

beforeAll(async () => {
  sim = await startXero({ clock: movableClock(), seed: 9, size: 'trial' })
})
afterAll(() => sim.close())

/** Every key anywhere in a list; `Contact.Name` for a nested one. */
function keysOf(value: unknown, within = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, within))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [within + key, ...keysOf(inner, `${within}${key}.`)])
}

const line =
  'LineItems.LineItemID LineItems.Description LineItems.Quantity LineItems.UnitAmount LineItems.ItemCode LineItems.AccountCode LineItems.AccountID LineItems.TaxType LineItems.TaxAmount LineItems.LineAmount LineItems.Tracking LineItems.Tracking.TrackingCategoryID LineItems.Tracking.TrackingOptionID LineItems.Tracking.Name LineItems.Tracking.Option'

/** Keys in Xero's own samples. */
const samples: readonly (readonly [string, string])[] = [
  [
    'Invoices',
    `Type InvoiceID InvoiceNumber Reference Payments.PaymentID Payments.Date Payments.Amount Payments.CurrencyRate CreditNotes Prepayments Overpayments AmountDue AmountPaid AmountCredited SentToContact CurrencyRate IsDiscounted HasAttachments HasErrors BrandingThemeID Contact.ContactID Contact.Name DateString Date DueDateString DueDate Status LineAmountTypes ${line} LineItems.DiscountRate SubTotal TotalTax Total UpdatedDateUTC UpdatedDateUTCString CurrencyCode`,
  ],
  [
    'Contacts',
    'ContactID ContactNumber AccountNumber ContactStatus Name FirstName LastName EmailAddress BankAccountDetails BatchPayments.BankAccountNumber BatchPayments.BankAccountName BatchPayments.Details BatchPayments.Code BatchPayments.Reference TaxNumber Addresses.AddressType Addresses.AddressLine1 Addresses.City Addresses.Region Addresses.PostalCode Addresses.Country Addresses.AttentionTo Phones.PhoneType Phones.PhoneNumber Phones.PhoneAreaCode Phones.PhoneCountryCode ContactPersons.FirstName ContactPersons.LastName ContactPersons.EmailAddress ContactPersons.IncludeInEmails ContactGroups.ContactGroupID ContactGroups.Name ContactGroups.Status IsSupplier IsCustomer DefaultCurrency Balances.AccountsReceivable.Outstanding Balances.AccountsPayable.Overdue HasAttachments HasValidationErrors UpdatedDateUTC',
  ],
  [
    'Payments',
    'PaymentID BatchPaymentID Date BankAmount Amount Reference CurrencyRate PaymentType Status IsReconciled HasAccount Account.AccountID Account.Code Invoice.InvoiceID Invoice.InvoiceNumber Invoice.Type Invoice.Contact.ContactID Invoice.Contact.Name UpdatedDateUTC UpdatedDateUTCString',
  ],
  [
    'BankTransactions',
    `BankTransactionID Type Status IsReconciled BankAccount.AccountID BankAccount.Code BankAccount.Name Contact.ContactID Contact.Name DateString Date LineAmountTypes ${line} SubTotal TotalTax Total CurrencyCode HasAttachments UpdatedDateUTC OverpaymentID PrepaymentID`,
  ],
  [
    'Accounts',
    'AccountID Code Name Status Type Class TaxType Description SystemAccount EnablePaymentsToAccount ShowInExpenseClaims ReportingCode ReportingCodeName HasAttachments AddToWatchlist UpdatedDateUTC BankAccountNumber BankAccountType CurrencyCode',
  ],
  [
    'Items',
    'ItemID Code Name Description PurchaseDetails.UnitPrice PurchaseDetails.COGSAccountCode PurchaseDetails.TaxType SalesDetails.UnitPrice SalesDetails.AccountCode SalesDetails.TaxType IsTrackedAsInventory IsSold IsPurchased UpdatedDateUTC',
  ],
  [
    'Journals',
    'JournalID JournalDate JournalNumber CreatedDateUTC Reference SourceID SourceType JournalLines.JournalLineID JournalLines.AccountID JournalLines.AccountCode JournalLines.AccountType JournalLines.AccountName JournalLines.Description JournalLines.NetAmount JournalLines.GrossAmount JournalLines.TaxAmount JournalLines.TrackingCategories.TrackingCategoryID',
  ],
  [
    'ManualJournals',
    'ManualJournalID Narration Date Status LineAmountTypes ShowOnCashBasisReports HasAttachments JournalLines.LineAmount JournalLines.AccountCode JournalLines.AccountID JournalLines.Description JournalLines.TaxType JournalLines.Tracking JournalLines.TaxAmount JournalLines.IsBlank UpdatedDateUTC',
  ],
  [
    'CreditNotes',
    `CreditNoteID CreditNoteNumber Type Status Contact.ContactID Contact.Name Date LineItems Allocations.AllocationID Allocations.Amount Allocations.Date Allocations.IsDeleted Allocations.Invoice.InvoiceID Allocations.Invoice.InvoiceNumber SubTotal TotalTax Total RemainingCredit AppliedAmount CurrencyCode CurrencyRate UpdatedDateUTC Payments`,
  ],
  [
    'Overpayments',
    'OverpaymentID ID Type Status Contact.ContactID Date LineItems.LineAmount Allocations.Amount Payments RemainingCredit Total',
  ],
  [
    'Prepayments',
    'PrepaymentID ID Type Status Contact.ContactID Date LineItems.LineAmount Allocations.Amount Payments RemainingCredit Total',
  ],
  [
    'BatchPayments',
    'BatchPaymentID Account.AccountID Date Payments.PaymentID Payments.Invoice.InvoiceID Payments.Amount Type Status TotalAmount UpdatedDateUTC IsReconciled',
  ],
  ['TrackingCategories', 'TrackingCategoryID Name Status Options.TrackingOptionID Options.Name Options.Status'],
  [
    'TaxRates',
    'Name TaxType Status ReportTaxType CanApplyToAssets CanApplyToEquity CanApplyToExpenses CanApplyToLiabilities CanApplyToRevenue DisplayTaxRate EffectiveRate TaxComponents.Name TaxComponents.Rate TaxComponents.IsCompound TaxComponents.IsNonRecoverable',
  ],
  [
    'BankTransfers',
    'BankTransferID CreatedDateUTC Date DateString FromBankAccount.AccountID FromBankAccount.Code FromBankAccount.Name ToBankAccount.AccountID ToBankAccount.Code ToBankAccount.Name Amount FromBankTransactionID ToBankTransactionID FromIsReconciled ToIsReconciled FromTracking.TrackingCategoryID FromTracking.TrackingOptionID FromTracking.Name FromTracking.Option ToTracking.Option CurrencyRate HasAttachments Status',
  ],
  [
    'PurchaseOrders',
    `PurchaseOrderID PurchaseOrderNumber Type Status DateString Date DeliveryDate Contact.ContactID Contact.Name ${line} SubTotal TotalTax Total CurrencyCode CurrencyRate SentToContact HasAttachments HasErrors IsDiscounted UpdatedDateUTC`,
  ],
  [
    'Quotes',
    `QuoteID QuoteNumber Status Title Summary Terms Reference Contact.ContactID Contact.Name ${line} Date DateString ExpiryDate LineAmountTypes CurrencyCode CurrencyRate SubTotal TotalTax Total TotalDiscount UpdatedDateUTC`,
  ],
  [
    'Organisation',
    'OrganisationID Name LegalName PaysTax Version OrganisationType BaseCurrency CountryCode IsDemoCompany OrganisationStatus FinancialYearEndDay FinancialYearEndMonth Timezone ShortCode Class Edition PeriodLockDate CreatedDateUTC Addresses.AddressType Phones.PhoneType ExternalLinks.Url',
  ],
  ['Users', 'UserID EmailAddress FirstName LastName UpdatedDateUTC IsSubscriber OrganisationRole'],
  ['Currencies', 'Code Description'],
  ['BrandingThemes', 'BrandingThemeID Name SortOrder CreatedDateUTC'],
  ['ContactGroups', 'ContactGroupID Name Status'],
  [
    'RepeatingInvoices',
    'RepeatingInvoiceID ID Type Status Contact.ContactID Schedule.Period Schedule.Unit Schedule.NextScheduledDate LineItems.LineItemID Total',
  ],
  [
    'LinkedTransactions',
    'LinkedTransactionID SourceTransactionID SourceLineItemID ContactID TargetTransactionID TargetLineItemID Status Type UpdatedDateUTC SourceTransactionTypeCode',
  ],
  [
    'ExpenseClaims',
    'ExpenseClaimID Status User.UserID Receipts.ReceiptID Payments.PaymentID Total AmountDue AmountPaid PaymentDueDate ReportingDate UpdatedDateUTC',
  ],
  [
    'Receipts',
    'ReceiptID ReceiptNumber Status User.UserID Contact.ContactID Date LineAmountTypes LineItems.LineItemID LineItems.AccountCode SubTotal TotalTax Total UpdatedDateUTC',
  ],
  ['Budgets', 'BudgetID Status Type Description UpdatedDateUTC Tracking.TrackingOptionID BudgetLines'],
]

test.each(samples)('%s have the keys of Xero’s samples', (endpoint, wanted) => {
  const keys = new Set(keysOf(rows(endpoint)))
  expect(wanted.split(' ').filter((key) => !keys.has(key))).toEqual([])
})

test('days and timestamps have Xero’s formats: with a zone, without one, before 1970', () => {
  expect(rows('Invoices')[0]?.['Date']).toMatch(/^\/Date\(\d+\+0000\)\/$/)
  expect(rows('Quotes')[0]?.['Date']).toMatch(/^\/Date\(\d+\)\/$/)
  expect(rows('BrandingThemes').map(({ CreatedDateUTC }) => CreatedDateUTC)).toEqual([
    '/Date(0+0000)/',
    '/Date(-86400000+0000)/',
  ])
  expect(rows('Organisation')[0]?.['PeriodLockDate']).toMatch(/\+1300\)\/$/)
})

test('the sum and the flag of a batch are texts within a payment, otherwise a number and a boolean', () => {
  const within = rows('Payments').find(({ BatchPayment }) => BatchPayment !== undefined)?.['BatchPayment'] as XeroRow
  expect([typeof within['TotalAmount'], within['IsReconciled']]).toEqual(['string', 'false'])
  const [batch] = rows('BatchPayments')
  expect([typeof batch?.['TotalAmount'], batch?.['IsReconciled']]).toEqual(['number', true])
})
