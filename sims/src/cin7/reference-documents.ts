/** Reference data in the API's format. */
import { dayMs } from './company.ts'
import type { Cin7Company } from './company.ts'
import { day } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

export const companyRow: Cin7Row = {
  Company: 'Harbour Trading Ltd',
  Currency: 'NZD',
  TimeZone: 'New Zealand Standard Time',
  DefaultWeightUnits: 'kg',
  DefaultDimensionsUnits: 'cm',
  LockDate: null,
  OpeningBalanceDate: null,
  DefaultSaleTaxRuleId: null,
  DefaultSaleTaxRuleName: null,
  TaxCalculationMethod: 'Line',
  DiscountRule: null,
  MaximumDecimalPlacesInQuantity: 'N2',
  RoundingTable: [],
}

export function unitRows({ idOf }: Cin7Company): Cin7Row[] {
  return ['Item', 'Box', 'Metre'].map((Name, index) => ({ ID: idOf('unit', index), Name }))
}

export function carrierRows({ idOf }: Cin7Company): Cin7Row[] {
  return ['Harbour Couriers', 'Coastal Freight'].map((Description, index) => ({
    CarrierID: idOf('carrier', index),
    Description,
  }))
}

export function priceTierRows(): Cin7Row[] {
  return Array.from({ length: 10 }, (_, index) => ({ Code: index + 1, Name: `Tier ${index + 1}` }))
}

export function attributeSetRows({ idOf }: Cin7Company): Cin7Row[] {
  const slots = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      [`Attribute${index + 1}Name`, index === 0 ? 'Season' : null],
      [`Attribute${index + 1}Type`, index === 0 ? 'List' : 'Not used'],
      [`Attribute${index + 1}Values`, index === 0 ? 'Summer,Winter' : null],
    ]).flat(),
  )
  return [
    {
      ID: idOf('attribute set'),
      Name: 'Seasonal',
      ...slots,
      Attributes: [{ Name: 'Season', Type: 'List', Values: 'Summer,Winter' }],
    },
  ]
}

export function fixedAssetTypeRows({ idOf }: Cin7Company): Cin7Row[] {
  return [
    {
      FixedAssetTypeID: idOf('fixed asset type'),
      Name: 'Machines',
      AssetAccountCode: '710',
      AssetAccountName: 'Machines',
      AccumulatedDepreciationAccountCode: '711',
      AccumulatedDepreciationAccountName: 'Less depreciation',
      DepreciationExpenseAccountCode: '416',
      DepreciationExpenseAccountName: 'Depreciation',
      DepreciationMethod: 'Straight Line',
      AveragingMethod: 'Full Month',
      EffectiveLife: 5,
      Rate: null,
    },
  ]
}

export function discountRows({ idOf }: Cin7Company): Cin7Row[] {
  const line = { ID: idOf('discount line'), MinValue: 10, MaxValue: 99, Amount: 5, DiscountType: 'Percent' }
  return [{ ID: idOf('discount'), Name: 'By the box', Type: 'Quantity', IsActive: true, DiscountLines: [line] }]
}

/** A deal for some customers and for those with a tag. */
export function dealRows(company: Cin7Company, foundedAt: number): Cin7Row[] {
  const { idOf, customers } = company
  return [
    {
      ID: idOf('deal'),
      Name: 'Opening week',
      IsActive: true,
      DateFrom: day(foundedAt),
      DateTo: day(foundedAt + 7 * dayMs),
      AllowCoupons: false,
      CouponCodes: '',
      SingleCouponCodeUsage: false,
      CustomersGroup: 'All',
      DealCustomers: customers.slice(0, 2).map(({ ID, Name }, index) => ({
        ID: idOf('deal customer', index),
        CustomerID: ID,
        CustomerName: Name,
      })),
      DealCustomerTags: [{ ID: idOf('deal customer tag'), TagName: 'Regulars' }],
      DealDiscounts: dealDiscounts(company),
    },
  ]
}

/** One discount on products and a tag, one on a brand and a category. */
function dealDiscounts({ idOf, products, brands, categories }: Cin7Company): Cin7Row[] {
  const rule = {
    DiscountID: idOf('discount'),
    DiscountName: 'By the box',
    DiscountType: 'Percent',
    BuyMore: false,
    BuyType: 'Products',
    BuyValue: 2,
    BuyValueType: 'Quantity',
    GetType: 'Discount',
    GetValue: 10,
    GetValueType: 'Percent',
  }
  const none = { DealDiscountBrands: [], DealDiscountCategories: [], DealDiscountProducts: [], DealDiscountTags: [] }
  const on = products.slice(0, 2).map(({ ID, sku, Name }, index) => ({
    ID: idOf('deal product', index),
    IsFamily: false,
    ProductID: ID,
    ProductName: Name,
    ProductSKU: sku,
  }))
  const tag = { ID: idOf('deal tag'), TagName: 'Summer' }
  const ofBrands = brands.slice(0, 1).map(({ ID, Name }) => ({ ID: idOf('deal brand'), BrandID: ID, BrandName: Name }))
  const inCategories = categories
    .slice(0, 1)
    .map(({ ID, Name }) => ({ ID: idOf('deal category'), CategoryID: ID, CategoryName: Name }))
  const lists = [
    { ...none, DealDiscountProducts: on, DealDiscountTags: [tag] },
    { ...none, DealDiscountBrands: ofBrands, DealDiscountCategories: inCategories },
  ]
  return lists.map((list, index) => ({
    ID: idOf('deal discount', index),
    ...rule,
    Sequence: index + 1,
    IsOrderLevel: index === 1,
    ...list,
  }))
}

export function shipZoneRows({ idOf }: Cin7Company): Cin7Row[] {
  const area = {
    ID: idOf('ship area'),
    Country2: 'NZ',
    StateID: null,
    StateName: null,
    PostCodeFrom: '6000',
    PostCodeTo: '6999',
    PostCodesList: '',
    ShippingRate: 8.5,
  }
  return [
    {
      ZoneID: idOf('ship zone'),
      Name: 'Wellington',
      ShortDesc: '',
      DefaultShippingCost: 8.5,
      IsRestZone: false,
      Negative: false,
      PricesInclTax: false,
      TaxRuleID: null,
      TaxRuleName: null,
      Conditions: [
        {
          ZoneConditionID: idOf('ship condition'),
          ConditionType: 'Weight',
          ConditionDescription: 'Heavy',
          MinValue: 20,
          MaxValue: 0,
          ShippingCost: 12,
        },
      ],
      AppliesTo: [area],
    },
  ]
}

export function ownAddressRows({ idOf }: Cin7Company): Cin7Row[] {
  return ['Business', 'Shipping'].map((Type, index) => ({
    AddressID: idOf('own address', index),
    Type,
    Line1: '1 Quay St',
    Line2: null,
    CitySuburb: 'Wellington',
    StateProvince: '',
    ZipPostCode: '6011',
    Country: 'New Zealand',
    DefaultForType: true,
  }))
}

export function ownContactRows({ idOf }: Cin7Company): Cin7Row[] {
  return ['Sam Weber', 'Mei Chen'].map((Name, index) => ({
    ContactID: idOf('own contact', index),
    Name,
    Type: 'Sales representative',
    Phone: '5550120',
    Fax: null,
    Email: `rep${index + 1}@mail.example`,
    Website: null,
    Comment: null,
    DefaultForType: index === 0,
  }))
}
