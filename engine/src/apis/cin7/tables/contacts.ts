/** Customers and suppliers, with their addresses and contact people. */
import { childTable, parentTable } from '../../http/documents.ts'
import { flag, guid, instant, money, numberedFields, ordinal, text } from '../../http/fields.ts'
import { listStream, rowsWithin } from './stream-kinds.ts'
import type { Cin7Stream } from './stream-kinds.ts'

export const addressFields = [
  text('Line1'),
  text('Line2'),
  text('City', 256),
  text('State', 256),
  text('Postcode', 50),
  text('Country', 256),
  text('Type', 50),
  flag('DefaultForType'),
]
export const contactFields = [
  text('Name', 256),
  text('JobTitle', 256),
  text('Phone', 50),
  text('MobilePhone', 50),
  text('Fax', 50),
  text('Email', 256),
  text('Website', 256),
  text('Comment'),
  flag('Default'),
  flag('IncludeInEmail'),
]

const customerId = guid('ID', { as: 'customer_id', of: 'document', key: true })
const customerAddress = childTable(
  'customer_address',
  [customerId, guid('ID', { key: true }), ...addressFields],
  rowsWithin('Addresses'),
)
const customerContact = childTable(
  'customer_contact',
  [customerId, guid('ID', { key: true }), ...contactFields, flag('MarketingConsent')],
  rowsWithin('Contacts'),
)
const customerPrice = childTable(
  'customer_price',
  [customerId, guid('ProductID', { key: true }), text('ProductSKU', 50), text('ProductName', 256), money('Price')],
  rowsWithin('ProductPrices'),
)

const customer = parentTable(
  'customer',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    text('DisplayName', 256),
    flag('IsLegalEntity'),
    guid('CustomerParentID'),
    text('CustomerParentName', 256),
    flag('IsBillParent'),
    text('Status', 50),
    text('Currency', 3),
    text('PaymentTerm', 256),
    text('AccountReceivable', 50),
    text('RevenueAccount', 50),
    text('TaxRule', 256),
    text('PriceTier', 50),
    money('Discount'),
    money('CreditLimit'),
    flag('IsOnCreditHold'),
    text('Location', 256),
    text('Carrier', 256),
    text('SalesRepresentative', 256),
    text('Comments', 2_000),
    text('TaxNumber', 50),
    text('Tags'),
    text('AttributeSet', 50),
    ...numberedFields('AdditionalAttribute', 10, text),
    instant('LastModifiedOn'),
  ],
  [customerAddress, customerContact, customerPrice],
)

const supplierId = guid('ID', { as: 'supplier_id', of: 'document', key: true })
const supplierAddress = childTable(
  'supplier_address',
  [supplierId, ordinal, guid('ID', { as: 'address_id' }), ...addressFields],
  rowsWithin('Addresses'),
)
const supplierContact = childTable(
  'supplier_contact',
  [supplierId, ordinal, guid('ID', { as: 'contact_id' }), ...contactFields],
  rowsWithin('Contacts'),
)

const supplier = parentTable(
  'supplier',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    text('Status', 50),
    text('Currency', 3),
    text('PaymentTerm', 256),
    text('AccountPayable', 50),
    text('TaxRule', 256),
    money('Discount'),
    text('Comments', 2_000),
    text('TaxNumber', 50),
    text('AttributeSet', 50),
    ...numberedFields('AdditionalAttribute', 10, text),
    instant('LastModifiedOn'),
  ],
  [supplierAddress, supplierContact],
)

const query = { IncludeDeprecated: 'true' }
export const contactStreams: readonly Cin7Stream[] = [
  listStream('customer', customer, {
    path: 'customer',
    rows: 'CustomerList',
    since: 'ModifiedSince',
    query,
    // Cin7 Core leaves prices out by default.
    fullQuery: { IncludeProductPrices: 'true' },
  }),
  listStream('supplier', supplier, { path: 'supplier', rows: 'SupplierList', since: 'ModifiedSince', query }),
]
