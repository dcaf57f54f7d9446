/**
 * What a target must hold of a simulated Cin7 Core, worked out from the documents alone: every value of every document
 * under the snake-case name of its key. It knows nothing of how the source declares its tables, so that the two can be
 * compared.
 */
import type { Cin7Simulator } from '@tributary/sims/cin7/server'

type Cin7Node = Readonly<Record<string, unknown>>
export type TargetCin7Row = Readonly<Record<string, unknown>>

/** Paths within a document whose objects are rows, with the section that distinguishes them. */
type RowPaths = Readonly<Record<string, string>>

interface Cin7Table {
  readonly table: string
  /** The path of the list. Its rows are the documents, unless `document` gives each a separate path. */
  readonly list: string
  readonly document?: (row: Cin7Node) => readonly [path: string, query: Readonly<Record<string, string>>]
  /** The column that names the document in its child tables, and the key of its value. */
  readonly id?: readonly [column: string, key: string]
  readonly children?: Readonly<Record<string, RowPaths>>
}

const of = (table: string, list: string, children: Cin7Table['children'] = {}, key = 'ID'): Cin7Table => ({
  table,
  list,
  id: [key === 'ID' ? `${table}_id` : snake(key), key],
  children,
})
const task = (
  table: string,
  list: string,
  document: (row: Cin7Node) => string,
  children: Cin7Table['children'],
): Cin7Table => ({
  ...of(table, list, children, 'TaskID'),
  document: (row) => [document(row), { taskid: String(row['TaskID']) }],
})
const ledgerEntries: RowPaths = { entry: 'Transactions' }

