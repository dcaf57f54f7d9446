/** Stock levels and the tasks that change them: adjustments, stock takes, transfers, write-offs. */
import { childTable, parentTable } from '../../http/documents.ts'
import type { ChildShape } from '../../http/documents.ts'
import { day, flag, guid, instant, money, ordinal, section, text, json, integer } from '../../http/fields.ts'
import type { FieldMapping } from '../../http/fields.ts'
import { productSizes } from './columns.ts'
import {
  listStream,
  listLimit,
  taskStream,
  concatRows,
  rowsWithin,
  rowsWithinParts,
  unnumberedParts,
} from './stream-kinds.ts'
import type { Cin7Stream } from './stream-kinds.ts'

const availability = parentTable('product_availability', [
  guid('ID', { as: 'product_id', key: true }),
  text('Location', 256, { key: true }),
  text('Bin', 256, { key: true }),
  text('Batch', 256, { key: true }),
  text('SKU', 50),
  text('Name', 256),
  text('Barcode', 256),
  day('ExpiryDate'),
  money('OnHand'),
  money('Allocated'),
  money('Available'),
  money('OnOrder'),
  // A value, not a count.
  money('StockOnHand'),
  money('InTransit'),
])

const locationBin = childTable(
  'location_bin',
  [
    guid('ID', { as: 'location_id', of: 'document', key: true }),
    guid('ID', { key: true }),
    text('Name', 256),
    flag('IsStaging'),
    flag('IsDeprecated'),
  ],
  rowsWithin('Bins'),
)
const location = parentTable(
  'location',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    flag('IsDefault'),
    // The API reference's table of fields has the first name; its samples and live accounts have the second.
    flag('Deprecated', { or: 'IsDeprecated' }),
    guid('ParentID'),
    text('ParentName', 256),
    text('PickZones'),
    flag('AllowReorder'),
    integer('ReferenceCount'),
    text('AddressLine1'),
    text('AddressLine2'),
    text('AddressCitySuburb'),
    text('AddressStateProvince'),
    text('AddressZipPostCode'),
    text('AddressCountry'),
    flag('FixedAssetsLocation'),
    flag('IsCoMan'),
    flag('IsShopfloor'),
    flag('IsStaging'),
  ],
  [locationBin],
)

/** The first column of every table of a task. */
export const taskId: FieldMapping = guid('TaskID', { of: 'document', key: true })

/** A task's ledger entries. */
export function entriesOf(task: string): ChildShape {
  return childTable(
    `${task}_ledger_entry`,
    [
      taskId,
      ordinal,
      guid('ID', { as: 'entry_id' }),
      day('EffectiveDate'),
      text('Debit', 50),
      text('Credit', 50),
      money('Amount'),
    ],
    rowsWithin('Transactions'),
  )
}

/** Goods in stock have a previous count and a difference; other goods have a count and a cost. */
const countFields = [
  taskId,
  section,
  ordinal,
  guid('ProductID'),
  text('SKU', 50),
  text('ProductName', 256),
  text('Location', 256),
  guid('LocationID'),
  text('BatchSN', 256),
  day('ExpiryDate'),
  money('QuantityOnHand'),
  money('Available'),
  money('Adjustment'),
  // The new count, not the difference.
  money('Quantity'),
  money('UnitCost'),
  day('ReceivedDate'),
  text('Comments'),
  ...productSizes,
]

/** The two lists of counted goods, distinguished by their section. */
function countsOf(task: string, existingKey: string, foundKey: string, own: readonly FieldMapping[] = []): ChildShape {
  const named = (name: string, key: string): ChildShape['rows'] => {
    const rows = rowsWithin(key)
    return (document) => rows(document).map((spot) => ({ ...spot, section: name }))
  }
  return childTable(
    `${task}_line`,
    [...countFields, ...own],
    concatRows(named('existing', existingKey), named('new', foundKey)),
  )
}

const adjustment = parentTable(
  'stock_adjustment',
  [
    guid('TaskID', { key: true }),
    text('StocktakeNumber', 50),
    text('Status', 50),
    day('EffectiveDate'),
    text('Account', 50),
    text('Reference', 256),
  ],
  [countsOf('stock_adjustment', 'ExistingStockLines', 'NewStockLines'), entriesOf('stock_adjustment')],
)

