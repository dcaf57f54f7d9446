/** Stock levels and the tasks that change them: adjustments, stock takes, transfers, write-offs. */
import { childTable, type ChildTable, identifiedListOf, listOf, parentTable, rowsWithin } from '../../http/documents.ts'
import {
  day,
  type Fields,
  flag,
  guid,
  instant,
  integer,
  json,
  keyed,
  money,
  named,
  ordinal,
  orElse,
  prefixed,
  section,
  text,
} from '../../http/fields.ts'
import { name, productSizes, word } from './columns.ts'
import {
  type Cin7Stream,
  concatFound,
  inSection,
  listStream,
  rowsWithinParts,
  taskStream,
  unnumberedParts,
} from './stream-kinds.ts'

const availability = parentTable('product_availability', {
  ID: named('product_id', keyed(guid)),
  Location: keyed(name),
  Bin: keyed(name),
  Batch: keyed(name),
  SKU: word,
  Name: name,
  Barcode: name,
  ExpiryDate: day,
  OnHand: money,
  Allocated: money,
  Available: money,
  OnOrder: money,
  // A value, not a count.
  StockOnHand: money,
  InTransit: money,
})

const location = parentTable(
  'location',
  {
    ID: keyed(guid),
    Name: name,
    IsDefault: flag,
    // The API reference's table of fields has the first name; its samples and live accounts have the second.
    Deprecated: orElse('IsDeprecated', flag),
    ParentID: guid,
    ParentName: name,
    PickZones: text,
    AllowReorder: flag,
    ReferenceCount: integer,
    AddressLine1: text,
    AddressLine2: text,
    AddressCitySuburb: text,
    AddressStateProvince: text,
    AddressZipPostCode: text,
    AddressCountry: text,
    FixedAssetsLocation: flag,
    IsCoMan: flag,
    IsShopfloor: flag,
    IsStaging: flag,
  },
  [
    identifiedListOf('location_bin', 'Bins', {
      ID: keyed(guid),
      Name: name,
      IsStaging: flag,
      IsDeprecated: flag,
    }),
  ],
)

/** A task's ledger entries. */
export function entriesOf(task: string): ChildTable {
  return listOf(`${task}_ledger_entry`, 'Transactions', {
    ID: named('entry_id', guid),
    EffectiveDate: day,
    Debit: word,
    Credit: word,
    Amount: money,
  })
}

/** Goods in stock have a previous count and a difference; other goods have a count and a cost. */
const countFields: Fields = {
  section,
  ordinal,
  ProductID: guid,
  SKU: word,
  ProductName: name,
  Location: name,
  LocationID: guid,
  BatchSN: name,
  ExpiryDate: day,
  QuantityOnHand: money,
  Available: money,
  Adjustment: money,
  // The new count, not the difference.
  Quantity: money,
  UnitCost: money,
  ReceivedDate: day,
  Comments: text,
  ...productSizes,
}

/** The two lists of counted goods, distinguished by their section. */
function countsOf(table: string, existingKey: string, foundKey: string, own: Fields = {}): ChildTable {
  const rows = concatFound(inSection('existing', rowsWithin(existingKey)), inSection('new', rowsWithin(foundKey)))
  return childTable(table, { ...countFields, ...own }, rows)
}

const adjustment = parentTable(
  'stock_adjustment',
  {
    TaskID: keyed(guid),
    StocktakeNumber: word,
    Status: word,
    EffectiveDate: day,
    Account: word,
    Reference: name,
  },
  [countsOf('stock_adjustment_line', 'ExistingStockLines', 'NewStockLines'), entriesOf('stock_adjustment')],
)

const stocktake = parentTable(
  'stock_take',
  {
    TaskID: keyed(guid),
    StocktakeNumber: word,
    Status: word,
    EffectiveDate: day,
    CreatedDate: day,
    Location: name,
    LocationID: guid,
    Account: word,
    Reference: name,
    Categories: json,
    Brands: json,
    Bins: json,
    PickZones: json,
    StockLocators: json,
    Tags: json,
    LastUpdatedBy: name,
    LastUpdatedDate: instant,
  },
  [
    countsOf('stock_take_line', 'NonZeroStockOnHandProducts', 'ZeroStockOnHandProducts', {
      Barcode: name,
      StockLocator: name,
      Unit: word,
      CostingMethod: word,
      ...prefixed('Image.', { ID: guid, FileName: text, ContentType: name, DownloadUrl: text }),
    }),
    entriesOf('stock_take'),
  ],
)

const transfer = parentTable(
  'stock_transfer',
  {
    TaskID: keyed(guid),
    Number: word,
    Status: word,
    From: named('from_location_id', guid),
    FromLocation: name,
    To: named('to_location_id', guid),
    ToLocation: name,
    CostDistributionType: word,
    InTransitAccount: word,
    DepartureDate: day,
    CompletionDate: day,
    RequiredByDate: day,
    Reference: name,
    SkipOrder: flag,
    'Order.Status': word,
    ManualJournals: json,
  },
  [
    childTable(
      'stock_transfer_line',
      {
        section,
        ordinal,
        ProductID: guid,
        SKU: word,
        ProductName: name,
        TransferQuantity: money,
        QuantityOnHand: money,
        QuantityAvailable: money,
        BatchSN: name,
        ExpiryDate: day,
        Comments: text,
        ...productSizes,
      },
      concatFound(
        rowsWithinParts(unnumberedParts('order', 'Order'), 'Lines'),
        inSection('transfer', rowsWithin('Lines')),
      ),
    ),
  ],
)

const writeOff = parentTable(
  'inventory_write_off',
  {
    TaskID: keyed(guid),
    InventoryWriteOffNumber: named('number', word),
    Status: word,
    Date: day,
    EffectiveDate: day,
    Location: name,
    LocationID: guid,
    Account: word,
    Notes: text,
  },
  [
    listOf('inventory_write_off_line', 'Lines', {
      ProductID: guid,
      ProductCode: word,
      Name: name,
      Quantity: money,
      Cost: money,
      TotalCost: money,
      Bin: name,
      BinID: guid,
      BatchSN: name,
      ExpiryDate: day,
      ExpenseAccount: word,
    }),
    entriesOf('inventory_write_off'),
  ],
)

export const stockLevelStreams: readonly Cin7Stream[] = [
  listStream('location', location, { path: 'ref/location', rows: 'LocationList' }),
  listStream('productavailability', availability, { path: 'ref/productavailability', rows: 'ProductAvailabilityList' }),
]

export const stockWorkStreams: readonly Cin7Stream[] = [
  taskStream('stockadjustment', {
    noun: 'stock adjustments',
    list: { path: 'stockadjustmentList', rows: 'StockAdjustmentList' },
    pathOf: () => 'stockadjustment',
    shape: adjustment,
  }),
  taskStream('stocktake', {
    noun: 'stock takes',
    // Cin7 uses the key of adjustments here as well.
    list: { path: 'stockTakeList', rows: 'StockAdjustmentList', alternateRows: 'StockTakeList' },
    pathOf: () => 'stocktake',
    shape: stocktake,
  }),
  taskStream('stockTransfer', {
    noun: 'stock transfers',
    list: { path: 'stockTransferList', rows: 'StockTransferList' },
    pathOf: () => 'stockTransfer',
    shape: transfer,
  }),
  taskStream('inventoryWriteOff', {
    noun: 'write-offs',
    list: { path: 'inventoryWriteOffList', rows: 'InventoryWriteOffs' },
    pathOf: () => 'inventoryWriteOff',
    shape: writeOff,
  }),
]
