/** What lies where, and the work that changes it, as the API shows them. */
import { dayMs } from './company.ts'
import type { Company, Named, Product, Task, TaskLine } from './company.ts'
import { fileOf, productFieldsOf } from './parts.ts'
import { taskNumber } from './tasks.ts'
import { amount, day, moment } from './write.ts'
import type { Row } from './write.ts'

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

/** Bins are within the location that they belong to, and locations themselves. */
export function locationRows({ locations, bins }: Company): Row[] {
  const own = locations.map(({ ID, Name }, index) => ({
    ...placeOf({ ID, Name }),
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
    ...placeOf(bin),
    ParentID: main?.ID ?? null,
    ParentName: main?.Name ?? null,
    PickZones: at === 0 ? 'Kits,Front' : null,
    IsDeprecated: at === 2,
    IsStaging: at === 1,
  }))
  return [...own, ...within]
}

/** The samples of the API reference and live accounts have `IsDeprecated`; the reference's table of fields calls it `Deprecated`. */
function placeOf({ ID, Name }: Named): Row {
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

export function adjustmentRow(task: Task): Row {
  return {
    TaskID: task.ID,
    EffectiveDate: day(task.at),
    StocktakeNumber: taskNumber('adjustment', task),
    Status: task.status,
    Account: '310',
    Reference: '',
  }
}

export function adjustmentDocument(task: Task, company: Company): Row {
  const [first, ...rest] = task.lines
  return {
    ...adjustmentRow(task),
    ExistingStockLines: rest.map((line) => countedLine(line, company)),
    NewStockLines: first === undefined ? [] : [foundLine(first, task, company)],
    Transactions: bookedOf(task, company),
  }
}

export function stocktakeRow(task: Task, { locations }: Company): Row {
  return {
    TaskID: task.ID,
    StocktakeNumber: taskNumber('stocktake', task),
    Status: task.status,
    EffectiveDate: day(task.at),
    CreatedDate: day(task.at),
    LastUpdatedDate: moment(task.updatedAt),
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

/** What the list tells of it as text the document holds as lists. */
export function stocktakeDocument(task: Task, company: Company): Row {
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

export function transferRow(task: Task, { locations }: Company): Row {
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

export function transferDocument(task: Task, company: Company): Row {
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

export function writeOffRow(task: Task, { locations }: Company): Row {
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

export function writeOffDocument(task: Task, company: Company): Row {
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

/** What a completed task has brought into the ledger. */
export function bookedOf(task: Task, { idOf }: Company): Row[] {
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

function productOf(product: Product): Row {
  return { ProductID: product.ID, SKU: product.sku, ProductName: product.Name, ...productFieldsOf(product) }
}

/** What a stock take says of a product, and no other work does. */
function shelfOf({ product }: TaskLine, company: Company): Row {
  const isPictured = Number(product.sku.slice(-4)) % 3 === 1
  return {
    Barcode: null,
    StockLocator: '',
    Unit: 'Item',
    CostingMethod: 'FIFO',
    Image: isPictured ? fileOf(company, product.ID, `${product.sku}.jpg`) : null,
  }
}

/** Of goods that were there: their count before, and by how much it is wrong. */
function countedLine({ product, quantity }: TaskLine, { locations }: Company): Row {
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

/** Of goods that were not there: the count they have now. */
function foundLine({ product, quantity }: TaskLine, { at }: Task, { locations }: Company): Row {
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
