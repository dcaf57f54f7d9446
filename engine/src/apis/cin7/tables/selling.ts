/** Carriers, zones, discounts and deals, and the company's own staff. */
import { childTable, type ChildTable, listOf, parentTable } from '../../http/documents.ts'
import {
  day,
  type Fields,
  flag,
  guid,
  integer,
  json,
  keyed,
  money,
  named,
  ordinal,
  sectionNumber,
  text,
} from '../../http/fields.ts'
import { name, word } from './columns.ts'
import { type Cin7Stream, listStream, rowsWithinEach } from './stream-kinds.ts'

const carrier = parentTable('carrier', { CarrierID: keyed(guid), Description: name })

const discount = parentTable('discount_rule', { ID: keyed(guid), Name: name, Type: word, IsActive: flag }, [
  listOf('discount_rule_line', 'DiscountLines', {
    ID: named('line_id', guid),
    MinValue: money,
    MaxValue: money,
    Amount: money,
    DiscountType: word,
  }),
])

/** A list within each of a deal's discounts. `section_no` is the discount's `ordinal`. */
function discountList(table: string, key: string, own: Fields): ChildTable {
  const fields = {
    sectionNumber,
    ordinal,
    ID: named(`${table}_id`, guid),
    ...own,
    // The API reference lists this field; none of its samples contains it.
    Type: word,
  }
  return childTable(table, fields, rowsWithinEach('DealDiscounts', key))
}

const deal = parentTable(
  'deal',
  {
    ID: keyed(guid),
    Name: name,
    IsActive: flag,
    DateFrom: day,
    DateTo: day,
    AllowCoupons: flag,
    CouponCodes: text,
    SingleCouponCodeUsage: flag,
    CustomersGroup: name,
    DealCustomers: named('customers', json),
    DealCustomerTags: named('customer_tags', json),
  },
  [
    listOf('deal_discount', 'DealDiscounts', {
      ID: named('deal_discount_id', guid),
      DiscountID: guid,
      DiscountName: name,
      DiscountType: word,
      Sequence: integer,
      IsOrderLevel: flag,
      BuyMore: flag,
      BuyType: text,
      BuyValue: text,
      BuyValueType: text,
      GetType: text,
      GetValue: text,
      GetValueType: text,
      DealDiscountBrands: named('brands', json),
      DealDiscountCategories: named('categories', json),
      DealDiscountProducts: named('products', json),
      DealDiscountTags: named('tags', json),
    }),
    listOf('deal_customer', 'DealCustomers', {
      ID: named('deal_customer_id', guid),
      CustomerID: guid,
      CustomerName: name,
    }),
    listOf('deal_customer_tag', 'DealCustomerTags', { ID: named('deal_customer_tag_id', guid), TagName: name }),
    discountList('deal_discount_brand', 'DealDiscountBrands', { BrandID: guid, BrandName: name }),
    discountList('deal_discount_category', 'DealDiscountCategories', { CategoryID: guid, CategoryName: name }),
    discountList('deal_discount_product', 'DealDiscountProducts', {
      ProductID: guid,
      ProductSKU: word,
      ProductName: name,
      IsFamily: flag,
    }),
    discountList('deal_discount_tag', 'DealDiscountTags', { TagName: name }),
  ],
)

const shipZone = parentTable(
  'ship_zone',
  {
    ZoneID: keyed(guid),
    Name: name,
    ShortDesc: text,
    DefaultShippingCost: money,
    IsRestZone: flag,
    Negative: flag,
    PricesInclTax: flag,
    TaxRuleID: guid,
    TaxRuleName: name,
    Conditions: json,
  },
  [
    listOf('ship_zone_area', 'AppliesTo', {
      ID: named('area_id', guid),
      Country2: word,
      StateID: word,
      StateName: name,
      PostCodeFrom: word,
      PostCodeTo: word,
      PostCodesList: text,
      ShippingRate: money,
    }),
  ],
)

const ownAddress = parentTable('own_address', {
  AddressID: keyed(guid),
  Type: word,
  Line1: text,
  Line2: text,
  CitySuburb: name,
  StateProvince: name,
  ZipPostCode: word,
  Country: name,
  DefaultForType: flag,
})
/** Includes sales representatives. */
const ownContact = parentTable('own_contact', {
  ContactID: keyed(guid),
  Name: name,
  Type: word,
  Phone: word,
  Fax: word,
  Email: name,
  Website: name,
  Comment: text,
  DefaultForType: flag,
})

export const ownStreams: readonly Cin7Stream[] = [
  listStream('meAddress', ownAddress, { path: 'me/addresses', rows: 'MeAddressesList' }),
  listStream('meContact', ownContact, { path: 'me/contacts', rows: 'MeContactsList' }),
]

export const sellingStreams: readonly Cin7Stream[] = [
  listStream('carrier', carrier, { path: 'ref/carrier', rows: 'CarrierList' }),
  listStream('discount', discount, { path: 'reference/discount', rows: 'DiscountRules' }),
  listStream('deal', deal, { path: 'reference/deals', rows: 'Deals' }),
  listStream('shipZone', shipZone, { path: 'reference/shipZones', rows: 'ShipZones' }),
]
