/**
 * The simulated responses contain every field of the samples in Cin7 Core's API reference
 * (dearinventory.docs.apiary.io, 2024-08).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCin7 } from './server.ts'
import type { Cin7Simulator } from './server.ts'
import type { Cin7Row } from './value-format.ts'

let sim: Cin7Simulator
beforeAll(async () => {
  const size = {
    products: 40,
    customers: 8,
    suppliers: 3,
    sales: 200,
    purchases: 120,
    salesMax: 200,
    purchasesMax: 120,
    tasks: 12,
  }
  sim = await startCin7({ clock: { now: () => Date.parse('2026-03-02T09:00:00Z') }, seed: 9, size })
})
afterAll(() => sim.close())

const file = 'ID FileName ContentType DownloadUrl'
const address = 'Line1 Line2 City State Postcode Country DisplayAddressLine1 DisplayAddressLine2'
const sizes = 'ProductLength ProductWidth ProductHeight ProductWeight WeightUnits DimensionsUnits ProductCustomField1'
const payment = 'ID Reference Amount DatePaid Account CurrencyRate DateCreated'
const totals = 'TotalBeforeTax Tax Total'
const product = 'ProductID SKU Name'
const price = 'Price Quantity Discount Tax TaxRule Total'
const entry = 'ID EffectiveDate Debit Credit Amount'
const stock = 'BatchSN ExpiryDate'

/** Fields of the document samples, with nested fields in brackets. Of fields numbered from 1 to 10, only the first. */
const documents: readonly (readonly [
  path: string,
  list: string,
  by: readonly [parameter: string, key: string],
  fields: string,
])[] = [
  [
    'sale',
    'salelist',
    ['id', 'SaleID'],
    `AdditionalAttributes(AdditionalAttribute1) Attachments(${file}) BaseCurrency BillingAddress(${address}) COGSAmount Carrier CombinedInvoiceStatus CombinedPackingStatus CombinedPaymentStatus CombinedPickingStatus CombinedShippingStatus CombinedTrackingNumbers Contact CreditNotes(${totals} AdditionalCharges(${price} Account Comment Description) CreditNoteConversionRate CreditNoteDate CreditNoteInvoiceNumber CreditNoteNumber Lines(${sizes} ${product} ${price} Account AverageCost Comment) Memo Refunds(${payment}) Restock(${product} ${stock} Location LocationID Quantity) Status TaskID) CurrencyRate Customer CustomerCurrency CustomerID CustomerReference DefaultAccount Email ExternalID FulFilmentStatus Fulfilments(FulFilmentStatus FulfillmentNumber LinkedInvoiceNumber Pack(Lines(${sizes} ${product} ${stock} Box Location LocationID Quantity) Status) Pick(Lines(${sizes} ${product} ${stock} Location LocationID Quantity) Status) Ship(Lines(Boxes Carrier ID IsShipped ShipmentDate TrackingNumber TrackingURL) RequireBy ShippingAddress(${address} Company Contact ShipToOther) ShippingNotes Status) TaskID) ID InventoryMovements(${sizes} COGS Date ProductID TaskID) Invoices(${totals} AdditionalCharges(${price} Account Comment Description) BillingAddressLine1 BillingAddressLine2 CurrencyConversionRate InvoiceDate InvoiceDueDate InvoiceNumber Lines(${sizes} ${product} ${price} Account AverageCost Comment) LinkedFulfillmentNumber Memo Paid Payments Status TaskID) LastModifiedOn Location ManualJournals(Lines Status) Note Order(${totals} AdditionalCharges(${price} Comment Description) Lines(${sizes} ${product} ${price} AverageCost Backorder BackorderQuantity Comment DropShip) Memo SaleOrderNumber Status) Phone PriceTier Quote(${totals} AdditionalCharges(${price} Comment Description) Lines(${sizes} ${product} ${price} AverageCost Comment) Memo Prepayments Status) SaleOrderDate SalesRepresentative ServiceOnly ShipBy ShippingAddress(${address} Company Contact ShipToOther) ShippingNotes SkipQuote SourceChannel Status TaxCalculation TaxRule Terms Transactions(Amount Credit Debit Description EffectiveDate TaskID TransactionID) Type`,
  ],
  [
    'purchase',
    'purchaselist',
    ['id', 'ID'],
    `AdditionalAttributes(AdditionalAttribute1) Approach Attachments(${file}) BaseCurrency BillingAddress(${address}) BlindReceipt Contact CreditNote(${totals} AdditionalCharges(${price} Account Description Reference) CreditNoteDate CreditNoteNumber Lines(${sizes} ${product} ${price} Account Comment) Refunds(${payment}) Status Unstock(Lines(${sizes} ${product} ${stock} CardID Date Location Quantity) Status)) CurrencyRate ID InventoryAccount InventoryMovements(${sizes} COGS Date ProductID TaskID) Invoice(${totals} AdditionalCharges(${price} Account Description Reference) InvocieNumber InvoiceDate InvoiceDueDate Lines(${sizes} ${product} ${price} Account Comment) Paid Payments(${payment}) Status) LastUpdatedDate Location ManualJournals(Lines(Amount Credit Date Debit IsSystem Reference) Status) Note Order(${totals} AdditionalCharges(${price} Description Reference) Lines(${sizes} ${product} ${price} Comment SupplierSKU) Memo Prepayments(${payment}) Status) OrderDate OrderNumber Phone RelatedDropShipSaleTask RequiredBy ShippingAddress(${address} ShipToOther) Status StockReceived(Lines(${sizes} ${product} ${stock} CardID Date Location LocationID Quantity Received SupplierSKU) Status) Supplier SupplierCurrency SupplierID TaxCalculation TaxRule Terms`,
  ],
  [
    'advanced-purchase',
    'purchaselist',
    ['id', 'ID'],
    `AdditionalAttributes(AdditionalAttribute1) Approach Attachments BaseCurrency BillingAddress(${address}) BlindReceipt CombinedInvoiceStatus CombinedPaymentStatus CombinedReceivingStatus Contact CreditNote(${totals} AdditionalCharges CreditNoteDate CreditNoteInvoiceNumber CreditNoteNumber Lines(${sizes} ${product} ${price} Account Comment) Refunds(${payment}) Status TaskID Unstock(${sizes} ${product} ${stock} CardID Date Location Quantity)) CurrencyRate ID InventoryAccount InventoryMovements(${sizes} COGS Date ProductID TaskID) Invoice(${totals} AdditionalCharges InvoiceDate InvoiceDueDate InvoiceNumber InvoicingAndReceivingNumber Lines(${sizes} ${product} ${price} Account Comment) Paid Payments(${payment}) Status TaskID) IsServiceOnly LastUpdatedDate Location ManualJournals(InvoicingAndReceivingNumber Lines(Amount Credit Date Debit IsSystem Reference) Status TaskID) Note Order(${totals} AdditionalCharges Lines(${sizes} ${product} ${price} Comment SupplierSKU) Memo Prepayments Status) OrderDate OrderNumber Phone PutAway(InvoicingAndReceivingNumber Lines(${sizes} ${product} ${stock} CardID Date Location LocationID Quantity Received SupplierSKU) Status TaskID) RelatedDropShipSaleTask RequiredBy ShippingAddress(${address} ShipToOther) Status StockReceived(InvoicingAndReceivingNumber Lines(${sizes} ${product} ${stock} CardID Date Location LocationID Quantity Received SupplierSKU) Status TaskID) Supplier SupplierCurrency SupplierID TaxCalculation TaxRule Terms Type`,
  ],
  [
    'stockadjustment',
    'stockadjustmentlist',
    ['taskid', 'TaskID'],
    `Account EffectiveDate ExistingStockLines NewStockLines(${sizes} ${stock} Comments Location LocationID ProductID ProductName Quantity ReceivedDate SKU UnitCost) Reference Status StocktakeNumber TaskID Transactions(${entry})`,
  ],
  [
    'stocktake',
    'stocktakelist',
    ['taskid', 'TaskID'],
    `Account Bins Brands Categories(ID Name) EffectiveDate Location LocationID NonZeroStockOnHandProducts(${sizes} ${stock} Adjustment Available Barcode Comments Image(${file}) Location LocationID ProductID ProductName QuantityOnHand SKU StockLocator Unit) PickZones Reference Status StockLocators StocktakeNumber Tags TaskID Transactions(${entry}) ZeroStockOnHandProducts(${sizes} ${stock} Barcode Comments Image(${file}) Location LocationID ProductID ProductName Quantity ReceivedDate SKU StockLocator Unit UnitCost)`,
  ],
  [
    'stocktransfer',
    'stocktransferlist',
    ['taskid', 'TaskID'],
    `CompletionDate CostDistributionType DepartureDate From FromLocation InTransitAccount Lines(${sizes} ${stock} Comments ProductID ProductName QuantityAvailable QuantityOnHand SKU TransferQuantity) ManualJournals Number Order(Lines(${sizes} Comments ProductID ProductName QuantityAvailable QuantityOnHand SKU TransferQuantity) Status) Reference RequiredByDate SkipOrder Status TaskID To ToLocation`,
  ],
  [
    'inventorywriteoff',
    'inventorywriteofflist',
    ['taskid', 'TaskID'],
    `Account EffectiveDate Errors InventoryWriteOffNumber Lines(${stock} Bin BinID Cost ExpenseAccount Name ProductCode ProductID Quantity TotalCost) Location LocationID Notes Status TaskID Transactions`,
  ],
  [
    'finishedgoods',
    'finishedgoodslist',
    ['taskid', 'TaskID'],
    `${stock} Account AssemblyInstructionURL AssemblyNumber Bin BinID CompletionDate CustomField1 Errors Location LocationID Notes OrderLines(ExpenseAccount Name ProductCode ProductID Quantity TotalCost TotalQuantity Unit WastagePercent WastageQuantity) PickLines(${stock} Bin BinID Cost Name ProductCode ProductID Quantity Unit) ProductCode ProductID ProductName Quantity Status TaskID Transactions WIPAccount WIPDate`,
  ],
  [
    'disassembly',
    'disassemblylist',
    ['taskid', 'TaskID'],
    `AssemblyInstructionURL CompletionDate DisassemblyNumber Errors Location LocationID OrderLines(${stock} Account Bin BinID Cost Name ProductCode ProductID Quantity Unit) OrderServiceLines(Account Amount Comments Name ProductID) PickLines(${stock} Available Bin BinID Date Quantity TotalCost UnitCost) ProductCode ProductID ProductName Quantity Status TaskID Transactions(${entry}) WIPAccount`,
  ],
  [
    'moneyoperation',
    'moneytasklist',
    ['taskid', 'TaskID'],
    `Attachments BankAccount CurrencyConversionRate CustomerID Date Lines(AccountCode Comment Discount Name Price Quantity Tax TaxRuleName Total) Note Reference Status SupplierCustomer SupplierID TaskID TaskType TaxInclusive Transactions(${entry})`,
  ],
  [
    'banktransfer',
    'moneytasklist',
    ['taskid', 'TaskID'],
    `Attachments CurrencyConversionRate Date FromAccount FromAmount Note Reference Status TaskID ToAccount ToAmount Transactions(${entry})`,
  ],
  [
    'production/order',
    'production/orderlist',
    ['productionorderid', 'ProductionOrderID'],
    `ProductionOrders(BOMName BOMQuantity BOMVersion CapacityCalculationType Comments CompletionDate CostingMethod CustomField1 Deliveries FinishedGoodsAccountCode IsIgnoreLeadTime IssueMethodComponent IssueMethodParameter LocationID LocationName Operations(Attachments(AttachmentID Content ContentType Date FileName Position) ComponentLocationID Components(Available Cost CostingMethod IsAlternative IsBackflush OrderComponentID Position ProductCost ProductID ProductName ProductSKU ProductType Quantity SalePriceTier TotalCost TotalQuantity Unit WastagePercent WastageQty) CycleTime FinishedProducts InputProducts IsBackflush IsDropShip Name Notes OperationID OperationLinks(ID RelatedOperationID RelationType) OperationType Order OutputProducts Resources(Cost CostCalculationType CycleTime OrderResourceID Position Quantity ResourceCode ResourceCost ResourceID ResourceName TotalCost) TotalCycleTime TotalUnitsPerCycle UnitsPerCycle WorkCenterCoManProcurementType WorkCenterCode WorkCenterID WorkCenterName) OrderCycleTime OrderNumber OrderStatus PlannedBy ProductID ProductName ProductSKU ProductionOrderID Quantity ReleaseDate ReleasedBy RequiredByDate RetailID RunSize SourceName SourceTaskID SourceTaskNumber SourceTasks(SourceTaskID SourceTaskNumber) StartDate StartUpdate Status Tags Unit WIPAccountCode WarehouseID WarehouseName)`,
  ],
]

