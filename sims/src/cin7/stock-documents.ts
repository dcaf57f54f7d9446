/** Stock levels and stock tasks in the API's format. */
import { dayMs } from './company.ts'
import type { Cin7Company, NamedRecord, Cin7Product, Cin7Task, Cin7TaskLine } from './company.ts'
import { fileOf, productFieldsOf } from './shared-fields.ts'
import { taskNumber } from './tasks.ts'
import { amount, day, instant } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

export function availabilityRows(product: Cin7Product, { locations, bins }: Cin7Company): Cin7Row[] {
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

/** Bins are nested in their location, and are locations as well. */
export function locationRows({ locations, bins }: Cin7Company): Cin7Row[] {
  const own = locations.map(({ ID, Name }, index) => ({
    ...locationFieldsOf({ ID, Name }),
    IsDefault: index === 0,
    Bins: index === 0 ? bins.map((bin, at) => ({ ...bin, IsDeprecated: at === 2, IsStaging: at === 1 })) : [],
    AddressLine1: '1 Quay St',
    AddressCitySuburb: 'Wellington',
    AddressZipPostCode: '6011',
    AddressCountry: 'New Zealand',
    IsShopfloor: index === 1,
  }))
  const [main] = locations
  const within = bins.map((bin, at) => ({
    ...locationFieldsOf(bin),
    ParentID: main?.ID ?? null,
    ParentName: main?.Name ?? null,
    PickZones: at === 0 ? 'Kits,Front' : null,
    IsDeprecated: at === 2,
    IsStaging: at === 1,
  }))
  return [...own, ...within]
}

/**
 * The samples of the API reference and live accounts use `IsDeprecated`; the reference's table of fields says
 * `Deprecated`.
 */
function locationFieldsOf({ ID, Name }: NamedRecord): Cin7Row {
  return {
    ID,
    Name,
    IsDefault: false,
    IsDeprecated: false,
    Bins: null,
    FixedAssetsLocation: false,
    ParentID: null,
    ParentName: null,
    PickZones: null,
    AllowReorder: false,
    ReferenceCount: 1,
    AddressLine1: '',
    AddressLine2: '',
    AddressCitySuburb: '',
    AddressStateProvince: '',
    AddressZipPostCode: '',
    AddressCountry: '',
    IsCoMan: false,
    IsShopfloor: false,
    IsStaging: false,
  }
}

export function adjustmentRow(task: Cin7Task): Cin7Row {
  return {
    TaskID: task.ID,
    EffectiveDate: day(task.at),
    StocktakeNumber: taskNumber('adjustment', task),
    Status: task.status,
    Account: '310',
    Reference: '',
  }
}

export function adjustmentDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const [first, ...rest] = task.lines
  return {
    ...adjustmentRow(task),
    ExistingStockLines: rest.map((line) => countedLine(line, company)),
    NewStockLines: first === undefined ? [] : [foundLine(first, task, company)],
    Transactions: bookedOf(task, company),
  }
}

export function stocktakeRow(task: Cin7Task, { locations }: Cin7Company): Cin7Row {
  return {
    TaskID: task.ID,
    StocktakeNumber: taskNumber('stocktake', task),
    Status: task.status,
    EffectiveDate: day(task.at),
    CreatedDate: day(task.at),
    LastUpdatedDate: instant(task.updatedAt),
    LastUpdatedBy: 'Sam',
    Location: locations[0]?.Name ?? null,
    LocationID: locations[0]?.ID ?? null,
    Account: '310',
    Reference: '',
    Bins: '',
    Brands: '',
    Categories: 'Kitchen',
    PickZones: '',
    StockLocators: '',
    Tags: '',
  }
}

/** The document has lists where the list has text. */
export function stocktakeDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const { CreatedDate: _, LastUpdatedDate: __, LastUpdatedBy: ___, ...row } = stocktakeRow(task, company)
  const [first, ...rest] = task.lines
  return {
    ...row,
    Bins: [],
    Brands: [],
    Categories: [{ ID: company.categories[1]?.ID, Name: 'Kitchen' }],
    PickZones: [],
    StockLocators: [],
    Tags: [],
    NonZeroStockOnHandProducts: rest.map((line) => ({ ...countedLine(line, company), ...shelfOf(line, company) })),
    ZeroStockOnHandProducts:
      first === undefined ? [] : [{ ...foundLine(first, task, company), ...shelfOf(first, company) }],
    Transactions: bookedOf(task, company),
  }
}

