/** Nested fields of the simulated company's documents, each compared with its cell. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectCin7 } from '@tributary/testing/engine/apis/cin7-connector.ts'
import type { Cin7Connector } from '@tributary/testing/engine/apis/cin7-connector.ts'

type DocumentNode = Readonly<Record<string, unknown>>

const size = {
  products: 20,
  customers: 5,
  suppliers: 3,
  sales: 24,
  purchases: 20,
  salesMax: 30,
  purchasesMax: 24,
  tasks: 4,
}

let cin7: Cin7Connector
beforeAll(async () => {
  cin7 = await connectCin7({ size })
  await cin7.run()
})
afterAll(() => cin7[Symbol.asyncDispose]())

/** The full documents of a list. */
function documents(
  list: string,
  path: (row: DocumentNode) => string,
  id: readonly [parameter: string, key: string],
): DocumentNode[] {
  return cin7.sim.readRows(list).flatMap((row) => cin7.sim.readRows(path(row), { [id[0]]: String(row[id[1]]) }))
}
const sales = (): DocumentNode[] => documents('salelist', () => 'sale', ['id', 'SaleID'])
const purchases = (): DocumentNode[] =>
  documents('purchaselist', ({ Type }) => (Type === 'Simple Purchase' ? 'purchase' : 'advanced-purchase'), ['id', 'ID'])

/** The objects at a path, through nested lists. */
function at(nodes: readonly unknown[], ...path: readonly string[]): DocumentNode[] {
  const found = nodes.flat().filter((node): node is DocumentNode => typeof node === 'object' && node !== null)
  const [key, ...rest] = path
  return key === undefined
    ? found
    : at(
        found.map((node) => node[key]),
        ...rest,
      )
}

const cells = (nodes: readonly DocumentNode[], ...keys: readonly string[]): string[] =>
  nodes.map((node) => JSON.stringify(keys.map((key) => textOf(node[key])))).toSorted()
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

async function expectCells(sql: string, nodes: readonly DocumentNode[], ...keys: readonly string[]): Promise<void> {
  const rows = (await cin7.query(sql)).map((row) => JSON.stringify(Object.values(row).map(textOf)))
  expect(rows.toSorted()).toEqual(cells(nodes, ...keys))
  expect(new Set(rows).size).toBeGreaterThan(1)
}

const address = ['DisplayAddressLine1', 'DisplayAddressLine2', 'Line1', 'Line2', 'City', 'State', 'Postcode', 'Country']
const columnsOf = (prefix: string, more = ''): string =>
  ['display_address_line1', 'display_address_line2', 'line1', 'line2', 'city', 'state', 'postcode', 'country']
    .map((part) => `${prefix}_${part}`)
    .join() + more.replaceAll(',', `,${prefix}_`)

test('[ENG-1] the addresses of a sale and of a purchase have columns in addition to the JSON', async () => {
  const shipping = [...address, 'Company', 'Contact', 'ShipToOther']
  const more = ',company,contact,ship_to_other'
  await expectCells(`select ${columnsOf('billing_address')} from sale`, at(sales(), 'BillingAddress'), ...address)
  await expectCells(
    `select ${columnsOf('shipping_address', more)} from sale`,
    at(sales(), 'ShippingAddress'),
    ...shipping,
  )
  await expectCells(
    `select ${columnsOf('billing_address')} from purchase`,
    at(purchases(), 'BillingAddress'),
    ...address,
  )
  await expectCells(
    `select ${columnsOf('shipping_address', more)} from purchase`,
    at(purchases(), 'ShippingAddress'),
    ...shipping,
  )
  const json = `select shipping_address->>'Line1' = shipping_address_line1 as same, count(*)::int from sale group by 1`
  expect(await cin7.query(json)).toEqual([{ same: true, count: size.sales }])
  await expectCells(
    'select billing_address_line1, billing_address_line2 from sale_invoice',
    at(sales(), 'Invoices'),
    'BillingAddressLine1',
    'BillingAddressLine2',
  )
})

