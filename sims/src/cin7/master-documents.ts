/** Products, contacts, stock and the books as the API shows them. */
import { dayMs, taxPercent } from './company.ts'
import type { Company, Contact, Product } from './company.ts'
import { amount, day, moment } from './write.ts'
import type { Row } from './write.ts'

const ten = (name: string, first: unknown, rest: unknown): Row =>
  Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${name}${index + 1}`, index === 0 ? first : rest]))

export function productRow(product: Product, { locations, products }: Company): Row {
  const isKit = product.sku.endsWith('7')
  return {
    ID: product.ID,
    SKU: product.sku,
    Name: product.Name,
    Category: product.category,
    Brand: product.brand,
    Type: 'Stock',
    CostingMethod: 'FIFO',
    DropShipMode: 'No Drop Ship',
    DefaultLocation: locations[0]?.Name ?? null,
    Length: 0,
    Width: 0,
    Height: 0,
    Weight: 0.25,
    UOM: 'Item',
    WeightUnits: 'kg',
    DimensionsUnits: 'cm',
    Barcode: product.sku.replace('HT-', '942000000'),
    MinimumBeforeReorder: 5,
    ReorderQuantity: 20,
    ...ten('PriceTier', amount(product.priceCents), 0),
    AverageCost: product.costCents / 100,
    ShortDescription: product.Name,
    Description: `<p>${product.Name}</p>`,
    InternalNote: '',
    ...ten('AdditionalAttribute', product.category, null),
    AttributeSet: null,
    DiscountRule: null,
    Tags: '',
    Status: product.status,
    StockLocator: '',
    COGSAccount: '310',
    RevenueAccount: '200',
    ExpenseAccount: null,
    InventoryAccount: '630',
    PurchaseTaxRule: null,
    SaleTaxRule: null,
    LastModifiedOn: moment(product.modifiedAt),
    Sellable: true,
    PickZones: null,
    BillOfMaterial: isKit,
    AutoAssembly: false,
    AutoDisassembly: false,
    HSCode: '',
    CountryOfOrigin: 'New Zealand',
    Suppliers: [supplierOf(product)],
    ReorderLevels: locations.map(reorderLevel),
    BillOfMaterialsProducts: isKit ? products.slice(0, 2).map(billLine) : [],
    CustomPrices: [],
  }
}

function supplierOf({ sku, Name, costCents, supplier }: Product): Row {
  return {
    SupplierID: supplier.ID,
    SupplierName: supplier.Name,
    SupplierInventoryCode: `S-${sku}`,
    SupplierProductName: Name,
    Cost: amount(costCents),
    FixedCost: 0,
    Currency: supplier.currency,
    DropShip: false,
    LastSupplied: null,
  }
}

function reorderLevel({ ID, Name }: Company['locations'][number]): Row {
  return { LocationID: ID, LocationName: Name, MinimumBeforeReorder: 5, ReorderQuantity: 20, StockLocator: '' }
}

function billLine({ ID, sku, Name }: Product): Row {
  return {
    ComponentProductID: ID,
    ProductCode: sku,
    Name,
    Quantity: 2,
    WastagePercent: 0,
    WastageQuantity: 0,
    CostPercentage: 0,
  }
}

export function availabilityRows(product: Product, { locations, bins }: Company): Row[] {
  return locations.map((location, index) => {
    const onHand = product.onHand[index] ?? 0
    const allocated = product.allocated[index] ?? 0
    return {
      ID: product.ID,
      SKU: product.sku,
      Name: product.Name,
      Barcode: null,
      Location: location.Name,
      Bin: index === 0 ? (bins[0]?.Name ?? null) : null,
      Batch: null,
      ExpiryDate: null,
      OnHand: onHand,
      Allocated: allocated,
      Available: onHand - allocated,
      OnOrder: 0,
      StockOnHand: amount(onHand * product.costCents),
      InTransit: 0,
    }
  })
}

export function contactRow(contact: Contact): Row {
  const isCustomer = contact.kind === 'customer'
  const [billing, shipping] = contact.addressIds
  const addresses = [
    { ID: billing, Line1: '1 Quay St', Line2: '', ...contact.address, Type: 'Billing', DefaultForType: true },
    { ID: shipping, Line1: '3 Dock Rd', Line2: '', ...contact.address, Type: 'Shipping', DefaultForType: true },
  ]
  return {
    ID: contact.ID,
    Name: contact.Name,
    Status: contact.status,
    Currency: contact.currency,
    PaymentTerm: '30 days',
    [isCustomer ? 'AccountReceivable' : 'AccountPayable']: isCustomer ? '610' : '800',
    TaxRule: isCustomer ? `${taxPercent}% GST on Income` : `${taxPercent}% GST on Expenses`,
    Discount: 0,
    ...(isCustomer
      ? {
          RevenueAccount: '200',
          PriceTier: 'Tier 1',
          CreditLimit: amount(contact.creditLimitCents),
          IsOnCreditHold: false,
          Location: 'Main Warehouse',
          Carrier: null,
          SalesRepresentative: null,
          Tags: '',
          ProductPrices: [],
        }
      : {}),
    Comments: contact.comments,
    TaxNumber: '123-456-789',
    AttributeSet: null,
    ...ten('AdditionalAttribute', null, null),
    LastModifiedOn: moment(contact.modifiedAt),
    Addresses: isCustomer ? addresses : addresses.slice(0, 1),
    Contacts: contact.people.map((person, index) => ({
      ...person,
      JobTitle: null,
      Phone: '5550100',
      MobilePhone: null,
      Fax: null,
      Website: null,
      Comment: null,
      Default: index === 0,
      IncludeInEmail: false,
      ...(isCustomer ? { MarketingConsent: 0 } : {}),
    })),
  }
}

type Account = readonly [code: string, name: string, type: string, group: string]
const accounts: readonly Account[] = [
  ['090', 'Business Account', 'BANK', 'ASSET'],
  ['200', 'Sales', 'SALES', 'REVENUE'],
  ['310', 'Cost of Goods Sold', 'DIRECTCOSTS', 'EXPENSE'],
  ['425', 'Freight', 'EXPENSE', 'EXPENSE'],
  ['610', 'Accounts Receivable', 'CURRENT', 'ASSET'],
  ['630', 'Inventory', 'INVENTORY', 'ASSET'],
  ['715', 'Stock in Transit', 'CURRENT', 'ASSET'],
  ['800', 'Accounts Payable', 'CURRLIAB', 'LIABILITY'],
  ['820', 'GST', 'CURRLIAB', 'LIABILITY'],
]

export function accountRows(): Row[] {
  return accounts.map(([Code, Name, Type, Class]) => ({
    Code,
    Name,
    Type,
    Status: 'ACTIVE',
    Description: '',
    Class,
    SystemAccount: '',
    ForPayments: Type === 'BANK',
    DisplayName: `${Code}: ${Name}`,
    OldCode: null,
    BankAccountNumber: null,
    BankAccountId: null,
  }))
}

export function taxRows({ taxes }: Company): Row[] {
  return taxes.map(({ ID, Name, percent }, index) => ({
    ID,
    Name,
    Account: '820',
    IsActive: true,
    TaxInclusive: false,
    TaxPercent: percent,
    IsTaxForSale: index !== 1,
    IsTaxForPurchase: index !== 0,
    // The percentage of a component comes as text.
    Components: [{ Name: 'GST', Percent: percent.toFixed(2), AccountCode: '820', Compound: false, ComponentOrder: 1 }],
  }))
}

export function termRows({ terms }: Company): Row[] {
  return terms.map(({ ID, Name, days }, index) => ({
    ID,
    Name,
    Duration: days,
    Method: 'number of days',
    IsActive: true,
    IsDefault: index === 2,
  }))
}

export function locationRows({ locations, bins }: Company): Row[] {
  return locations.map(({ ID, Name }, index) => ({
    ID,
    Name,
    IsDefault: index === 0,
    Deprecated: false,
    Bins: index === 0 ? bins.map((bin) => ({ ...bin, IsStaging: false })) : [],
    FixedAssetsLocation: false,
    ParentID: null,
    ReferenceCount: 1,
    AddressLine1: '1 Quay St',
    AddressLine2: '',
    AddressCitySuburb: 'Wellington',
    AddressStateProvince: '',
    AddressZipPostCode: '6011',
    AddressCountry: 'New Zealand',
    IsCoMan: false,
    IsShopfloor: index === 1,
    IsStaging: false,
  }))
}

export function adjustmentRows({ adjustmentIds }: Company, since: number): Row[] {
  return adjustmentIds.map((TaskID, index) => ({
    TaskID,
    EffectiveDate: day(since + index * 20 * dayMs),
    StocktakeNumber: `SA-${String(index + 1).padStart(5, '0')}`,
    Status: 'COMPLETED',
    Account: '310',
    Reference: '',
    Comment: 'Counted.',
  }))
}

export function transferRows({ transferIds, locations }: Company, since: number): Row[] {
  const [from, to] = locations
  return transferIds.map((TaskID, index) => ({
    TaskID,
    Number: `TR-${String(index + 1).padStart(5, '0')}`,
    From: from?.ID ?? null,
    FromLocation: from?.Name ?? null,
    To: to?.ID ?? null,
    ToLocation: to?.Name ?? null,
    Status: index === transferIds.length - 1 ? 'IN TRANSIT' : 'COMPLETED',
    CostDistributionType: 'Cost',
    InTransitAccount: '715',
    DepartureDate: day(since + index * 15 * dayMs),
    CompletionDate: index === transferIds.length - 1 ? null : day(since + (index * 15 + 1) * dayMs),
    RequiredByDate: null,
    Reference: '',
  }))
}

export function journalRows({ journalIds }: Company, since: number): Row[] {
  return journalIds.map((TaskID, index) => {
    const value = amount(12_345 + index * 1_001)
    return {
      TaskID,
      JournalNumber: `J-${index + 1}`,
      EffectiveDate: day(since + index * 10 * dayMs),
      Status: 'COMPLETED',
      Narration: 'Month end',
      Notes: '',
      Currency: 'NZD',
      CurrencyConversionRate: 1,
      Lines: [
        { Reference: '', Amount: value, BaseAmount: value, Debit: '425', Credit: null },
        { Reference: '', Amount: value, BaseAmount: value, Debit: null, Credit: '090' },
      ],
      Attachments: [],
    }
  })
}