/** Fields of the list samples. */
const lists: readonly (readonly [path: string, fields: string])[] = [
  [
    'salelist',
    `BaseCurrency CombinedInvoiceStatus CombinedPackingStatus CombinedPaymentStatus CombinedPickingStatus CombinedShippingStatus CombinedTrackingNumbers CreditNoteNumber CreditNoteStatus Customer CustomerCurrency CustomerID CustomerReference ExternalID FulFilmentStatus InvoiceAmount InvoiceDate InvoiceDueDate InvoiceNumber OrderDate OrderLocationID OrderNumber OrderStatus PaidAmount QuoteStatus SaleID ShipBy SourceChannel Status Type Updated`,
  ],
  [
    'salecreditnotelist',
    `BaseCurrency CombinedInvoiceStatus CombinedPackingStatus CombinedPaymentStatus CombinedPickingStatus CombinedShippingStatus CombinedTrackingNumbers CreditNoteNumber CreditNoteStatus Customer CustomerCurrency CustomerID CustomerReference ExternalID FulFilmentStatus InvoiceAmount InvoiceDate InvoiceDueDate InvoiceNumber OrderDate OrderLocationID OrderNumber OrderStatus PaidAmount QuoteStatus RestockStatus SaleID ShipBy SourceChannel Status Type Updated`,
  ],
  [
    'purchaselist',
    `BaseCurrency BlindReceipt CombinedInvoiceStatus CombinedPaymentStatus CombinedReceivingStatus CreditNoteNumber CreditNoteStatus DropShipTaskID ID InvoiceAmount InvoiceDate InvoiceDueDate InvoiceNumber InvoiceStatus IsServiceOnly LastUpdatedDate OrderDate OrderNumber OrderStatus PaidAmount RequiredBy Status StockReceivedStatus Supplier SupplierCurrency SupplierID Type UnstockStatus`,
  ],
  [
    'purchasecreditnotelist',
    `BaseCurrency BlindReceipt CombinedInvoiceStatus CombinedPaymentStatus CombinedReceivingStatus CreditNoteNumber CreditNoteStatus DropShipTaskID ID InvoiceAmount InvoiceDate InvoiceDueDate InvoiceNumber InvoiceStatus IsServiceOnly LastUpdatedDate OrderDate OrderNumber OrderStatus PaidAmount RequiredBy Status StockReceivedStatus Supplier SupplierCurrency SupplierID Type UnstockStatus`,
  ],
  [
    'product',
    `AdditionalAttribute1 AssemblyCostEstimationMethod AssemblyInstructionURL Attachments AttributeSet AutoAssembly AutoDisassembly AverageCost Barcode BillOfMaterial BillOfMaterialsProducts(ComponentProductID CostPercentage Name ProductCode Quantity WastagePercent WastageQuantity) BillOfMaterialsServices(ComponentProductID ExpenseAccount Name PriceTier Quantity) Brand COGSAccount CartonHeight CartonInnerQuantity CartonLength CartonQuantity CartonWidth Category CostingMethod CountryOfOrigin CountryOfOriginCode DefaultLocation Description DiscountRule DropShipMode ExpenseAccount HSCode Height ID InternalNote InventoryAccount LastModifiedOn Length MinimumBeforeReorder Movements Name PickZones PriceTier1 PriceTiers PurchaseTaxRule QuantityToProduce ReorderLevels(LocationID LocationName MinimumBeforeReorder PickZones ReorderQuantity StockLocator) ReorderQuantity RevenueAccount SKU SaleTaxRule Sellable ShortDescription Status StockLocator Suppliers(Cost Currency DropShip FixedCost SupplierID SupplierInventoryCode SupplierName SupplierProductName URL) Tags Type UOM Weight Width`,
  ],
  [
    'productfamily',
    `Attachments(${file}) AttributeSet Brand COGSAccount Category CostingMethod CountryOfOrigin CountryOfOriginCode DefaultLocation Description DiscountRule DropShipMode HSCode ID InventoryAccount LastModifiedOn MinimumBeforeReorder Name Option1Name Option1Values Option2Name Option2Values Option3Name Option3Values PriceTier1 Products(ID Name Option1 Option2 Option3 SKU) PurchaseTaxRule ReorderQuantity RevenueAccount SKU SaleTaxRule ShortDescription Tags UOM`,
  ],
  [
    'customer',
    `AccountReceivable AdditionalAttribute1 Addresses(City Country DefaultForType ID Line1 Line2 Postcode State Type) AttributeSet Carrier Comments Contacts(Comment Default Email Fax ID IncludeInEmail JobTitle MobilePhone Name Phone Website) CreditLimit Currency Discount ID IsOnCreditHold LastModifiedOn Location Name PaymentTerm PriceTier RevenueAccount SalesRepresentative Status Tags TaxNumber TaxRule ProductPrices(Price ProductID ProductName ProductSKU)`,
  ],
  [
    'supplier',
    `AccountPayable AdditionalAttribute1 Addresses(City Country DefaultForType Line1 Line2 Postcode State Type) AttributeSet Comments Contacts(Comment Default Email Fax IncludeInEmail MobilePhone Name Phone Website) Currency Discount ID LastModifiedOn Name PaymentTerm Status TaxNumber TaxRule`,
  ],
  [
    'crm/lead',
    `Addresses(City Country DefaultForType ID Line1 Line2 Postcode State Type) Amount CloseChance CloseDate Comments Contacts(Comment Default Email Fax ID IncludeInEmail JobTitle MobilePhone Name Phone Website) Currency ID LeadStatus Name PaymentTerm PriceTier SalesRepresentative TaxRule`,
  ],
  [
    'crm/opportunity',
    `AdditionalCharges(Amount Comment Description Discount ID Quantity Tax TaxPercent TaxRule Total) BillingAddressLine1 BillingAddressLine2 Contact Currency CurrencyConversionRate CustomField1 CustomerCurrency CustomerID CustomerName CustomerReference DefaultAccount ID LeadID Lines(${price} Comment ID ProductID ProductName ProductSku TaxPercent) OpportunityComment OpportunityDate OpportunityLocation OpportunityMemo OpportunityNumber OpportunityStatus Phone PriceTier SalesRepresentative ShipToAddress1 ShipToAddress2 ShipToCity ShipToCompany ShipToContact ShipToCountry ShipToOther ShipToPostCode ShipToState ShippingAddressLine1 ShippingAddressLine2 TaxInclusive TaxPercent TaxRule TaxTotal TermDays TermDueNextMonth TermMethod Terms Total`,
  ],
  [
    'crm/workflow',
    `DueDaysType EntityType ID IsActive Name Steps(Category Days EndTime ID Name SkipHoliday StartTime UserName)`,
  ],
  [
    'crm/task',
    `AssignedBy AssignedTo Category CompletedDate Description EndDate EntityID EntityType ID IsAllDay IsImportant Name StartDate TaskStatus VoidDate WorkflowName`,
  ],
  [
    'ref/productavailability',
    `Allocated Available Barcode Batch Bin ExpiryDate ID InTransit Location Name OnHand OnOrder SKU StockOnHand`,
  ],
  [
    'ref/account',
    `BankAccountId BankAccountNumber Class Code Description DisplayName ForPayments Name OldCode Status SystemAccount Type`,
  ],
  [
    'ref/account/bank',
    `AccountCode AccountID AccountName AccountNumber BalanceInDear Bank Currency InitialBalance StatementBalance`,
  ],
  [
    'ref/tax',
    `Account Components(AccountCode ComponentOrder ID Name Percent Compound) ID IsActive IsTaxForPurchase IsTaxForSale Name TaxInclusive TaxPercent`,
  ],
  ['ref/paymentterm', `Duration ID IsActive IsDefault Method Name`],
  [
    'ref/location',
    `AddressCitySuburb AddressCountry AddressLine1 AddressLine2 AddressStateProvince AddressZipPostCode Bins(ID IsDeprecated IsStaging Name) FixedAssetsLocation ID IsCoMan IsDefault IsDeprecated IsShopfloor IsStaging Name ParentID ParentName PickZones ReferenceCount`,
  ],
  ['ref/category', `ID Name`],
  ['ref/brand', `ID Name`],
  ['ref/unit', `ID Name`],
  ['ref/carrier', `CarrierID Description`],
  ['ref/attributeset', `Attribute1Name Attribute1Type Attribute1Values Attributes(Name Type Values) ID Name`],
  [
    'ref/fixedassettype',
    `AccumulatedDepreciationAccountCode AccumulatedDepreciationAccountName AssetAccountCode AssetAccountName AveragingMethod DepreciationExpenseAccountCode DepreciationExpenseAccountName DepreciationMethod EffectiveLife FixedAssetTypeID Name Rate`,
  ],
  ['ref/pricetier', `Code Name`],
  [
    'ref/customer/credits',
    `Account Amount ConvRate CreditID Currency CustomerID CustomerName Date Description RemainingAmount`,
  ],
  [
    'ref/supplier/deposits',
    `Account Amount ConvRate Currency Date DepositID Description RemainingAmount SupplierID SupplierName`,
  ],
  [
    'reference/deals',
    `AllowCoupons CouponCodes CustomersGroup DateFrom DateTo DealCustomerTags DealCustomers DealDiscounts(BuyMore BuyType BuyValue BuyValueType DealDiscountBrands(BrandID BrandName ID) DealDiscountCategories(CategoryID CategoryName ID) DealDiscountProducts(ID IsFamily ProductID ProductName ProductSKU) DealDiscountTags(ID TagName) DiscountID DiscountName DiscountType GetType GetValue GetValueType ID IsOrderLevel Sequence) ID IsActive Name SingleCouponCodeUsage`,
  ],
  ['reference/discount', `DiscountLines(Amount DiscountType ID MaxValue MinValue) ID IsActive Name Type`],
  [
    'reference/shipzones',
    `AppliesTo(Country2 ID PostCodeFrom PostCodeTo PostCodesList ShippingRate StateID StateName) Conditions(ConditionDescription ConditionType MaxValue MinValue ShippingCost ZoneConditionID) DefaultShippingCost IsRestZone Name Negative PricesInclTax ShortDesc TaxRuleID TaxRuleName ZoneID`,
  ],
  ['me/addresses', `AddressID CitySuburb Country DefaultForType Line1 Line2 StateProvince Type ZipPostCode`],
  ['me/contacts', `Comment ContactID DefaultForType Email Fax Name Phone Type Website`],
  ['stockadjustmentlist', `Account EffectiveDate Reference Status StocktakeNumber TaskID`],
  [
    'stocktakelist',
    `Account Bins Brands Categories CreatedDate EffectiveDate LastUpdatedBy LastUpdatedDate Location LocationID PickZones Reference Status StockLocators StocktakeNumber Tags TaskID`,
  ],
  [
    'stocktransferlist',
    `CompletionDate CostDistributionType DepartureDate From FromLocation InTransitAccount Number Reference Status TaskID To ToLocation`,
  ],
  ['inventorywriteofflist', `Date InventoryWriteOffNumber Location LocationID Notes Status TaskID`],
  [
    'finishedgoodslist',
    `${stock} AssemblyNumber CustomField1 Date Location LocationID Notes ProductCode ProductID ProductName Quantity Status TaskID UnitCost`,
  ],
  [
    'disassemblylist',
    `Date DisassemblyNumber Location LocationID ProductCode ProductID ProductName Quantity Status TaskID`,
  ],
  ['moneytasklist', `CustomerID Date Reference Status SupplierCustomerName SupplierID TaskID TaskType TotalAmount`],
  [
    'journal',
    `Attachments(${file}) Currency CurrencyConversionRate EffectiveDate JournalNumber Lines(Amount BaseAmount Credit Debit Reference) Narration Notes Status TaskID`,
  ],
  ['transactions', `Amount CreditAccountCode DebitAccountCode EffectiveDate Reference TaskID Transaction Type`],
]

