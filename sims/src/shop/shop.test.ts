import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { changeShop, createShop } from './shop.ts'

const server = inject('postgres')
const databases = ['sim_shop_one', 'sim_shop_two'] as const
const clients: Client[] = []

beforeAll(async () => {
  const admin = new Client({ ...server, database: 'postgres' })
  await admin.connect()
  for (const database of databases) {
    await admin.query(`drop database if exists ${database}`)
    await admin.query(`create database ${database}`)
    const client = new Client({ ...server, database })
    await client.connect()
    clients.push(client)
  }
  await admin.end()
})
afterAll(() => Promise.all(clients.map((client) => client.end())))

test('the same seed and steps generate the same shop, orders equal the sum of their lines, and each step changes something', async () => {
  for (const client of clients) await createShop(client, { seed: 3, customers: 40, products: 30, orders: 200 })
  for (let step = 1; step <= 12; step += 1) {
    const [one, two] = await Promise.all(clients.map((client) => changeShop(client, { seed: 3, step })))
    expect(one).toEqual(two)
    expect(one?.inserted).toBeGreaterThan(1)
    expect(one?.updated).toBeGreaterThan(1)
    if (step % 3 === 0) expect(one?.deleted).toBeGreaterThan(1)
  }
  const [one, two] = await Promise.all(clients.map(fingerprint))
  expect(one).toEqual(two)
  const wrong = await clients[0]?.query(
    'select o.id from shop.orders o join shop.order_lines l on l.order_id = o.id group by o.id having sum(l.amount) <> o.total',
  )
  expect(wrong?.rows).toEqual([])
})

async function fingerprint(client: Client): Promise<unknown> {
  const found = await client.query(`
    select (select md5(string_agg((id, public_id, customer_id, status, total, exchange_rate)::text, ',' order by id)) from shop.orders) as orders,
      (select md5(string_agg((order_id, line_no, product_id, amount)::text, ',' order by order_id, line_no)) from shop.order_lines) as lines,
      (select md5(string_agg((id, price, cost)::text, ',' order by id)) from shop.products) as products,
      (select md5(string_agg((id, name, preferences)::text, ',' order by id)) from shop.customers) as customers,
      (select count(*) > 0 from shop.sales_by_country) as view`)
  return found.rows[0]
}
