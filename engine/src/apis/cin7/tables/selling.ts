/** Carriers, zones, discounts and deals, and the company's own staff. */
import { childTable, parentTable } from '../../http/documents.ts'
import { day, flag, guid, money, ordinal, sectionNumber, text, json, integer } from '../../http/fields.ts'
import type { FieldMapping } from '../../http/fields.ts'
import { listStream, rowsWithin, rowsWithinEach } from './stream-kinds.ts'
import type { Cin7Stream } from './stream-kinds.ts'

const carrier = parentTable('carrier', [guid('CarrierID', { key: true }), text('Description', 256)])

const discount = parentTable(
  'discount_rule',
  [guid('ID', { key: true }), text('Name', 256), text('Type', 50), flag('IsActive')],
  [
    childTable(
      'discount_rule_line',
      [
        guid('ID', { as: 'discount_rule_id', of: 'document', key: true }),
        ordinal,
        guid('ID', { as: 'line_id' }),
        money('MinValue'),
        money('MaxValue'),
        money('Amount'),
        text('DiscountType', 50),
      ],
      rowsWithin('DiscountLines'),
    ),
  ],
)

const dealId = guid('ID', { as: 'deal_id', of: 'document', key: true })

/** Lists within a deal or, with `of`, within each of its discounts. `section_no` is the discount's `ordinal`. */
function dealList(kind: string, key: string, own: readonly FieldMapping[], of?: 'DealDiscounts') {
  const id = guid('ID', { as: `deal_${kind}_id` })
  return of === undefined
    ? childTable(`deal_${kind}`, [dealId, ordinal, id, ...own], rowsWithin(key))
    : childTable(`deal_${kind}`, [dealId, sectionNumber, ordinal, id, ...own], rowsWithinEach(of, key))
}

/**
 * Names of products, brands, categories and tags. The API reference lists this field; none of its samples contains
 * it.
 */
const kindOfFilter = text('Type', 50)

const deal = parentTable(
  'deal',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    flag('IsActive'),
    day('DateFrom'),
    day('DateTo'),
    flag('AllowCoupons'),
    text('CouponCodes'),
    flag('SingleCouponCodeUsage'),
    text('CustomersGroup', 256),
    json('DealCustomers', { as: 'customers' }),
    json('DealCustomerTags', { as: 'customer_tags' }),
  ],
  [
    childTable(
      'deal_discount',
      [
        dealId,
        ordinal,
        guid('ID', { as: 'deal_discount_id' }),
        guid('DiscountID'),
        text('DiscountName', 256),
        text('DiscountType', 50),
        integer('Sequence'),
        flag('IsOrderLevel'),
        flag('BuyMore'),
        ...['BuyType', 'BuyValue', 'BuyValueType', 'GetType', 'GetValue', 'GetValueType'].map((path) => text(path)),
        json('DealDiscountBrands', { as: 'brands' }),
        json('DealDiscountCategories', { as: 'categories' }),
        json('DealDiscountProducts', { as: 'products' }),
        json('DealDiscountTags', { as: 'tags' }),
      ],
      rowsWithin('DealDiscounts'),
    ),
    dealList('customer', 'DealCustomers', [guid('CustomerID'), text('CustomerName', 256)]),
    dealList('customer_tag', 'DealCustomerTags', [text('TagName', 256)]),
    dealList(
      'discount_brand',
      'DealDiscountBrands',
      [guid('BrandID'), text('BrandName', 256), kindOfFilter],
      'DealDiscounts',
    ),
    dealList(
      'discount_category',
      'DealDiscountCategories',
      [guid('CategoryID'), text('CategoryName', 256), kindOfFilter],
      'DealDiscounts',
    ),
    dealList(
      'discount_product',
      'DealDiscountProducts',
      [guid('ProductID'), text('ProductSKU', 50), text('ProductName', 256), flag('IsFamily'), kindOfFilter],
      'DealDiscounts',
    ),
    dealList('discount_tag', 'DealDiscountTags', [text('TagName', 256), kindOfFilter], 'DealDiscounts'),
  ],
)

const shipZone = parentTable(
  'ship_zone',
  [
    guid('ZoneID', { key: true }),
    text('Name', 256),
    text('ShortDesc'),
    money('DefaultShippingCost'),
    flag('IsRestZone'),
    flag('Negative'),
    flag('PricesInclTax'),
    guid('TaxRuleID'),
    text('TaxRuleName', 256),
    json('Conditions'),
  ],
  [
    childTable(
      'ship_zone_area',
      [
        guid('ZoneID', { of: 'document', key: true }),
        ordinal,
        guid('ID', { as: 'area_id' }),
        text('Country2', 50),
        text('StateID', 50),
        text('StateName', 256),
        text('PostCodeFrom', 50),
        text('PostCodeTo', 50),
        text('PostCodesList'),
        money('ShippingRate'),
      ],
      rowsWithin('AppliesTo'),
    ),
  ],
)

const ownAddress = parentTable('own_address', [
  guid('AddressID', { key: true }),
  text('Type', 50),
  text('Line1'),
  text('Line2'),
  text('CitySuburb', 256),
  text('StateProvince', 256),
  text('ZipPostCode', 50),
  text('Country', 256),
  flag('DefaultForType'),
])
/** Includes sales representatives. */
const ownContact = parentTable('own_contact', [
  guid('ContactID', { key: true }),
  text('Name', 256),
  text('Type', 50),
  text('Phone', 50),
  text('Fax', 50),
  text('Email', 256),
  text('Website', 256),
  text('Comment'),
  flag('DefaultForType'),
])

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
