/**
 * All paths of the simulated API, with their lists, documents and filters. Other parameters are ignored, as in Cin7.
 */
import {
  accountRows,
  bankRows,
  bankTransferDocument,
  isBankTransfer,
  journalRows,
  moneyDocument,
  moneyRow,
  taxRows,
  termRows,
  transactionRows,
} from './book-documents.ts'
import type { Cin7Company, Cin7Task, Cin7TaskKind } from './company.ts'
import {
  contactRow,
  creditRows,
  crmTaskRows,
  depositRows,
  leadRow,
  opportunityRow,
  workflowRows,
} from './contact-documents.ts'
import { progressOf } from './deal-documents.ts'
import { familyRows, productRow } from './product-documents.ts'
import {
  assemblyDocument,
  assemblyRow,
  disassemblyDocument,
  disassemblyRow,
  productionDocument,
  productionRow,
} from './production-documents.ts'
import { isSimple, purchaseDocument, purchaseRow } from './purchase-documents.ts'
import {
  attributeSetRows,
  carrierRows,
  dealRows,
  discountRows,
  fixedAssetTypeRows,
  ownAddressRows,
  ownContactRows,
  priceTierRows,
  shipZoneRows,
  unitRows,
} from './reference-documents.ts'
import { saleCreditNoteRow, saleDocument, saleRow } from './sale-documents.ts'
import {
  adjustmentDocument,
  adjustmentRow,
  availabilityRows,
  locationRows,
  stocktakeDocument,
  stocktakeRow,
  transferDocument,
  transferRow,
  writeOffDocument,
  writeOffRow,
} from './stock-documents.ts'
import type { Cin7Row } from './value-format.ts'

export interface Cin7World {
  readonly company: Cin7Company
  /** Start of the company's history, in milliseconds since 1970. */
  readonly foundedAt: number
}

export type Cin7Query = Readonly<Record<string, string>>

export interface Cin7List {
  readonly key: string
  /** @param since returns only rows that changed from this moment on; ignored by paths without such a filter */
  rows(world: Cin7World, since: number): readonly Cin7Row[]
  /** The filter parameter for changes, in lower case. */
  readonly since?: 'updatedsince' | 'modifiedsince'
  /** Rows with this status are returned only on request. */
  readonly hides?: 'Deprecated'
  /** Nested lists that are empty unless their parameter, in lower case, is set. */
  readonly includes?: Readonly<Record<string, readonly string[]>>
  /** The column that `FromDate` and `ToDate` filter, both exclusive. */
  readonly days?: string
  /** `untold`: the response has no total. */
  readonly total?: 'untold'
}

/** A list that depends only on the company. */
const companyList = (
  key: string,
  rows: (company: Cin7Company, foundedAt: number) => readonly Cin7Row[],
  more: Partial<Cin7List> = {},
): Cin7List => ({
  key,
  rows: ({ company, foundedAt }) => rows(company, foundedAt),
  ...more,
})

/** Newest first, so that a new row moves all others across page borders. */
const newestFirst = <T extends { readonly updatedAt: number }>(items: readonly T[], since: number): T[] =>
  items.filter(({ updatedAt }) => updatedAt >= since).toReversed()

const modified = <T extends { readonly modifiedAt: number }>(items: readonly T[], since: number): T[] =>
  items.filter(({ modifiedAt }) => modifiedAt >= since)

const tasks = (key: string, kind: Cin7TaskKind, row: (task: Cin7Task, company: Cin7Company) => Cin7Row): Cin7List =>
  companyList(key, (company) => company.tasks[kind].map((task) => row(task, company)))

