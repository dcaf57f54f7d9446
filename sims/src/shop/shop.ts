/** A web shop's PostgreSQL database that keeps changing, as a source for trial mode and tests. */
import { createRandom } from '../random.ts'
import type { Random } from '../random.ts'
import { adjectives, firstNames, kinds, lastNames, makers, things } from '../fictional-names.ts'
import { schemaSql } from './schema.ts'

/** A client of `pg`, connected to the shop's own database and not used by others at the same time. */
export interface ShopClient {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>
}

export interface ShopSize {
  readonly seed: number
  readonly customers: number
  readonly products: number
  readonly orders: number
}

/**
 * Creates the schema `shop` and fills it. The same seed generates the same rows, except for timestamps, which end
 * today.
 */
export async function createShop(client: ShopClient, { seed, customers, products, orders }: ShopSize): Promise<void> {
  const random = createRandom(seed)
  await inTransaction(client, async () => {
    await client.query(schemaSql)
    await insertCustomers(
      client,
      Array.from({ length: customers }, (_, index) => makeCustomer(random, index)),
    )
    const shelf = Array.from({ length: products }, (_, index) => makeProduct(random, index))
    await insertProducts(client, shelf)
    const made = Array.from({ length: orders }, (_, index) =>
      makeOrder(random, { index, customers, shelf, ageS: Math.floor(((orders - index) / orders) * 90 * 86_400) }),
    )
    for (let at = 0; at < made.length; at += 5_000) await insertOrders(client, made.slice(at, at + 5_000))
    for (const table of ['customers', 'products', 'orders']) {
      await client.query(
        `select setval(pg_get_serial_sequence('shop.${table}', 'id'), coalesce(max(id), 1)) from shop.${table}`,
      )
    }
  })
}

export interface ShopChanges {
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
}

/**
 * Simulates one step in a transaction: orders arrive, advance and vanish; prices and customers change.
 * Returns the number of changed rows over all tables.
 */
export async function changeShop(
  client: ShopClient,
  { seed, step }: { seed: number; step: number },
): Promise<ShopChanges> {
  const random = createRandom(seed * 1_000_003 + step)
  return inTransaction(client, async () => {
    const inserted = await addOrders(client, random)
    const updated =
      (await count(client, nextStatusSql, [random.between(1, 3), random.next()])) +
      (await count(client, priceSql, [random.between(-40, 60), random.next()])) +
      (await count(client, customerSql, [step, random.next()]))
    const deleted = step % 3 === 0 ? await removeOrder(client, random) : 0
    return { inserted, updated, deleted }
  })
}

const nextStatusSql = `
  update shop.orders o
  set status = case o.status when 'new' then 'paid' when 'paid' then 'shipped' else 'closed' end,
      shipped_on = case o.status when 'paid' then current_date else o.shipped_on end,
      updated_at = clock_timestamp()
  where o.id in (
    select id from shop.orders where status in ('new', 'paid', 'shipped') order by id
    offset floor($2::float8 * (select count(*) from shop.orders where status in ('new', 'paid', 'shipped'))) limit $1)`
const priceSql = `
  update shop.products
  set price = greatest(price + $1::integer / 100.0, 0.01), updated_at = clock_timestamp()
  where id = (select id from shop.products order by id offset floor($2::float8 * (select count(*) from shop.products)) limit 1)`
const customerSql = `
  update shop.customers
  set preferences = preferences || jsonb_build_object('visits', $1::integer), updated_at = clock_timestamp()
  where id = (select id from shop.customers order by id offset floor($2::float8 * (select count(*) from shop.customers)) limit 1)`

async function addOrders(client: ShopClient, random: Random): Promise<number> {
  const known = await client.query(`
    select (select max(id) from shop.customers)::integer as customers, (select max(id) from shop.orders)::integer as orders,
      (select json_agg(json_build_object('id', id, 'cents', (price * 100)::integer) order by id) from shop.products where is_active) as shelf`)
  const { customers, orders, shelf } = known.rows[0] as {
    customers: number
    orders: number | null
    shelf: StockedProduct[]
  }
  const made = Array.from({ length: random.between(1, 3) }, (_, at) =>
    makeOrder(random, { index: (orders ?? 0) + at, customers, shelf, ageS: 0 }),
  )
  await insertOrders(client, made)
  return made.reduce((sum, { lines }) => sum + 1 + lines.length, 0)
}

async function removeOrder(client: ShopClient, random: Random): Promise<number> {
  const found = await client.query(
    'select id from shop.orders order by id offset floor($1::float8 * (select count(*) from shop.orders)) limit 1',
    [random.next()],
  )
  const [order] = found.rows as { id: string }[]
  if (order === undefined) return 0
  const lines = await count(client, 'delete from shop.order_lines where order_id = $1', [order.id])
  return lines + (await count(client, 'delete from shop.orders where id = $1', [order.id]))
}

