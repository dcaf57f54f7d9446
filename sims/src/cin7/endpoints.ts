/** Every path of the simulated API: what it lists, by which name, and which filter it honours. Other filters are ignored, as by Cin7. */
import type { Company } from './company.ts'
import {
  accountRows,
  adjustmentRows,
  availabilityRows,
  contactRow,
  journalRows,
  locationRows,
  productRow,
  taxRows,
  termRows,
  transferRows,
} from './master-documents.ts'
import { isSimple, purchaseDocument, purchaseRow } from './purchase-documents.ts'
import { saleDocument, saleRow } from './sale-documents.ts'
import type { Row } from './write.ts'

export interface Listed {
  readonly key: string
  rows(world: World): readonly Row[]
  /** The parameter that keeps only rows changed since, and the column it compares. */
  readonly since?: readonly [parameter: string, column: string]
  /** Rows with this status are shown only to those who ask for them. */
  readonly hides?: 'Deprecated'
}

export interface World {
  readonly company: Company
  /** Where the company's history begins, in milliseconds since 1970. */
  readonly foundedAt: number
}

/** By the path in lower case. */
export const lists: Readonly<Record<string, Listed>> = {
  // The newest come first, so that a new one moves every other by a place, across the borders of pages.
  salelist: {
    key: 'SaleList',
    rows: ({ company }) => company.sales.toReversed().map((sale) => saleRow(sale, company)),
    since: ['updatedsince', 'Updated'],
  },
  purchaselist: {
    key: 'PurchaseList',
    rows: ({ company }) => company.purchases.toReversed().map(purchaseRow),
    since: ['updatedsince', 'LastUpdatedDate'],
  },
  product: {
    key: 'Products',
    rows: ({ company }) => company.products.map((product) => productRow(product, company)),
    since: ['modifiedsince', 'LastModifiedOn'],
    hides: 'Deprecated',
  },
  customer: {
    key: 'CustomerList',
    rows: ({ company }) => company.customers.map(contactRow),
    since: ['modifiedsince', 'LastModifiedOn'],
    hides: 'Deprecated',
  },
  supplier: {
    key: 'SupplierList',
    rows: ({ company }) => company.suppliers.map(contactRow),
    since: ['modifiedsince', 'LastModifiedOn'],
    hides: 'Deprecated',
  },
  'ref/productavailability': {
    key: 'ProductAvailabilityList',
    rows: ({ company }) => company.products.flatMap((product) => availabilityRows(product, company)),
  },
  'ref/account': { key: 'AccountsList', rows: accountRows },
  'ref/tax': { key: 'TaxRuleList', rows: ({ company }) => taxRows(company) },
  'ref/paymentterm': { key: 'PaymentTermList', rows: ({ company }) => termRows(company) },
  'ref/location': { key: 'LocationList', rows: ({ company }) => locationRows(company) },
  'ref/category': { key: 'CategoryList', rows: ({ company }) => company.categories.map((category) => ({ ...category })) },
  'ref/brand': { key: 'BrandList', rows: ({ company }) => company.brands.map((brand) => ({ ...brand })) },
  stockadjustmentlist: { key: 'StockAdjustmentList', rows: ({ company, foundedAt }) => adjustmentRows(company, foundedAt) },
  stocktransferlist: { key: 'StockTransferList', rows: ({ company, foundedAt }) => transferRows(company, foundedAt) },
  journal: { key: 'Journals', rows: ({ company, foundedAt }) => journalRows(company, foundedAt) },
}

/** The document of this id, by path in lower case; undefined where there is none. */
export const documents: Readonly<Record<string, (company: Company, id: string) => Row | undefined>> = {
  sale: (company, id) => {
    const sale = company.sales.find(({ ID }) => ID === id)
    return sale && saleDocument(sale, company)
  },
  purchase: (company, id) => {
    const purchase = company.purchases.find(({ ID }) => ID === id)
    return purchase && isSimple(purchase) ? purchaseDocument(purchase, company) : undefined
  },
  'advanced-purchase': (company, id) => {
    const purchase = company.purchases.find(({ ID }) => ID === id)
    return purchase && !isSimple(purchase) ? purchaseDocument(purchase, company) : undefined
  },
}