test('[ENG-1] a shipment has a separate address, which may differ from that of its sale', async () => {
  await expectCells(
    `select ${columnsOf('ship_shipping_address', ',company,contact,ship_to_other')} from sale_fulfilment`,
    at(sales(), 'Fulfilments', 'Ship', 'ShippingAddress'),
    ...address,
    'Company',
    'Contact',
    'ShipToOther',
  )
  const others =
    'select 1 from sale_fulfilment f join sale s on s.id = f.sale_id where ship_shipping_address_line1 <> shipping_address_line1'
  expect((await cin7.query(others)).length).toBeGreaterThan(0)
})

test('[ENG-1] locations and bins have their pick zones, parent location and deprecation flag', async () => {
  const locations = cin7.sim.readRows('ref/location')
  await expectCells(
    'select name, pick_zones, parent_name, deprecated, allow_reorder from location',
    locations,
    'Name',
    'PickZones',
    'ParentName',
    'IsDeprecated',
    'AllowReorder',
  )
  await expectCells('select name, is_deprecated from location_bin', at(locations, 'Bins'), 'Name', 'IsDeprecated')
})

test('[ENG-1] the products, brands, categories and tags of a deal and its customers have rows in addition to the JSON', async () => {
  const deals = cin7.sim.readRows('reference/deals')
  const of = (key: string): DocumentNode[] => at(deals, 'DealDiscounts', key)
  const [products, brands] = [of('DealDiscountProducts'), of('DealDiscountBrands')]
  await expectCells(
    `select deal_discount_product_id, product_id, product_sku, product_name, is_family from deal_discount_product`,
    products,
    'ID',
    'ProductID',
    'ProductSKU',
    'ProductName',
    'IsFamily',
  )
  const joined = `select t.tag_name, d.sequence, p.tag_name as customers, d.tags->0->>'TagName' as json, b.brand_id, c.category_name
    from deal_discount_tag t join deal_discount d on d.deal_id = t.deal_id and d.ordinal = t.section_no
    join deal_customer_tag p on p.deal_id = d.deal_id
    join deal_discount_brand b on b.deal_id = d.deal_id join deal_discount_category c on c.deal_id = d.deal_id and c.section_no = b.section_no`
  expect(await cin7.query(joined)).toEqual([
    {
      tag_name: 'Summer',
      sequence: 1,
      customers: 'Regulars',
      json: 'Summer',
      brand_id: brands[0]?.['BrandID'],
      category_name: of('DealDiscountCategories')[0]?.['CategoryName'],
    },
  ])
  await expectCells(
    'select customer_id, customer_name from deal_customer',
    at(deals, 'DealCustomers'),
    'CustomerID',
    'CustomerName',
  )
})

test('[ENG-1] the workflows of the CRM arrive with their steps in order', async () => {
  const workflows = cin7.sim.readRows('crm/workflow')
  const keys = ['Name', 'EntityType', 'DueDaysType', 'IsActive']
  await expectCells('select name, entity_type, due_days_type, is_active from crm_workflow', workflows, ...keys)
  const steps = 'select name, category, days, start_time, end_time, skip_holiday, user_name from crm_workflow_step'
  await expectCells(
    steps,
    at(workflows, 'Steps'),
    'Name',
    'Category',
    'Days',
    'StartTime',
    'EndTime',
    'SkipHoliday',
    'UserName',
  )
  const first = `select string_agg(s.name, ', ' order by ordinal) as names from crm_workflow_step s
    join crm_workflow w on w.id = s.crm_workflow_id where w.name = 'Win them back'`
  expect(await cin7.query(first)).toEqual([{ names: 'Call them, Write to them' }])
})

test('[ENG-1] a line that was received, put away or returned has the card of its batch', async () => {
  const all = purchases()
  const unstocked = at(all, 'CreditNote', 'Unstock').flatMap((node) => ('Lines' in node ? at([node], 'Lines') : [node]))
  const lines = [...at(all, 'StockReceived', 'Lines'), ...at(all, 'PutAway', 'Lines'), ...unstocked]
  await expectCells(
    'select card_id, product_id, quantity::float8 from purchase_receipt_line',
    lines,
    'CardID',
    'ProductID',
    'Quantity',
  )
  const returned = `select 1 from purchase_receipt_line back join purchase_receipt_line came using (purchase_id, card_id)
    where back.section = 'unstock' and came.section = 'receipt'`
  expect(await cin7.query(returned)).toHaveLength(unstocked.length)
  expect(unstocked.length).toBeGreaterThan(0)
})

