/** Every path of the simulated API: what it lists, by which name, and which filter it honours. Other filters are ignored, as by Cin7. */
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
import type { Company, Task, TaskKind } from './company.ts'
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
import type { Row } from './write.ts'

export interface World {
  readonly company: Company
  /** Where the company's history begins, in milliseconds since 1970. */
  readonly foundedAt: number
}

export type Query = Readonly<Record<string, string>>

export interface Listed {
  readonly key: string
  /** `since`: only what changed from then on, where the path has a parameter for it; else the beginning of time. */
  rows(world: World, since: number): readonly Row[]
  /** The name, in lower case, of the parameter that asks for changes. */
  readonly since?: 'updatedsince' | 'modifiedsince'
  /** Rows with this status are shown only to those who ask for them. */
  readonly hides?: 'Deprecated'
  /** Lists within a row that are empty for those who do not ask for them, by the name of the parameter in lower case. */
  readonly includes?: Readonly<Record<string, readonly string[]>>
  /** Rows are asked for by this column: those after `FromDate` and before `ToDate`. */
  readonly days?: string
  /** `untold`: the answer does not say how many rows there are. */
  readonly total?: 'untold'
}

/** A list that depends on the company alone. */
const of = (
  key: string,
  rows: (company: Company, foundedAt: number) => readonly Row[],
  more: Partial<Listed> = {},
): Listed => ({
  key,
  rows: ({ company, foundedAt }) => rows(company, foundedAt),
  ...more,
})

/** The newest come first, so that a new one moves every other by a place, across the borders of pages. */
const newestFirst = <T extends { readonly updatedAt: number }>(items: readonly T[], since: number): T[] =>
  items.filter(({ updatedAt }) => updatedAt >= since).toReversed()

const modified = <T extends { readonly modifiedAt: number }>(items: readonly T[], since: number): T[] =>
  items.filter(({ modifiedAt }) => modifiedAt >= since)

const tasks = (key: string, kind: TaskKind, row: (task: Task, company: Company) => Row): Listed =>
  of(key, (company) => company.tasks[kind].map((task) => row(task, company)))

/** By the path in lower case. */
export const lists: Readonly<Record<string, Listed>> = {
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
  'crm/task': of('Tasks', crmTaskRows),
  'crm/workflow': of('Workflows', workflowRows),
  'ref/productavailability': of('ProductAvailabilityList', (company) =>
    company.products.flatMap((product) => availabilityRows(product, company)),
  ),
  'ref/account': of('AccountsList', accountRows),
  'ref/account/bank': of('BankAccountsList', bankRows),
  'ref/tax': of('TaxRuleList', taxRows),
  'ref/paymentterm': of('PaymentTermList', termRows),
  'ref/location': of('LocationList', locationRows),
  'ref/category': of('CategoryList', ({ categories }) => categories.map((category) => ({ ...category }))),
  'ref/brand': of('BrandList', ({ brands }) => brands.map((brand) => ({ ...brand }))),
  'ref/unit': of('UnitList', unitRows),
  'ref/carrier': of('CarrierList', carrierRows),
  'ref/attributeset': of('AttributeSetList', attributeSetRows),
  'ref/fixedassettype': of('FixedAssetTypeList', fixedAssetTypeRows),
  'ref/pricetier': of('PriceTiers', priceTierRows, { total: 'untold' }),
  'ref/customer/credits': of('CustomerCredits', creditRows, { total: 'untold' }),
  'ref/supplier/deposits': of('SupplierDeposits', depositRows, { total: 'untold' }),
  'reference/deals': of('Deals', dealRows, { total: 'untold' }),
  'reference/discount': of('DiscountRules', discountRows),
  'reference/shipzones': of('ShipZones', shipZoneRows),
  'me/addresses': of('MeAddressesList', ownAddressRows),
  'me/contacts': of('MeContactsList', ownContactRows),
  stockadjustmentlist: tasks('StockAdjustmentList', 'adjustment', adjustmentRow),
  // The key is that of adjustments here, too.
  stocktakelist: tasks('StockAdjustmentList', 'stocktake', stocktakeRow),
  stocktransferlist: tasks('StockTransferList', 'transfer', transferRow),
  inventorywriteofflist: tasks('InventoryWriteOffs', 'writeOff', writeOffRow),
  finishedgoodslist: tasks('FinishedGoods', 'assembly', assemblyRow),
  disassemblylist: tasks('Disassemblies', 'disassembly', disassemblyRow),
  moneytasklist: tasks('MoneyTasks', 'money', moneyRow),
  'production/orderlist': tasks('ProductionOrders', 'production', productionRow),
  journal: of('Journals', journalRows),
  transactions: of('Transactions', transactionRows, { days: 'EffectiveDate' }),
}

/** The document that is asked for, by path in lower case; undefined where there is none. */
export const documents: Readonly<Record<string, (company: Company, query: Query) => Row | undefined>> = {
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
  // This one comes in a list.
  'production/order': taskDocument('production', (task, company) => ({
    ProductionOrders: [productionDocument(task, company)],
  })),
}

function taskDocument(kind: TaskKind, document: (task: Task, company: Company) => Row | undefined) {
  return (company: Company, query: Query): Row | undefined => {
    const task = company.tasks[kind].find(({ ID }) => ID === (query['taskid'] ?? query['productionorderid']))
    return task && document(task, company)
  }
}
