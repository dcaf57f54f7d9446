/** The entity sets of the simulated Business Central, with the properties that the documentation of API v2.0 lists. */

export type EdmType =
  | 'guid'
  | 'string'
  | 'date'
  | 'datetime'
  | 'decimal'
  | 'integer'
  | 'boolean'
  | 'stream'
  | `enum ${string}`

export interface EntityType {
  readonly name: string
  readonly set: string
  readonly key: string
  readonly properties: Readonly<Record<string, EdmType>>
  /** Lists of rows of other sets, by navigation property. */
  readonly lists: Readonly<Record<string, string>>
  /** Rows are read only with the document that they belong to. */
  readonly isPart?: true
  /** It has no lastModifiedDateTime. */
  readonly isReport?: true
}

function typed(text: string): Readonly<Record<string, EdmType>> {
  return Object.fromEntries(
    text
      .split(';')
      .map((group) => group.trim())
      .filter(Boolean)
      .flatMap((group) => {
        const [type = 'string', names = ''] = group.split(/:\s*/u)
        return names.split(/\s+/u).map((name) => [name, type as EdmType] as const)
      }),
  )
}

const address = (prefix: string): string =>
  ['AddressLine1', 'AddressLine2', 'City', 'Country', 'State', 'PostCode'].map((part) => `${prefix}${part}`).join(' ')

const lineProperties =
  typed(`guid: id documentId; integer: sequence; guid: itemId accountId; enum invoiceLineAggLineType: lineType;
  string: lineObjectNumber description description2; guid: unitOfMeasureId; string: unitOfMeasureCode; decimal: quantity;
  decimal: discountAmount discountPercent; boolean: discountAppliedBeforeTax; decimal: amountExcludingTax; string: taxCode;
  decimal: taxPercent totalTaxAmount amountIncludingTax invoiceDiscountAllocation netAmount netTaxAmount netAmountIncludingTax;
  guid: itemVariantId locationId`)
const salesLine = { ...lineProperties, ...typed('decimal: unitPrice; date: shipmentDate') }
const purchaseLine = { ...lineProperties, ...typed('decimal: unitCost; date: expectedReceiptDate') }

const totals = `boolean: pricesIncludeTax; decimal: discountAmount; boolean: discountAppliedBeforeTax;
  decimal: totalAmountExcludingTax totalTaxAmount totalAmountIncludingTax`
const dimensions = 'string: shortcutDimension1Code shortcutDimension2Code; guid: currencyId; string: currencyCode'

const entity = (name: string, set: string, properties: string, more: Partial<EntityType> = {}): EntityType => ({
  name,
  set,
  key: 'id',
  properties: typed(properties),
  lists: {},
  ...more,
})