const stocktake = parentTable(
  'stock_take',
  [
    guid('TaskID', { key: true }),
    text('StocktakeNumber', 50),
    text('Status', 50),
    day('EffectiveDate'),
    day('CreatedDate'),
    text('Location', 256),
    guid('LocationID'),
    text('Account', 50),
    text('Reference', 256),
    json('Categories'),
    json('Brands'),
    json('Bins'),
    json('PickZones'),
    json('StockLocators'),
    json('Tags'),
    text('LastUpdatedBy', 256),
    instant('LastUpdatedDate'),
  ],
  [
    countsOf('stock_take', 'NonZeroStockOnHandProducts', 'ZeroStockOnHandProducts', [
      text('Barcode', 256),
      text('StockLocator', 256),
      text('Unit', 50),
      text('CostingMethod', 50),
      guid('Image.ID'),
      text('Image.FileName'),
      text('Image.ContentType', 256),
      text('Image.DownloadUrl'),
    ]),
    entriesOf('stock_take'),
  ],
)

const transferLine = childTable(
  'stock_transfer_line',
  [
    taskId,
    section,
    ordinal,
    guid('ProductID'),
    text('SKU', 50),
    text('ProductName', 256),
    money('TransferQuantity'),
    money('QuantityOnHand'),
    money('QuantityAvailable'),
    text('BatchSN', 256),
    day('ExpiryDate'),
    text('Comments'),
    ...productSizes,
  ],
  concatRows(
    rowsWithinParts((document) => unnumberedParts('order', document, 'Order'), 'Lines'),
    (document) => rowsWithin('Lines')(document).map((spot) => ({ ...spot, section: 'transfer' })),
  ),
)
const transfer = parentTable(
  'stock_transfer',
  [
    guid('TaskID', { key: true }),
    text('Number', 50),
    text('Status', 50),
    guid('From', { as: 'from_location_id' }),
    text('FromLocation', 256),
    guid('To', { as: 'to_location_id' }),
    text('ToLocation', 256),
    text('CostDistributionType', 50),
    text('InTransitAccount', 50),
    day('DepartureDate'),
    day('CompletionDate'),
    day('RequiredByDate'),
    text('Reference', 256),
    flag('SkipOrder'),
    text('Order.Status', 50),
    json('ManualJournals'),
  ],
  [transferLine],
)

const writeOff = parentTable(
  'inventory_write_off',
  [
    guid('TaskID', { key: true }),
    text('InventoryWriteOffNumber', 50, { as: 'number' }),
    text('Status', 50),
    day('Date'),
    day('EffectiveDate'),
    text('Location', 256),
    guid('LocationID'),
    text('Account', 50),
    text('Notes'),
  ],
  [
    childTable(
      'inventory_write_off_line',
      [
        taskId,
        ordinal,
        guid('ProductID'),
        text('ProductCode', 50),
        text('Name', 256),
        money('Quantity'),
        money('Cost'),
        money('TotalCost'),
        text('Bin', 256),
        guid('BinID'),
        text('BatchSN', 256),
        day('ExpiryDate'),
        text('ExpenseAccount', 50),
      ],
      rowsWithin('Lines'),
    ),
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
    list: { path: 'stockadjustmentList', rows: 'StockAdjustmentList', limit: listLimit },
    pathOf: () => 'stockadjustment',
    shape: adjustment,
  }),
  taskStream('stocktake', {
    noun: 'stock takes',
    // Cin7 uses the key of adjustments here as well.
    list: { path: 'stockTakeList', rows: 'StockAdjustmentList', alternateRows: 'StockTakeList', limit: listLimit },
    pathOf: () => 'stocktake',
    shape: stocktake,
  }),
  taskStream('stockTransfer', {
    noun: 'stock transfers',
    list: { path: 'stockTransferList', rows: 'StockTransferList', limit: listLimit },
    pathOf: () => 'stockTransfer',
    shape: transfer,
  }),
  taskStream('inventoryWriteOff', {
    noun: 'write-offs',
    list: { path: 'inventoryWriteOffList', rows: 'InventoryWriteOffs', limit: listLimit },
    pathOf: () => 'inventoryWriteOff',
    shape: writeOff,
  }),
]