const deal = { order: 'Order', credit_note: 'CreditNote' }
const kinds: readonly Cin7Table[] = [
  of('account', 'ref/account'),
  of('bank_account', 'ref/account/bank'),
  of('payment_term', 'ref/paymentterm'),
  of('tax_rule', 'ref/tax', { tax_component: { component: 'Components' } }),
  of('category', 'ref/category'),
  of('brand', 'ref/brand'),
  of('unit', 'ref/unit'),
  of('carrier', 'ref/carrier'),
  of('price_tier', 'ref/pricetier'),
  of('fixed_asset_type', 'ref/fixedassettype'),
  of('attribute_set', 'ref/attributeset', { attribute_set_attribute: { a: 'Attributes' } }),
  of('location', 'ref/location', { location_bin: { a: 'Bins' } }),
  of('product_availability', 'ref/productavailability'),
  of('product', 'product', {
    product_supplier: { a: 'Suppliers' },
    product_reorder_level: { a: 'ReorderLevels' },
    product_bom_line: { a: 'BillOfMaterialsProducts' },
    product_bom_service: { a: 'BillOfMaterialsServices' },
    product_custom_price: { a: 'CustomPrices' },
  }),
  of('product_family', 'productfamily', { product_family_product: { a: 'Products' } }),
  of('customer', 'customer', {
    customer_address: { a: 'Addresses' },
    customer_contact: { a: 'Contacts' },
    customer_price: { a: 'ProductPrices' },
  }),
  of('supplier', 'supplier', { supplier_address: { a: 'Addresses' }, supplier_contact: { a: 'Contacts' } }),
  of('customer_credit', 'ref/customer/credits'),
  of('supplier_deposit', 'ref/supplier/deposits'),
  of('lead', 'crm/lead', { lead_address: { a: 'Addresses' }, lead_contact: { a: 'Contacts' } }),
  of('opportunity', 'crm/opportunity', {
    opportunity_line: { a: 'Lines' },
    opportunity_charge: { a: 'AdditionalCharges' },
  }),
  of('crm_task', 'crm/task'),
  of('crm_workflow', 'crm/workflow', { crm_workflow_step: { a: 'Steps' } }),
  of('discount_rule', 'reference/discount', { discount_rule_line: { a: 'DiscountLines' } }),
  of('deal', 'reference/deals', {
    deal_customer: { a: 'DealCustomers' },
    deal_customer_tag: { a: 'DealCustomerTags' },
    deal_discount: { a: 'DealDiscounts' },
    deal_discount_brand: { a: 'DealDiscounts.DealDiscountBrands' },
    deal_discount_category: { a: 'DealDiscounts.DealDiscountCategories' },
    deal_discount_product: { a: 'DealDiscounts.DealDiscountProducts' },
    deal_discount_tag: { a: 'DealDiscounts.DealDiscountTags' },
  }),
  of('ship_zone', 'reference/shipzones', { ship_zone_area: { a: 'AppliesTo' } }, 'ZoneID'),
  of('own_address', 'me/addresses'),
  of('own_contact', 'me/contacts'),
  of('journal', 'journal', { journal_line: { a: 'Lines' } }, 'TaskID'),
  of('sale_list', 'salelist'),
  of('sale_credit_note_list', 'salecreditnotelist'),
  of('purchase_list', 'purchaselist'),
  of('purchase_credit_note_list', 'purchasecreditnotelist'),
  {
    table: 'sale',
    list: 'salelist',
    document: (row) => ['sale', { id: String(row['SaleID']), includetransactions: 'true' }],
    id: ['sale_id', 'ID'],
    children: {
      sale_line: {
        quote: 'Quote.Lines',
        order: 'Order.Lines',
        invoice: 'Invoices.Lines',
        credit_note: 'CreditNotes.Lines',
      },
      sale_charge: {
        quote: 'Quote.AdditionalCharges',
        order: 'Order.AdditionalCharges',
        invoice: 'Invoices.AdditionalCharges',
        credit_note: 'CreditNotes.AdditionalCharges',
      },
      sale_payment: { quote: 'Quote.Prepayments', invoice: 'Invoices.Payments', credit_note: 'CreditNotes.Refunds' },
      sale_invoice: { a: 'Invoices' },
      sale_credit_note: { a: 'CreditNotes' },
      sale_fulfilment: { a: 'Fulfilments' },
      sale_fulfilment_line: {
        pick: 'Fulfilments.Pick.Lines',
        pack: 'Fulfilments.Pack.Lines',
        restock: 'CreditNotes.Restock',
      },
      sale_shipment: { a: 'Fulfilments.Ship.Lines' },
      sale_journal_line: { a: 'ManualJournals.Lines' },
      sale_movement: { a: 'InventoryMovements' },
      sale_ledger_entry: { a: 'Transactions' },
    },
  },
  {
    table: 'purchase',
    list: 'purchaselist',
    document: (row) => [
      row['Type'] === 'Simple Purchase' ? 'purchase' : 'advanced-purchase',
      { id: String(row['ID']) },
    ],
    id: ['purchase_id', 'ID'],
    children: {
      purchase_line: { order: 'Order.Lines', invoice: 'Invoice.Lines', credit_note: 'CreditNote.Lines' },
      purchase_charge: Object.fromEntries(
        Object.entries({ ...deal, invoice: 'Invoice' }).map(([section, place]) => [
          section,
          `${place}.AdditionalCharges`,
        ]),
      ),
      purchase_payment: { order: 'Order.Prepayments', invoice: 'Invoice.Payments', credit_note: 'CreditNote.Refunds' },
      purchase_invoice: { a: 'Invoice' },
      purchase_credit_note: { a: 'CreditNote' },
      purchase_stage: { receipt: 'StockReceived', put_away: 'PutAway', journal: 'ManualJournals' },
      purchase_receipt_line: {
        receipt: 'StockReceived.Lines',
        put_away: 'PutAway.Lines',
        unstock: 'CreditNote.Unstock',
      },
      purchase_journal_line: { a: 'ManualJournals.Lines' },
      purchase_movement: { a: 'InventoryMovements' },
    },
  },
  task('stock_adjustment', 'stockadjustmentlist', () => 'stockadjustment', {
    stock_adjustment_line: { existing: 'ExistingStockLines', new: 'NewStockLines' },
    stock_adjustment_ledger_entry: ledgerEntries,
  }),
  task('stock_take', 'stocktakelist', () => 'stocktake', {
    stock_take_line: { existing: 'NonZeroStockOnHandProducts', new: 'ZeroStockOnHandProducts' },
    stock_take_ledger_entry: ledgerEntries,
  }),
  task('stock_transfer', 'stocktransferlist', () => 'stocktransfer', {
    stock_transfer_line: { order: 'Order.Lines', transfer: 'Lines' },
  }),
  task('inventory_write_off', 'inventorywriteofflist', () => 'inventorywriteoff', {
    inventory_write_off_line: { a: 'Lines' },
    inventory_write_off_ledger_entry: ledgerEntries,
  }),
  task('assembly', 'finishedgoodslist', () => 'finishedgoods', {
    assembly_order_line: { a: 'OrderLines' },
    assembly_pick_line: { a: 'PickLines' },
    assembly_ledger_entry: ledgerEntries,
  }),
  task('disassembly', 'disassemblylist', () => 'disassembly', {
    disassembly_order_line: { a: 'OrderLines' },
    disassembly_service_line: { a: 'OrderServiceLines' },
    disassembly_pick_line: { a: 'PickLines' },
    disassembly_ledger_entry: ledgerEntries,
  }),
  task(
    'money_task',
    'moneytasklist',
    (row) => (row['TaskType'] === 'Bank Transfer' ? 'banktransfer' : 'moneyoperation'),
    {
      money_task_line: { a: 'Lines' },
      money_task_ledger_entry: ledgerEntries,
    },
  ),
  {
    table: 'production_order',
    list: 'production/orderlist',
    document: (row) => ['production/order', { productionorderid: String(row['ProductionOrderID']) }],
    id: ['production_order_id', 'ProductionOrderID'],
    children: {
      production_order_operation: { a: 'Operations' },
      production_order_component: { a: 'Operations.Components' },
      production_order_resource: { a: 'Operations.Resources' },
    },
  },
  { table: 'ledger_entry', list: 'transactions' },
]

