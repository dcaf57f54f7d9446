/** Products with their nested lists, product families, and categories. */
import { identifiedListOf, listOf, parentTable } from '../../http/documents.ts'
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
  numbered,
  orElse,
  prefixed,
  text,
} from '../../http/fields.ts'
import { currency, name, word } from './columns.ts'
import { type Cin7Stream, listStream } from './stream-kinds.ts'

const product = parentTable(
  'product',
  {
    ID: keyed(guid),
    SKU: word,
    Name: name,
    Category: name,
    Brand: name,
    Type: word,
    Status: word,
    CostingMethod: word,
    DropShipMode: word,
    DefaultLocation: name,
    Length: money,
    Width: money,
    Height: money,
    Weight: money,
    WeightUnits: word,
    DimensionsUnits: word,
    UOM: word,
    Barcode: name,
    MinimumBeforeReorder: money,
    ReorderQuantity: money,
    ...numbered('PriceTier', 10, money),
    AverageCost: money,
    ShortDescription: text,
    Description: text,
    InternalNote: text,
    AttributeSet: word,
    ...numbered('AdditionalAttribute', 10, text),
    DiscountRule: name,
    Tags: text,
    StockLocator: name,
    COGSAccount: word,
    RevenueAccount: word,
    ExpenseAccount: word,
    InventoryAccount: word,
    PurchaseTaxRule: name,
    SaleTaxRule: name,
    Sellable: flag,
    BillOfMaterial: flag,
    AutoAssembly: flag,
    AutoDisassembly: flag,
    AssemblyCostEstimationMethod: word,
    AssemblyInstructionURL: text,
    QuantityToProduce: money,
    CartonLength: money,
    CartonWidth: money,
    CartonHeight: money,
    CartonQuantity: money,
    CartonInnerQuantity: money,
    PickZones: text,
    HSCode: word,
    CountryOfOrigin: name,
    CountryOfOriginCode: word,
    LastModifiedOn: instant,
  },
  [
    listOf('product_supplier', 'Suppliers', {
      SupplierID: guid,
      SupplierName: name,
      SupplierInventoryCode: word,
      SupplierProductName: name,
      Cost: money,
      FixedCost: money,
      Currency: currency,
      DropShip: flag,
      LastSupplied: day,
      ProductSupplierID: guid,
      // The API reference's table of fields has the first name; its samples have the second.
      SupplierProductURL: orElse('URL', text),
    }),
    listOf('product_reorder_level', 'ReorderLevels', {
      LocationID: guid,
      LocationName: name,
      MinimumBeforeReorder: money,
      ReorderQuantity: money,
      StockLocator: name,
      PickZones: text,
    }),
    listOf('product_bom_line', 'BillOfMaterialsProducts', {
      ComponentProductID: guid,
      ProductCode: word,
      Name: name,
      Quantity: money,
      WastagePercent: money,
      WastageQuantity: money,
      CostPercentage: money,
    }),
    listOf('product_bom_service', 'BillOfMaterialsServices', {
      ComponentProductID: guid,
      Name: name,
      Quantity: money,
      ExpenseAccount: word,
      PriceTier: integer,
    }),
    listOf('product_custom_price', 'CustomPrices', {
      CustomerID: guid,
      ProductSKU: word,
      Price: money,
    }),
  ],
)

const family = parentTable(
  'product_family',
  {
    ID: keyed(guid),
    SKU: word,
    Name: name,
    Category: name,
    Brand: name,
    CostingMethod: word,
    DropShipMode: word,
    DefaultLocation: name,
    UOM: word,
    MinimumBeforeReorder: money,
    ReorderQuantity: money,
    ...numbered('PriceTier', 10, money),
    ShortDescription: text,
    Description: text,
    AttributeSet: word,
    DiscountRule: name,
    Tags: text,
    COGSAccount: word,
    RevenueAccount: word,
    InventoryAccount: word,
    PurchaseTaxRule: name,
    SaleTaxRule: name,
    HSCode: word,
    CountryOfOrigin: name,
    CountryOfOriginCode: word,
    ...slots('Option', 3, { Name: name, Values: text }),
    Attachments: json,
    LastModifiedOn: instant,
  },
  [
    identifiedListOf('product_family_product', 'Products', {
      ID: named('product_id', keyed(guid)),
      SKU: word,
      Name: name,
      ...numbered('Option', 3, name),
    }),
  ],
)

const nameList = (table: string) => parentTable(table, { ID: keyed(guid), Name: name })
const priceTier = parentTable('price_tier', { Code: keyed(integer), Name: name })

const attributeSet = parentTable(
  'attribute_set',
  {
    ID: keyed(guid),
    Name: name,
    ...slots('Attribute', 10, { Name: name, Type: word, Values: text }),
  },
  [listOf('attribute_set_attribute', 'Attributes', { Name: name, Type: word, Values: text })],
)

/** The same fields for each of `Option1` to `Option3`. */
function slots(slot: string, count: number, fields: Fields): Fields {
  const each = Array.from({ length: count }, (_, index) => prefixed(`${slot}${index + 1}`, fields))
  return Object.assign({}, ...each) as Fields
}

/** Cin7 omits a product's nested lists by default. */
const included = {
  IncludeSuppliers: 'true',
  IncludeReorderLevels: 'true',
  IncludeBOM: 'true',
  IncludeCustomPrices: 'true',
}

export const productStreams: readonly Cin7Stream[] = [
  listStream('category', nameList('category'), { path: 'ref/category', rows: 'CategoryList' }),
  listStream('brand', nameList('brand'), { path: 'ref/brand', rows: 'BrandList' }),
  listStream('unit', nameList('unit'), { path: 'ref/unit', rows: 'UnitList' }),
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
