/** Customers and suppliers, with their addresses and contact people. */
import { identifiedListOf, listOf, parentTable } from '../../http/documents.ts'
import { type Fields, flag, guid, instant, keyed, money, named, numbered, text, textUpTo } from '../../http/fields.ts'
import { currency, name, word } from './columns.ts'
import { type Cin7Stream, listStream } from './stream-kinds.ts'

export const addressFields: Fields = {
  Line1: text,
  Line2: text,
  City: name,
  State: name,
  Postcode: word,
  Country: name,
  Type: word,
  DefaultForType: flag,
}
export const contactFields: Fields = {
  Name: name,
  JobTitle: name,
  Phone: word,
  MobilePhone: word,
  Fax: word,
  Email: name,
  Website: name,
  Comment: text,
  Default: flag,
  IncludeInEmail: flag,
}

const customer = parentTable(
  'customer',
  {
    ID: keyed(guid),
    Name: name,
    DisplayName: name,
    IsLegalEntity: flag,
    CustomerParentID: guid,
    CustomerParentName: name,
    IsBillParent: flag,
    Status: word,
    Currency: currency,
    PaymentTerm: name,
    AccountReceivable: word,
    RevenueAccount: word,
    TaxRule: name,
    PriceTier: word,
    Discount: money,
    CreditLimit: money,
    IsOnCreditHold: flag,
    Location: name,
    Carrier: name,
    SalesRepresentative: name,
    Comments: textUpTo(2_000),
    TaxNumber: word,
    Tags: text,
    AttributeSet: word,
    ...numbered('AdditionalAttribute', 10, text),
    LastModifiedOn: instant,
  },
  [
    identifiedListOf('customer_address', 'Addresses', { ID: keyed(guid), ...addressFields }),
    identifiedListOf('customer_contact', 'Contacts', {
      ID: keyed(guid),
      ...contactFields,
      MarketingConsent: flag,
    }),
    identifiedListOf('customer_price', 'ProductPrices', {
      ProductID: keyed(guid),
      ProductSKU: word,
      ProductName: name,
      Price: money,
    }),
  ],
)

const supplier = parentTable(
  'supplier',
  {
    ID: keyed(guid),
    Name: name,
    Status: word,
    Currency: currency,
    PaymentTerm: name,
    AccountPayable: word,
    TaxRule: name,
    Discount: money,
    Comments: textUpTo(2_000),
    TaxNumber: word,
    AttributeSet: word,
    ...numbered('AdditionalAttribute', 10, text),
    LastModifiedOn: instant,
  },
  [
    listOf('supplier_address', 'Addresses', { ID: named('address_id', guid), ...addressFields }),
    listOf('supplier_contact', 'Contacts', { ID: named('contact_id', guid), ...contactFields }),
  ],
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
