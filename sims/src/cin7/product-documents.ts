/** Products and product families in the API's format. */
import type { Cin7Company, Cin7Product } from './company.ts'
import { fileOf, sizesOf } from './shared-fields.ts'
import { amount, instant, numberedFields } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

export function productRow(product: Cin7Product, company: Cin7Company): Cin7Row {
  const isKit = isKitOf(product)
  return {
    ID: product.ID,
    SKU: product.sku,
    Name: product.Name,
    Category: product.category,
    Brand: product.brand,
    Type: 'Stock',
    CostingMethod: 'FIFO',
    DropShipMode: 'No Drop Ship',
    DefaultLocation: company.locations[0]?.Name ?? null,
    ...measuresOf(product),
    UOM: 'Item',
    Barcode: product.sku.replace('HT-', '942000000'),
    MinimumBeforeReorder: 5,
    ReorderQuantity: 20,
    ...pricesOf(product),
    AverageCost: product.costCents / 100,
    ShortDescription: product.Name,
    Description: `<p>${product.Name}</p>`,
    InternalNote: '',
    ...numberedFields('AdditionalAttribute', product.category, null),
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
    LastModifiedOn: instant(product.modifiedAt),
    Sellable: true,
    PickZones: isKit ? 'Kits,Front' : null,
    BillOfMaterial: isKit,
    AutoAssembly: false,
    AutoDisassembly: false,
    HSCode: '',
    CountryOfOrigin: 'New Zealand',
    CartonHeight: 0,
    CartonInnerQuantity: 0,
    CartonLength: 0,
    CartonQuantity: 0,
    CartonWidth: 0,
    AssemblyCostEstimationMethod: isKit ? 'Average Cost' : null,
    AssemblyInstructionURL: '',
    QuantityToProduce: isKit ? 1 : 0,
    CountryOfOriginCode: 'NZ',
    ...listsOf(product, company),
    Attachments: [],
    Movements: [],
  }
}

function measuresOf(product: Cin7Product): Cin7Row {
  const { length, width, height, weight } = sizesOf(product)
  return { Length: length, Width: width, Height: height, Weight: weight, WeightUnits: 'kg', DimensionsUnits: 'cm' }
}

/** Each price twice: by number, and by the name of its tier. */
function pricesOf({ priceCents }: Cin7Product): Cin7Row {
  const prices = numberedFields('PriceTier', amount(priceCents), 0)
  return {
    ...prices,
    PriceTiers: Object.fromEntries(Object.values(prices).map((price, index) => [`Tier ${index + 1}`, price])),
  }
}

const isKitOf = ({ sku }: Pick<Cin7Product, 'sku'>): boolean => sku.endsWith('7')

/** A product's nested lists; only a kit has components and separate prices. */
function listsOf(product: Cin7Product, { locations, products, customers, idOf }: Cin7Company): Cin7Row {
  const isKit = isKitOf(product)
  return {
    Suppliers: [supplierOf(product, idOf)],
    ReorderLevels: locations.map((location, index) => reorderLevel(location, index === 0 && isKit ? 'Kits' : '')),
    BillOfMaterialsProducts: isKit ? products.slice(0, 2).map(billLine) : [],
    BillOfMaterialsServices: isKit
      ? [
          {
            ComponentProductID: products[2]?.ID ?? null,
            Name: 'Packing',
            Quantity: 1,
            ExpenseAccount: '425',
            PriceTier: 1,
          },
        ]
      : [],
    CustomPrices: isKit
      ? [{ CustomerID: customers[0]?.ID ?? null, ProductSKU: product.sku, Price: amount(product.priceCents - 100) }]
      : [],
  }
}

function supplierOf({ ID, sku, Name, costCents, supplier }: Cin7Product, idOf: Cin7Company['idOf']): Cin7Row {
  return {
    ProductSupplierID: idOf(`supplier of ${ID}`),
    SupplierID: supplier.ID,
    SupplierName: supplier.Name,
    SupplierInventoryCode: `S-${sku}`,
    SupplierProductName: Name,
    Cost: amount(costCents),
    FixedCost: 0,
    Currency: supplier.currency,
    DropShip: false,
    LastSupplied: null,
    // The reference's table of fields calls it `SupplierProductURL`.
    URL: isKitOf({ sku }) ? `https://maker.example/${sku}` : null,
  }
}

function reorderLevel({ ID, Name }: Cin7Company['locations'][number], zones: string): Cin7Row {
  return {
    LocationID: ID,
    LocationName: Name,
    MinimumBeforeReorder: 5,
    ReorderQuantity: 20,
    StockLocator: '',
    PickZones: zones,
  }
}

function billLine({ ID, sku, Name }: Cin7Product): Cin7Row {
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

/** Every two products of a brand form a family, in two colours. */
export function familyRows(company: Cin7Company, since: number): Cin7Row[] {
  const { products, brands, idOf } = company
  return brands.flatMap(({ Name }, index) => {
    const members = products.filter(({ brand }) => brand === Name).slice(0, 2)
    const modifiedAt = Math.max(...members.map((product) => product.modifiedAt))
    if (members.length < 2 || modifiedAt < since) return []
    return [
      {
        ...familyHead(Name, idOf('family', index)),
        ...numberedFields('PriceTier', 0, 0),
        Products: members.map(familyMember),
        Attachments: index === 0 ? [fileOf(company, `family ${index}`, 'colours.jpg')] : [],
        LastModifiedOn: instant(modifiedAt),
      },
    ]
  })
}

function familyHead(name: string, id: string): Cin7Row {
  return {
    ID: id,
    SKU: `F-${name}`,
    Name: `${name} in colours`,
    Category: null,
    Brand: name,
    CostingMethod: 'FIFO',
    DropShipMode: 'No Drop Ship',
    DefaultLocation: null,
    Description: null,
    ShortDescription: null,
    UOM: 'Item',
    Tags: '',
    AttributeSet: null,
    DiscountRule: null,
    COGSAccount: '310',
    RevenueAccount: '200',
    InventoryAccount: '630',
    PurchaseTaxRule: null,
    SaleTaxRule: null,
    MinimumBeforeReorder: 0,
    ReorderQuantity: 0,
    HSCode: '',
    CountryOfOrigin: 'New Zealand',
    CountryOfOriginCode: 'NZ',
    Option1Name: 'Colour',
    Option1Values: 'Red,Blue',
    Option2Name: null,
    Option2Values: null,
    Option3Name: null,
    Option3Values: null,
  }
}

function familyMember({ ID, sku, Name }: Cin7Product, index: number): Cin7Row {
  return { ID, SKU: sku, Name, Option1: index === 0 ? 'Red' : 'Blue', Option2: null, Option3: null }
}