export function transferRow(task: Cin7Task, { locations }: Cin7Company): Cin7Row {
  const [from, to] = locations
  return {
    TaskID: task.ID,
    Number: taskNumber('transfer', task),
    From: from?.ID ?? null,
    FromLocation: from?.Name ?? null,
    To: to?.ID ?? null,
    ToLocation: to?.Name ?? null,
    Status: task.status,
    CostDistributionType: 'Cost',
    InTransitAccount: '715',
    DepartureDate: day(task.at),
    CompletionDate: task.status === 'COMPLETED' ? day(task.at + dayMs) : null,
    Reference: '',
  }
}

export function transferDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const lines = task.lines.map(({ product, quantity }) => ({
    ...productOf(product),
    TransferQuantity: quantity,
    QuantityOnHand: 100,
    QuantityAvailable: 90,
    BatchSN: null,
    ExpiryDate: null,
    Comments: '',
  }))
  return {
    ...transferRow(task, company),
    RequiredByDate: null,
    SkipOrder: false,
    Order: { Status: 'AUTHORISED', Lines: lines },
    Lines: lines,
    ManualJournals: [],
  }
}

export function writeOffRow(task: Cin7Task, { locations }: Cin7Company): Cin7Row {
  return {
    TaskID: task.ID,
    InventoryWriteOffNumber: taskNumber('writeOff', task),
    Status: task.status,
    Date: day(task.at),
    Location: locations[0]?.Name ?? null,
    LocationID: locations[0]?.ID ?? null,
    Notes: 'Broken.',
  }
}

export function writeOffDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const { Date: _, ...row } = writeOffRow(task, company)
  return {
    ...row,
    EffectiveDate: day(task.at),
    Account: '310',
    Errors: [],
    Lines: task.lines.map(({ product, quantity }) => ({
      ProductID: product.ID,
      ProductCode: product.sku,
      Name: product.Name,
      Quantity: quantity,
      Cost: amount(product.costCents),
      TotalCost: amount(quantity * product.costCents),
      Bin: null,
      BinID: null,
      BatchSN: null,
      ExpiryDate: null,
      ExpenseAccount: '310',
    })),
    Transactions: bookedOf(task, company),
  }
}

/** The ledger entries of a completed task. */
export function bookedOf(task: Cin7Task, { idOf }: Cin7Company): Cin7Row[] {
  if (task.status !== 'COMPLETED') return []
  const cents = task.lines.reduce((sum, { product, quantity }) => sum + quantity * product.costCents, 0)
  return [
    {
      ID: idOf(`entry of ${task.ID}`),
      EffectiveDate: day(task.at),
      Debit: '310',
      Credit: '630',
      Amount: amount(cents),
    },
  ]
}

function productOf(product: Cin7Product): Cin7Row {
  return { ProductID: product.ID, SKU: product.sku, ProductName: product.Name, ...productFieldsOf(product) }
}

/** Product details that only a stock take has. */
function shelfOf({ product }: Cin7TaskLine, company: Cin7Company): Cin7Row {
  const isPictured = Number(product.sku.slice(-4)) % 3 === 1
  return {
    Barcode: null,
    StockLocator: '',
    Unit: 'Item',
    CostingMethod: 'FIFO',
    Image: isPictured ? fileOf(company, product.ID, `${product.sku}.jpg`) : null,
  }
}

/** Goods in stock: the previous count and the difference. */
function countedLine({ product, quantity }: Cin7TaskLine, { locations }: Cin7Company): Cin7Row {
  return {
    ...productOf(product),
    Location: locations[0]?.Name ?? null,
    LocationID: locations[0]?.ID ?? null,
    QuantityOnHand: 100,
    Available: 90,
    Adjustment: quantity,
    BatchSN: null,
    ExpiryDate: null,
    Comments: '',
  }
}

/** Goods that were not in stock: the new count. */
function foundLine({ product, quantity }: Cin7TaskLine, { at }: Cin7Task, { locations }: Cin7Company): Cin7Row {
  return {
    ...productOf(product),
    Location: locations[0]?.Name ?? null,
    LocationID: locations[0]?.ID ?? null,
    Quantity: quantity,
    UnitCost: amount(product.costCents),
    ReceivedDate: day(at),
    BatchSN: null,
    ExpiryDate: null,
    Comments: '',
  }
}