/** Every table with its rows, each value under the name of its column. */
export function expectedRows(sim: Cin7Simulator): ReadonlyMap<string, readonly TargetCin7Row[]> {
  const tables = new Map<string, TargetCin7Row[]>()
  for (const { table, list, document, id, children = {} } of kinds) {
    const documents = sim
      .readRows(list)
      .map((row) => (document === undefined ? row : { ...taskRow(row, table), ...unwrapped(sim, document(row)) }))
    const elsewhere = Object.values(children).flatMap((places) => Object.values(places))
    tables.set(
      table,
      documents.map((each) => columnsOf(each, elsewhere)),
    )
    for (const [child, places] of Object.entries(children)) {
      tables.set(
        child,
        documents.flatMap((each) =>
          childRows(each, places, elsewhere).map((row) => ({ ...row, ...(id && { [id[0]]: each[id[1]] }) })),
        ),
      )
    }
  }
  return tables
}

/** Sales and purchases come from their documents alone. */
function taskRow(row: Cin7Node, table: string): Cin7Node {
  return table === 'sale' || table === 'purchase' ? {} : row
}

function unwrapped(sim: Cin7Simulator, [path, query]: readonly [string, Readonly<Record<string, string>>]): Cin7Node {
  const [document = {}] = sim.readRows(path, query) as readonly Cin7Node[]
  const orders = document['ProductionOrders']
  if (Array.isArray(orders)) return orders[0] as Cin7Node
  // The reply for a simple purchase is nested one level deeper.
  const credit = document['CreditNote'] as
    | { readonly Unstock?: { readonly Status?: unknown; readonly Lines?: unknown } }
    | null
    | undefined
  if (credit?.Unstock?.Lines === undefined) return document
  const { Status, Lines } = credit.Unstock
  return { ...document, CreditNote: { ...credit, UnstockStatus: Status, Unstock: Lines } }
}

/** @param elsewhere the paths of all tables of the document */
function childRows(document: Cin7Node, places: RowPaths, elsewhere: readonly string[]): TargetCin7Row[] {
  return Object.entries(places).flatMap(([section, place]) => {
    const deeper = elsewhere.flatMap((other) => (other.startsWith(`${place}.`) ? [other.slice(place.length + 1)] : []))
    return nodesAt(document, place.split('.')).map(({ node, steps }) => {
      const before = steps.slice(0, -1)
      const named = /^(Order|Quote)\./.test(place) ? 0 : 1
      const number = before.length === 0 ? (steps[0] ?? 1) || 1 : (before.find((step) => step > 0) ?? named)
      return { ...columnsOf(node, deeper), section, section_no: number, ordinal: (steps.at(-1) ?? 1) || 1 }
    })
  })
}

/** `steps` has the index in each list along the path, from 1, or 0 for an object that is not in a list. */
function nodesAt(
  node: Cin7Node,
  [key, ...rest]: readonly string[],
  steps: readonly number[] = [],
): { node: Cin7Node; steps: readonly number[] }[] {
  if (key === undefined) return [{ node, steps }]
  const value = node[key]
  if (Array.isArray(value))
    return value.flatMap((item, index) => nodesAt(item as Cin7Node, rest, [...steps, index + 1]))
  return typeof value === 'object' && value !== null ? nodesAt(value as Cin7Node, rest, [...steps, 0]) : []
}

/**
 * Returns every value under its path. An object is also included as a whole, because a table may store it as JSON.
 * Values at `elsewhere` are rows of other tables.
 */
function columnsOf(node: Cin7Node, elsewhere: readonly string[], within = ''): TargetCin7Row {
  const columns: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    const path = `${within}${key}`
    if (elsewhere.includes(path)) continue
    columns[path.split('.').map(snake).join('_')] = value
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      Object.assign(columns, columnsOf(value as Cin7Node, elsewhere, `${path}.`))
  }
  return columns
}

function snake(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