const sizes = ['ProductWeight', 'WeightUnits', 'ProductHeight', 'ProductLength', 'ProductWidth', 'DimensionsUnits']
const sizeColumns = `product_weight::float8, weight_units, product_height::float8, product_length::float8, product_width::float8, dimensions_units`
const ofTasks = (list: string, path: string): DocumentNode[] => documents(list, () => path, ['taskid', 'TaskID'])

test.each([
  ['sale_line', () => ['Quote', 'Order', 'Invoices', 'CreditNotes'].flatMap((part) => at(sales(), part, 'Lines'))],
  ['purchase_line', () => ['Order', 'Invoice', 'CreditNote'].flatMap((part) => at(purchases(), part, 'Lines'))],
  ['sale_movement', () => at(sales(), 'InventoryMovements')],
  [
    'stock_adjustment_line',
    () =>
      ['ExistingStockLines', 'NewStockLines'].flatMap((key) =>
        at(ofTasks('stockadjustmentlist', 'stockadjustment'), key),
      ),
  ],
  [
    'stock_take_line',
    () =>
      ['NonZeroStockOnHandProducts', 'ZeroStockOnHandProducts'].flatMap((key) =>
        at(ofTasks('stocktakelist', 'stocktake'), key),
      ),
  ],
  [
    'stock_transfer_line',
    () => [
      ...at(ofTasks('stocktransferlist', 'stocktransfer'), 'Order', 'Lines'),
      ...at(ofTasks('stocktransferlist', 'stocktransfer'), 'Lines'),
    ],
  ],
] as const)('[ENG-1] a row of %s says how large and heavy its product is', async (table, nodes) => {
  await expectCells(`select product_id, ${sizeColumns} from ${table}`, nodes(), 'ProductID', ...sizes)
  expect(
    (await cin7.query(`select 1 from ${table} where product_weight > 0 and product_height > 0`)).length,
  ).toBeGreaterThan(0)
})

test('[ENG-1] customer prices are requested explicitly, because Cin7 Core omits them by default', async () => {
  await expectCells(
    'select product_id, price::float8 from customer_price',
    at(cin7.sim.readRows('customer'), 'ProductPrices'),
    'ProductID',
    'Price',
  )
  const asked = cin7.sim.requests.filter(({ path }) => path === 'customer')
  expect(asked.some(({ query }) => query['includeproductprices'] === 'true')).toBe(true)
})

test('[ENG-1] after an update, columns that are new in this release are filled once for rows that have not changed', async () => {
  await using simulation = await connectCin7({ size })
  await simulation.run()
  const news = {
    sale: 'billing_address_city',
    sale_fulfilment: 'ship_shipping_address_line1',
    sale_line: 'product_weight',
    purchase: 'shipping_address_company',
    purchase_receipt_line: 'card_id',
    customer: 'customer_parent_id',
    location: 'pick_zones',
    stock_adjustment_line: 'product_height',
    stock_take_line: 'weight_units',
    stock_transfer_line: 'product_weight',
    production_order: 'source_name',
  }
  for (const [table, column] of Object.entries(news))
    await simulation.target.run(`alter table ${table} drop column ${column}`)
  await simulation.target.run('delete from customer_price')
  await simulation.target.run('drop table deal_discount_tag')
  simulation.clock.advance(3_600_000)
  expect(await simulation.run()).toMatchObject({ status: 'completed', fault: null })
  expect(await simulation.differences()).toEqual([])
  const before = simulation.sim.requests.length
  simulation.clock.advance(3_600_000)
  expect(await simulation.run()).toMatchObject({ status: 'completed', fault: null })
  expect(simulation.sim.requests.slice(before).filter(({ query }) => query['id'] !== undefined)).toEqual([])
})