test.each(documents)('a document of %s has the fields of its sample', (path, list, [parameter, key], fields) => {
  const found = new Set(
    sim
      .readRows(list)
      .flatMap((row) => pathsOf(sim.readRows(path, { [parameter]: String(row[key]), includetransactions: 'true' }))),
  )
  expect(pathsIn(fields).filter((field) => !found.has(field))).toEqual([])
})

test.each(lists)('a row of %s has the fields of its sample', (path, fields) => {
  const found = new Set(pathsOf(sim.readRows(path)))
  expect(pathsIn(fields).filter((field) => !found.has(field))).toEqual([])
})

test('lists within customers and products are empty unless requested', async () => {
  const headers = { 'api-auth-accountid': sim.accountId, 'api-auth-applicationkey': sim.applicationKey }
  const first = async (path: string): Promise<Cin7Row> => {
    const body = (await (await fetch(`${sim.url}${path}`, { headers })).json()) as Readonly<
      Record<string, readonly Cin7Row[]>
    >
    return (body['CustomerList'] ?? body['Products'])?.find(({ ID }) => ID === kit || ID === agreed) ?? {}
  }
  const kit = sim.readRows('product').find(({ BillOfMaterial }) => BillOfMaterial === true)?.['ID']
  const agreed = sim
    .readRows('customer')
    .find(({ ProductPrices }) => Array.isArray(ProductPrices) && ProductPrices.length > 0)?.['ID']
  expect(await first('customer')).toMatchObject({ ID: agreed, ProductPrices: [] })
  expect((await first('customer?IncludeProductPrices=true'))['ProductPrices']).toHaveLength(2)
  expect(await first('product')).toMatchObject({
    ID: kit,
    BillOfMaterialsProducts: [],
    Suppliers: [],
    ReorderLevels: [],
    CustomPrices: [],
  })
  expect(await first('product?IncludeSuppliers=true')).toMatchObject({
    BillOfMaterialsProducts: [],
    Suppliers: [expect.anything()],
  })
})

/** Expands `A B(C D)` to `A`, `B`, `B.C` and `B.D`. */
function pathsIn(fields: string): readonly string[] {
  const within: string[] = []
  return [...fields.matchAll(/(\w+)(\()?|\)/g)].flatMap(([, name, opens]) => {
    if (name === undefined) within.pop()
    const path = [...within, name].join('.')
    if (name !== undefined && opens !== undefined) within.push(name)
    return name === undefined ? [] : [path]
  })
}

/** Every field path of a body, through lists and objects. */
function pathsOf(value: unknown, within = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, within))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [within + key, ...pathsOf(inner, `${within}${key}.`)])
}