function makeCustomer(random: Random, index: number): object {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
  const isCompany = random.next() < 0.2
  return {
    id: index + 1,
    public_id: random.guid(),
    name: isCompany ? `${last} & Co.` : `${first} ${last}`,
    email: random.next() < 0.9 ? `customer${index + 1}@mail.example` : null,
    country: random.pick(['NZ', 'AU', 'GB', 'DE', 'US']),
    born: isCompany
      ? null
      : `${random.between(1938, 2007)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`,
    preferences: {
      newsletter: random.next() < 0.5,
      tags: [random.pick(kinds), random.pick(kinds)],
      note: 'tab\there, "quotes" and a back\\slash',
    },
    is_company: isCompany,
  }
}

interface StockedProduct {
  readonly id: number
  readonly cents: number
}

function makeProduct(random: Random, index: number) {
  const cents = random.between(199, 89_900)
  return {
    id: index + 1,
    cents,
    sku: `SKU-${String(index + 1).padStart(6, '0')}`,
    name: `${random.pick(adjectives)} ${random.pick(things)}`,
    description:
      random.next() < 0.3 ? null : `Made by ${random.pick(makers)}.\nCare: wipe clean — naïve café test 日本語`,
    price: (cents / 100).toFixed(2),
    cost: `${Math.floor(cents * 0.6)}.${String(random.between(0, 999_999)).padStart(6, '0')}`,
    weight_kg: random.next() < 0.1 ? null : random.between(1, 9_999) / 1_000,
    in_stock: random.between(0, 900),
    is_active: random.next() < 0.95,
  }
}

interface ShopOrder {
  readonly lines: readonly object[]
}

function makeOrder(
  random: Random,
  {
    index,
    customers,
    shelf,
    ageS,
  }: { index: number; customers: number; shelf: readonly StockedProduct[]; ageS: number },
) {
  const lines = Array.from({ length: random.between(1, 5) }, (_, at) => {
    const { id, cents } = random.pick(shelf)
    const quantity = random.between(1, 6)
    return {
      order_id: index + 1,
      line_no: at + 1,
      product_id: id,
      quantity,
      cents: cents * quantity,
      unit_price: (cents / 100).toFixed(2),
      amount: ((cents * quantity) / 100).toFixed(2),
    }
  })
  const totalCents = lines.reduce((sum, line) => sum + line.cents, 0)
  return {
    id: index + 1,
    public_id: random.guid(),
    customer_id: random.between(1, customers),
    status: ageS === 0 ? 'new' : random.pick(['paid', 'shipped', 'closed', 'closed', 'cancelled']),
    currency: random.pick(['NZD', 'NZD', 'AUD', 'USD']),
    total: (totalCents / 100).toFixed(2),
    exchange_rate: `0.${random.between(5_000_000_000, 9_999_999_999)}`,
    note: random.next() < 0.1 ? 'Leave at the door.\r\nThank you!' : null,
    age_s: ageS,
    lines,
  }
}

async function insertCustomers(client: ShopClient, customers: readonly object[]): Promise<void> {
  await client.query(
    `insert into shop.customers (id, public_id, name, email, country, born, preferences, is_company, created_at)
     select id, public_id, name, email, country, born, preferences, is_company, now() - interval '200 days'
     from jsonb_to_recordset($1::jsonb) as c (id integer, public_id uuid, name text, email text, country text, born date, preferences jsonb, is_company boolean)`,
    [JSON.stringify(customers)],
  )
}

async function insertProducts(client: ShopClient, products: readonly object[]): Promise<void> {
  await client.query(
    `insert into shop.products (id, sku, name, description, price, cost, weight_kg, in_stock, is_active)
     select id, sku, name, description, price, cost, weight_kg, in_stock, is_active
     from jsonb_to_recordset($1::jsonb) as p (id integer, sku text, name text, description text, price numeric, cost numeric, weight_kg float8, in_stock integer, is_active boolean)`,
    [JSON.stringify(products)],
  )
}

async function insertOrders(client: ShopClient, orders: readonly ShopOrder[]): Promise<void> {
  await client.query(
    `insert into shop.orders (id, public_id, customer_id, status, currency, total, exchange_rate, note, placed_at, updated_at)
     select id, public_id, customer_id, status, currency, total, exchange_rate, note, clock_timestamp() - make_interval(secs => age_s), clock_timestamp()
     from jsonb_to_recordset($1::jsonb) as o (id bigint, public_id uuid, customer_id integer, status text, currency text, total numeric, exchange_rate numeric, note text, age_s float8)`,
    [JSON.stringify(orders)],
  )
  await client.query(
    `insert into shop.order_lines (order_id, line_no, product_id, quantity, unit_price, amount)
     select order_id, line_no, product_id, quantity, unit_price, amount
     from jsonb_to_recordset($1::jsonb) as l (order_id bigint, line_no smallint, product_id integer, quantity integer, unit_price numeric, amount numeric)`,
    [JSON.stringify(orders.flatMap(({ lines }) => lines))],
  )
  await client.query(`select setval(pg_get_serial_sequence('shop.orders', 'id'), max(id)) from shop.orders`)
}

async function count(client: ShopClient, sql: string, values: unknown[]): Promise<number> {
  return (await client.query(sql, values)).rowCount ?? 0
}

async function inTransaction<T>(client: ShopClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