/** Keyed by path in lower case. */
export const lists: Readonly<Record<string, Cin7List>> = {
  salelist: {
    key: 'SaleList',
    rows: ({ company }, since) => newestFirst(company.sales, since).map((sale) => saleRow(sale, company)),
    since: 'updatedsince',
  },
  salecreditnotelist: {
    key: 'SaleList',
    rows: ({ company }, since) =>
      newestFirst(company.sales, since)
        .filter((sale) => progressOf(sale).credited)
        .map((sale) => saleCreditNoteRow(sale, company)),
    since: 'updatedsince',
  },
  purchaselist: {
    key: 'PurchaseList',
    rows: ({ company }, since) => newestFirst(company.purchases, since).map(purchaseRow),
    since: 'updatedsince',
  },
  purchasecreditnotelist: {
    key: 'PurchaseList',
    rows: ({ company }, since) =>
      newestFirst(company.purchases, since)
        .filter((purchase) => progressOf(purchase).credited)
        .map(purchaseRow),
    since: 'updatedsince',
  },
  product: {
    key: 'Products',
    rows: ({ company }, since) => modified(company.products, since).map((product) => productRow(product, company)),
    since: 'modifiedsince',
    hides: 'Deprecated',
    includes: {
      includebom: ['BillOfMaterialsProducts', 'BillOfMaterialsServices'],
      includesuppliers: ['Suppliers'],
      includereorderlevels: ['ReorderLevels'],
      includecustomprices: ['CustomPrices'],
    },
  },
  productfamily: {
    key: 'ProductFamilies',
    rows: ({ company }, since) => familyRows(company, since),
    since: 'modifiedsince',
  },
  customer: {
    key: 'CustomerList',
    rows: ({ company }, since) => modified(company.customers, since).map((customer) => contactRow(customer, company)),
    since: 'modifiedsince',
    hides: 'Deprecated',
    includes: { includeproductprices: ['ProductPrices'] },
  },
  supplier: {
    key: 'SupplierList',
    rows: ({ company }, since) => modified(company.suppliers, since).map((supplier) => contactRow(supplier, company)),
    since: 'modifiedsince',
    hides: 'Deprecated',
  },
  'crm/lead': {
    key: 'LeadList',
    rows: ({ company }, since) => modified(company.leads, since).map((lead) => leadRow(lead, company)),
    since: 'modifiedsince',
  },
  'crm/opportunity': {
    key: 'opportunityList',
    rows: ({ company }, since) => modified(company.leads, since).map((lead) => opportunityRow(lead, company)),
    since: 'modifiedsince',
  },
  'crm/task': companyList('Tasks', crmTaskRows),
  'crm/workflow': companyList('Workflows', workflowRows),
  'ref/productavailability': companyList('ProductAvailabilityList', (company) =>
    company.products.flatMap((product) => availabilityRows(product, company)),
  ),
  'ref/account': companyList('AccountsList', accountRows),
  'ref/account/bank': companyList('BankAccountsList', bankRows),
  'ref/tax': companyList('TaxRuleList', taxRows),
  'ref/paymentterm': companyList('PaymentTermList', termRows),
  'ref/location': companyList('LocationList', locationRows),
  'ref/category': companyList('CategoryList', ({ categories }) => categories.map((category) => ({ ...category }))),
  'ref/brand': companyList('BrandList', ({ brands }) => brands.map((brand) => ({ ...brand }))),
  'ref/unit': companyList('UnitList', unitRows),
  'ref/carrier': companyList('CarrierList', carrierRows),
  'ref/attributeset': companyList('AttributeSetList', attributeSetRows),
  'ref/fixedassettype': companyList('FixedAssetTypeList', fixedAssetTypeRows),
  'ref/pricetier': companyList('PriceTiers', priceTierRows, { total: 'untold' }),
  'ref/customer/credits': companyList('CustomerCredits', creditRows, { total: 'untold' }),
  'ref/supplier/deposits': companyList('SupplierDeposits', depositRows, { total: 'untold' }),
  'reference/deals': companyList('Deals', dealRows, { total: 'untold' }),
  'reference/discount': companyList('DiscountRules', discountRows),
  'reference/shipzones': companyList('ShipZones', shipZoneRows),
  'me/addresses': companyList('MeAddressesList', ownAddressRows),
  'me/contacts': companyList('MeContactsList', ownContactRows),
  stockadjustmentlist: tasks('StockAdjustmentList', 'adjustment', adjustmentRow),
  // Cin7 uses the key of adjustments here as well.
  stocktakelist: tasks('StockAdjustmentList', 'stocktake', stocktakeRow),
  stocktransferlist: tasks('StockTransferList', 'transfer', transferRow),
  inventorywriteofflist: tasks('InventoryWriteOffs', 'writeOff', writeOffRow),
  finishedgoodslist: tasks('FinishedGoods', 'assembly', assemblyRow),
  disassemblylist: tasks('Disassemblies', 'disassembly', disassemblyRow),
  moneytasklist: tasks('MoneyTasks', 'money', moneyRow),
  'production/orderlist': tasks('ProductionOrders', 'production', productionRow),
  journal: companyList('Journals', journalRows),
  transactions: companyList('Transactions', transactionRows, { days: 'EffectiveDate' }),
}

/** Single documents, keyed by path in lower case; undefined if the document does not exist. */
export const documents: Readonly<Record<string, (company: Cin7Company, query: Cin7Query) => Cin7Row | undefined>> = {
  sale: (company, query) => {
    const sale = company.sales.find(({ ID }) => ID === query['id'])
    return sale && saleDocument(sale, company, query['includetransactions'] === 'true')
  },
  purchase: (company, query) => {
    const purchase = company.purchases.find(({ ID }) => ID === query['id'])
    return purchase && isSimple(purchase) ? purchaseDocument(purchase, company) : undefined
  },
  'advanced-purchase': (company, query) => {
    const purchase = company.purchases.find(({ ID }) => ID === query['id'])
    return purchase && !isSimple(purchase) ? purchaseDocument(purchase, company) : undefined
  },
  stockadjustment: taskDocument('adjustment', adjustmentDocument),
  stocktake: taskDocument('stocktake', stocktakeDocument),
  stocktransfer: taskDocument('transfer', transferDocument),
  inventorywriteoff: taskDocument('writeOff', writeOffDocument),
  finishedgoods: taskDocument('assembly', assemblyDocument),
  disassembly: taskDocument('disassembly', disassemblyDocument),
  moneyoperation: taskDocument('money', (task, company) =>
    isBankTransfer(task) ? undefined : moneyDocument(task, company),
  ),
  banktransfer: taskDocument('money', (task, company) =>
    isBankTransfer(task) ? bankTransferDocument(task, company) : undefined,
  ),
  // This document is wrapped in a list.
  'production/order': taskDocument('production', (task, company) => ({
    ProductionOrders: [productionDocument(task, company)],
  })),
}

function taskDocument(kind: Cin7TaskKind, document: (task: Cin7Task, company: Cin7Company) => Cin7Row | undefined) {
  return (company: Cin7Company, query: Cin7Query): Cin7Row | undefined => {
    const task = company.tasks[kind].find(({ ID }) => ID === (query['taskid'] ?? query['productionorderid']))
    return task && document(task, company)
  }
}