export const entityTypes: readonly EntityType[] = [
  entity(
    'company',
    'companies',
    'guid: id; string: systemVersion; integer: timestamp; string: name displayName businessProfileId',
    {
      isReport: true,
    },
  ),
  entity(
    'companyInformation',
    'companyInformation',
    `guid: id; string: displayName addressLine1 addressLine2 city state country postalCode phoneNumber faxNumber email website
      taxRegistrationNumber currencyCode; date: currentFiscalYearStartDate; string: industry; stream: picture; string: experience;
      datetime: lastModifiedDateTime`,
  ),
  entity(
    'account',
    'accounts',
    `guid: id; string: number displayName; enum glAccountCategory: category; string: subCategory; boolean: blocked;
      enum glAccountType: accountType; boolean: directPosting; decimal: netChange; string: consolidationTranslationMethod
      consolidationDebitAccount consolidationCreditAccount; boolean: excludeFromConsolidation; datetime: lastModifiedDateTime`,
  ),
  entity(
    'accountingPeriod',
    'accountingPeriods',
    'guid: id; date: startingDate; string: name; boolean: newFiscalYear closed dateLocked; datetime: lastModifiedDateTime',
  ),
  entity(
    'generalLedgerEntry',
    'generalLedgerEntries',
    `guid: id; integer: entryNumber; date: postingDate; string: documentNumber; enum genJournalDocumentType: documentType;
      guid: accountId; string: accountNumber description; decimal: debitAmount creditAmount additionalCurrencyDebitAmount
      additionalCurrencyCreditAmount; datetime: lastModifiedDateTime`,
  ),
  entity(
    'trialBalance',
    'trialBalances',
    `guid: accountId; string: number; enum glAccountType: accountType; string: display totalDebit totalCredit balanceAtDateDebit
      balanceAtDateCredit; date: dateFilter`,
    { key: 'accountId', isReport: true },
  ),
  entity(
    'customer',
    'customers',
    `guid: id; string: number displayName; enum contactType: type; string: addressLine1 addressLine2 city state country postalCode
      phoneNumber email website salespersonCode; decimal: balanceDue creditLimit; boolean: taxLiable; guid: taxAreaId;
      string: taxAreaDisplayName taxRegistrationNumber; guid: currencyId; string: currencyCode; guid: paymentTermsId
      shipmentMethodId paymentMethodId; enum customerBlocked: blocked; datetime: lastModifiedDateTime`,
  ),
  entity(
    'vendor',
    'vendors',
    `guid: id; string: number displayName addressLine1 addressLine2 city state country postalCode phoneNumber email website
      taxRegistrationNumber; guid: currencyId; string: currencyCode irs1099Code; guid: paymentTermsId paymentMethodId;
      boolean: taxLiable; enum vendorBlocked: blocked; decimal: balance; datetime: lastModifiedDateTime`,
  ),
  entity(
    'item',
    'items',
    `guid: id; string: number displayName displayName2; enum itemType: type; guid: itemCategoryId; string: itemCategoryCode;
      boolean: blocked; string: gtin; decimal: inventory unitPrice; boolean: priceIncludesTax; decimal: unitCost; guid: taxGroupId;
      string: taxGroupCode; guid: baseUnitOfMeasureId; string: baseUnitOfMeasureCode; guid: generalProductPostingGroupId;
      string: generalProductPostingGroupCode; guid: inventoryPostingGroupId; string: inventoryPostingGroupCode;
      datetime: lastModifiedDateTime`,
  ),
  entity(
    'currency',
    'currencies',
    `guid: id; string: code displayName symbol amountDecimalPlaces; decimal: amountRoundingPrecision; datetime: lastModifiedDateTime`,
  ),
  entity(
    'paymentTerm',
    'paymentTerms',
    `guid: id; string: code displayName dueDateCalculation discountDateCalculation; decimal: discountPercent;
      boolean: calculateDiscountOnCreditMemos; datetime: lastModifiedDateTime`,
  ),
  entity(
    'dimension',
    'dimensions',
    'guid: id; string: code displayName consolidationCode; datetime: lastModifiedDateTime',
  ),
  entity(
    'dimensionValue',
    'dimensionValues',
    'guid: id; string: code; guid: dimensionId; string: displayName consolidationCode; datetime: lastModifiedDateTime',
  ),
  entity(
    'bankAccount',
    'bankAccounts',
    `guid: id; string: number displayName; datetime: lastModifiedDateTime; string: bankAccountNumber; boolean: blocked;
      string: currencyCode; guid: currencyId; string: iban; boolean: intercompanyEnabled`,
  ),
  entity(
    'salesInvoice',
    'salesInvoices',
    `guid: id; string: number externalDocumentNumber; date: invoiceDate postingDate dueDate; string: customerPurchaseOrderReference;
      guid: customerId; string: customerNumber customerName billToName; guid: billToCustomerId; string: billToCustomerNumber
      shipToName shipToContact ${address('sellTo')} ${address('billTo')} ${address('shipTo')}; ${dimensions}; guid: orderId;
      string: orderNumber; guid: paymentTermsId shipmentMethodId; string: salesperson; decimal: remainingAmount; ${totals};
      enum invoiceEntityAggregateStatus: status; datetime: lastModifiedDateTime; string: phoneNumber email`,
    { lists: { salesInvoiceLines: 'salesInvoiceLines' } },
  ),
  { name: 'salesInvoiceLine', set: 'salesInvoiceLines', key: 'id', properties: salesLine, lists: {}, isPart: true },
  entity(
    'salesCreditMemo',
    'salesCreditMemos',
    `guid: id; string: number externalDocumentNumber; date: creditMemoDate postingDate dueDate; guid: customerId;
      string: customerNumber customerName billToName; guid: billToCustomerId; string: billToCustomerNumber ${address('sellTo')}
      ${address('billTo')}; ${dimensions}; guid: paymentTermsId shipmentMethodId; string: salesperson; ${totals};
      enum salesCrMemoEntityBufferStatus: status; datetime: lastModifiedDateTime; guid: invoiceId; string: invoiceNumber
      phoneNumber email; guid: customerReturnReasonId`,
    { lists: { salesCreditMemoLines: 'salesCreditMemoLines' } },
  ),
  {
    name: 'salesCreditMemoLine',
    set: 'salesCreditMemoLines',
    key: 'id',
    properties: salesLine,
    lists: {},
    isPart: true,
  },
  entity(
    'purchaseInvoice',
    'purchaseInvoices',
    `guid: id; string: number; date: postingDate invoiceDate dueDate; string: vendorInvoiceNumber; guid: vendorId;
      string: vendorNumber vendorName payToName payToContact; guid: payToVendorId; string: payToVendorNumber shipToName
      shipToContact ${address('buyFrom')} ${address('shipTo')} ${address('payTo')}; ${dimensions}; guid: orderId;
      string: orderNumber purchaser; ${totals}; enum invoiceEntityAggregateStatus: status; datetime: lastModifiedDateTime`,
    { lists: { purchaseInvoiceLines: 'purchaseInvoiceLines' } },
  ),
  {
    name: 'purchaseInvoiceLine',
    set: 'purchaseInvoiceLines',
    key: 'id',
    properties: purchaseLine,
    lists: {},
    isPart: true,
  },
]

export function typeOfSet(set: string): EntityType | undefined {
  return entityTypes.find((type) => type.set === set)
}
