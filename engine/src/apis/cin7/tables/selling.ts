/** How goods reach a customer and at what price: carriers, zones, discounts and deals; and the company's own people. */
import { childTable, parentTable } from '../../http/documents.ts'
import { day, flag, guid, money, ordinal, sectionNumber, text, tree, whole } from '../../http/fields.ts'
import type { Field } from '../../http/fields.ts'
import { listed, within, withinEach } from './declare.ts'
import type { Cin7Stream } from './declare.ts'

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
      within('DiscountLines'),
    ),
  ],
)

const dealId = guid('ID', { as: 'deal_id', of: 'document', key: true })

/** Lists within a deal or, where `of` is given, within each of its discounts, which `section_no` numbers as `ordinal` does there. */
function dealList(kind: string, key: string, own: readonly Field[], of?: 'DealDiscounts') {
  const id = guid('ID', { as: `deal_${kind}_id` })
  return of === undefined
    ? childTable(`deal_${kind}`, [dealId, ordinal, id, ...own], within(key))
    : childTable(`deal_${kind}`, [dealId, sectionNumber, ordinal, id, ...own], withinEach(of, key))
}

/** Of products, brands, categories and tags. The API reference's tables of fields list it; none of its samples has it. */
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
    tree('DealCustomers', { as: 'customers' }),
    tree('DealCustomerTags', { as: 'customer_tags' }),
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
        whole('Sequence'),
        flag('IsOrderLevel'),
        flag('BuyMore'),
        ...['BuyType', 'BuyValue', 'BuyValueType', 'GetType', 'GetValue', 'GetValueType'].map((path) => text(path)),
        tree('DealDiscountBrands', { as: 'brands' }),
        tree('DealDiscountCategories', { as: 'categories' }),
        tree('DealDiscountProducts', { as: 'products' }),
        tree('DealDiscountTags', { as: 'tags' }),
      ],
      within('DealDiscounts'),
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
    tree('Conditions'),
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
      within('AppliesTo'),
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
/** Sales representatives are among them. */
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
  listed('meAddress', ownAddress, { path: 'me/addresses', rows: 'MeAddressesList' }),
  listed('meContact', ownContact, { path: 'me/contacts', rows: 'MeContactsList' }),
]

export const sellingStreams: readonly Cin7Stream[] = [
  listed('carrier', carrier, { path: 'ref/carrier', rows: 'CarrierList' }),
  listed('discount', discount, { path: 'reference/discount', rows: 'DiscountRules' }),
  listed('deal', deal, { path: 'reference/deals', rows: 'Deals' }),
  listed('shipZone', shipZone, { path: 'reference/shipZones', rows: 'ShipZones' }),
]
