/** Products with what hangs on them, and how many lie where. */
import { childTable, parentTable } from '../../../http/documents.ts'
import { day, flag, guid, moment, money, numbered, ordinal, text, whole } from '../../../http/fields.ts'
import { within } from './declare.ts'
import type { Cin7Stream } from './declare.ts'

const productId = guid('ID', { as: 'product_id', of: 'document', key: true })

const productSupplier = childTable(
  'product_supplier',
  [
    productId,
    ordinal,
    guid('SupplierID'),
    text('SupplierName', 256),
    text('SupplierInventoryCode', 50),
    text('SupplierProductName', 256),
    money('Cost'),
    money('FixedCost'),
    text('Currency', 3),
    flag('DropShip'),
    day('LastSupplied'),
  ],
  within('Suppliers'),
)
const productReorderLevel = childTable(
  'product_reorder_level',
  [
    productId,
    ordinal,
    guid('LocationID'),
    text('LocationName', 256),
    money('MinimumBeforeReorder'),
    money('ReorderQuantity'),
    text('StockLocator', 256),
  ],
  within('ReorderLevels'),
)
const productBomLine = childTable(
  'product_bom_line',
  [
    productId,
    ordinal,
    guid('ComponentProductID'),
    text('ProductCode', 50),
    text('Name', 256),
    money('Quantity'),
    money('WastagePercent'),
    money('WastageQuantity'),
    money('CostPercentage'),
  ],
  within('BillOfMaterialsProducts'),
)

const product = parentTable(
  'product',
  [
    guid('ID', { key: true }),
    text('SKU', 50),
    text('Name', 256),
    text('Category', 256),
    text('Brand', 256),
    text('Type', 50),
    text('Status', 50),
    text('CostingMethod', 50),
    text('DropShipMode', 50),
    text('DefaultLocation', 256),
    money('Length'),
    money('Width'),
    money('Height'),
    money('Weight'),
    text('WeightUnits', 50),
    text('DimensionsUnits', 50),
    text('UOM', 50),
    text('Barcode', 256),
    money('MinimumBeforeReorder'),
    money('ReorderQuantity'),
    ...numbered('PriceTier', 10, money),
    money('AverageCost'),
    text('ShortDescription'),
    text('Description'),
    text('InternalNote'),
    text('AttributeSet', 50),
    ...numbered('AdditionalAttribute', 10, text),
    text('DiscountRule', 256),
    text('Tags'),
    text('StockLocator', 256),
    text('COGSAccount', 50),
    text('RevenueAccount', 50),
    text('ExpenseAccount', 50),
    text('InventoryAccount', 50),
    text('PurchaseTaxRule', 256),
    text('SaleTaxRule', 256),
    flag('Sellable'),
    flag('BillOfMaterial'),
    flag('AutoAssembly'),
    flag('AutoDisassembly'),
    text('HSCode', 50),
    text('CountryOfOrigin', 256),
    moment('LastModifiedOn'),
  ],
  [productSupplier, productReorderLevel, productBomLine],
)

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
  // Not a count: the value of what lies there.
  money('StockOnHand'),
  money('InTransit'),
])

const stockAdjustment = parentTable('stock_adjustment', [
  guid('TaskID', { key: true }),
  text('StocktakeNumber', 50),
  text('Status', 50),
  day('EffectiveDate'),
  text('Account', 50),
  text('Reference', 256),
  text('Comment'),
])

const stockTransfer = parentTable('stock_transfer', [
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
])

const category = parentTable('category', [guid('ID', { key: true }), text('Name', 256)])
const brand = parentTable('brand', [guid('ID', { key: true }), text('Name', 256)])

const locationBin = childTable(
  'location_bin',
  [guid('ID', { as: 'location_id', of: 'document', key: true }), guid('ID', { key: true }), text('Name', 256), flag('IsStaging')],
  within('Bins'),
)
const location = parentTable(
  'location',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    flag('IsDefault'),
    flag('Deprecated'),
    guid('ParentID'),
    whole('ReferenceCount'),
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

/** With its lists included, a page of products is kept to the hundred that Cin7 Core gives by itself. */
const included = { IncludeDeprecated: 'true', IncludeSuppliers: 'true', IncludeReorderLevels: 'true', IncludeBOM: 'true' }

export const productStreams: readonly Cin7Stream[] = [
  {
    kind: 'list',
    name: 'product',
    list: { path: 'product', rows: 'Products', limit: 100, since: 'ModifiedSince', query: included },
    shape: product,
  },
  {
    kind: 'list',
    name: 'productavailability',
    list: { path: 'ref/productavailability', rows: 'ProductAvailabilityList', limit: 1_000 },
    shape: availability,
  },
  {
    kind: 'list',
    name: 'stockadjustmentList',
    list: { path: 'stockadjustmentList', rows: 'StockAdjustmentList', limit: 1_000 },
    shape: stockAdjustment,
  },
  {
    kind: 'list',
    name: 'stockTransferList',
    list: { path: 'stockTransferList', rows: 'StockTransferList', limit: 1_000 },
    shape: stockTransfer,
  },
  { kind: 'list', name: 'location', list: { path: 'ref/location', rows: 'LocationList', limit: 1_000 }, shape: location },
  { kind: 'list', name: 'category', list: { path: 'ref/category', rows: 'CategoryList', limit: 1_000 }, shape: category },
  { kind: 'list', name: 'brand', list: { path: 'ref/brand', rows: 'BrandList', limit: 1_000 }, shape: brand },
]
