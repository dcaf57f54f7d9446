/** Products with their nested lists, product families, and categories. */
import { childTable, parentTable } from '../../http/documents.ts'
import { day, flag, guid, instant, money, numberedFields, ordinal, text, json, integer } from '../../http/fields.ts'
import { listStream, rowsWithin } from './stream-kinds.ts'
import type { Cin7Stream } from './stream-kinds.ts'

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
    guid('ProductSupplierID'),
    // The API reference's table of fields has the first name; its samples have the second.
    text('SupplierProductURL', undefined, { or: 'URL' }),
  ],
  rowsWithin('Suppliers'),
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
    text('PickZones'),
  ],
  rowsWithin('ReorderLevels'),
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
  rowsWithin('BillOfMaterialsProducts'),
)

const productBomService = childTable(
  'product_bom_service',
  [
    productId,
    ordinal,
    guid('ComponentProductID'),
    text('Name', 256),
    money('Quantity'),
    text('ExpenseAccount', 50),
    integer('PriceTier'),
  ],
  rowsWithin('BillOfMaterialsServices'),
)
const productCustomPrice = childTable(
  'product_custom_price',
  [productId, ordinal, guid('CustomerID'), text('ProductSKU', 50), money('Price')],
  rowsWithin('CustomPrices'),
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
    ...numberedFields('PriceTier', 10, money),
    money('AverageCost'),
    text('ShortDescription'),
    text('Description'),
    text('InternalNote'),
    text('AttributeSet', 50),
    ...numberedFields('AdditionalAttribute', 10, text),
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
    text('AssemblyCostEstimationMethod', 50),
    text('AssemblyInstructionURL'),
    money('QuantityToProduce'),
    money('CartonLength'),
    money('CartonWidth'),
    money('CartonHeight'),
    money('CartonQuantity'),
    money('CartonInnerQuantity'),
    text('PickZones'),
    text('HSCode', 50),
    text('CountryOfOrigin', 256),
    text('CountryOfOriginCode', 50),
    instant('LastModifiedOn'),
  ],
  [productSupplier, productReorderLevel, productBomLine, productBomService, productCustomPrice],
)

const familyProduct = childTable(
  'product_family_product',
  [
    guid('ID', { as: 'product_family_id', of: 'document', key: true }),
    guid('ID', { as: 'product_id', key: true }),
    text('SKU', 50),
    text('Name', 256),
    ...numberedFields('Option', 3, (path) => text(path, 256)),
  ],
  rowsWithin('Products'),
)
const family = parentTable(
  'product_family',
  [
    guid('ID', { key: true }),
    text('SKU', 50),
    text('Name', 256),
    text('Category', 256),
    text('Brand', 256),
    text('CostingMethod', 50),
    text('DropShipMode', 50),
    text('DefaultLocation', 256),
    text('UOM', 50),
    money('MinimumBeforeReorder'),
    money('ReorderQuantity'),
    ...numberedFields('PriceTier', 10, money),
    text('ShortDescription'),
    text('Description'),
    text('AttributeSet', 50),
    text('DiscountRule', 256),
    text('Tags'),
    text('COGSAccount', 50),
    text('RevenueAccount', 50),
    text('InventoryAccount', 50),
    text('PurchaseTaxRule', 256),
    text('SaleTaxRule', 256),
    text('HSCode', 50),
    text('CountryOfOrigin', 256),
    text('CountryOfOriginCode', 50),
    ...['Option1', 'Option2', 'Option3'].flatMap((option) => [text(`${option}Name`, 256), text(`${option}Values`)]),
    json('Attachments'),
    instant('LastModifiedOn'),
  ],
  [familyProduct],
)

const named = (table: string) => parentTable(table, [guid('ID', { key: true }), text('Name', 256)])
const priceTier = parentTable('price_tier', [integer('Code', { key: true }), text('Name', 256)])

const attributeSet = parentTable(
  'attribute_set',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    ...Array.from({ length: 10 }, (_, index) => `Attribute${index + 1}`).flatMap((slot) => [
      text(`${slot}Name`, 256),
      text(`${slot}Type`, 50),
      text(`${slot}Values`),
    ]),
  ],
  [
    childTable(
      'attribute_set_attribute',
      [
        guid('ID', { as: 'attribute_set_id', of: 'document', key: true }),
        ordinal,
        text('Name', 256),
        text('Type', 50),
        text('Values'),
      ],
      rowsWithin('Attributes'),
    ),
  ],
)

/** Cin7 omits a product's nested lists by default. */
const included = {
  IncludeSuppliers: 'true',
  IncludeReorderLevels: 'true',
  IncludeBOM: 'true',
  IncludeCustomPrices: 'true',
}

export const productStreams: readonly Cin7Stream[] = [
  listStream('category', named('category'), { path: 'ref/category', rows: 'CategoryList' }),
  listStream('brand', named('brand'), { path: 'ref/brand', rows: 'BrandList' }),
  listStream('unit', named('unit'), { path: 'ref/unit', rows: 'UnitList' }),
  listStream('priceTier', priceTier, { path: 'ref/priceTier', rows: 'PriceTiers' }),
  listStream('attributeset', attributeSet, { path: 'ref/attributeset', rows: 'AttributeSetList' }),
  listStream('product', product, {
    path: 'product',
    rows: 'Products',
    since: 'ModifiedSince',
    query: { IncludeDeprecated: 'true' },
    fullQuery: included,
    // With nested lists, a page is limited to a hundred products, Cin7 Core's default.
    limit: 100,
  }),
  listStream('productFamily', family, { path: 'productFamily', rows: 'ProductFamilies', since: 'ModifiedSince' }),
]
