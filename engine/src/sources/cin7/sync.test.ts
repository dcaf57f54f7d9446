import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Cin7Simulator } from '../../../../sims/src/cin7/server.ts'
import { sync } from '../../sync/run.ts'
import type { SyncOutcome, SyncRequest } from '../../sync/request.ts'
import { postgresTarget } from '../../targets/postgres/target.ts'
import { surroundings } from '../../testing/surroundings.ts'
import { simulated } from '../../testing/simulated-cin7.ts'
import type { Simulated } from '../../testing/simulated-cin7.ts'

const server = inject('postgres')
const database = 'cin7_sync_test'
const size = { products: 120, customers: 30, suppliers: 6, sales: 45, purchases: 25, salesMax: 70, purchasesMax: 40 }
let client: Client

beforeAll(async () => {
  const admin = new Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`drop database if exists ${database} with (force)`)
  await admin.query(`create database ${database}`)
  await admin.end()
  client = new Client({ ...server, database })
  await client.connect()
})
afterAll(() => client.end())

/** One connector's runs, each under a fence above the last. */
interface Connector extends Simulated {
  readonly schema: string
  run(how?: Partial<Pick<SyncRequest, 'wish' | 'signal' | 'report'>> & { runId?: string }): Promise<SyncOutcome>
}

async function connector(options: Parameters<typeof simulated>[0] = { size }): Promise<Connector> {
  const there = await simulated(options)
  const connectorId = randomUUID()
  const schema = `cin7_${connectorId.slice(0, 8)}`
  const address = { ...server, database, sslmode: 'disable' }
  let fence = 0
  return {
    ...there,
    schema,
    async run({ wish = 'incremental', signal = new AbortController().signal, report = () => {}, runId = randomUUID() } = {}) {
      const settings = postgresTarget.parse({ 'target.connectionString': address, 'target.schema': schema })
      await using source = await there.open(signal)
      await using target = await postgresTarget.open(settings, { ...surroundings(signal), clock: there.clock })
      const writer = { connectorId, runId, fence: (fence += 1) }
      return await sync({ source, target, writer, wish, report, tell: () => {}, clock: there.clock, signal })
    },
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  }
}

test('[ENG-1] [ENG-2] a full sync of Cin7 Core brings every document with its lines, to the cent', async () => {
  await using cin7 = await connector()
  expect(await cin7.run()).toMatchObject({ status: 'completed', fault: null })
  expect(await inTarget(cin7.schema)).toEqual(inCompany(cin7.sim))
  expect(cin7.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
})

test('[ENG-1] an incremental sync asks only for what has changed and brings all of it', async () => {
  await using cin7 = await connector()
  await cin7.run()
  for (let hour = 0; hour < 8; hour += 1) {
    cin7.clock.advance(3_600_000)
    cin7.sim.tick()
  }
  cin7.clock.advance(3_600_000)
  const before = cin7.sim.requests.length
  expect(await cin7.run()).toMatchObject({ status: 'completed' })
  expect(await inTarget(cin7.schema)).toEqual(inCompany(cin7.sim))
  const details = cin7.sim.requests.slice(before).filter(({ query }) => query['id'] !== undefined)
  expect(details.length).toBeLessThan(30)
})

test('[ENG-1] a run killed at any call goes on where it was, while the company goes on, and loses and doubles nothing', async () => {
  for (const killAfter of [3, 24, 31, 52]) {
    await using cin7 = await connector()
    const runId = randomUUID()
    for (let kill = 1; kill <= 3; kill += 1) {
      const stop = new AbortController()
      const outcome = await Promise.race([
        cin7.run({ signal: stop.signal, runId }),
        killedAt(cin7.sim, cin7.sim.requests.length + killAfter, stop),
      ])
      stop.abort()
      if (outcome !== 'killed') break
      cin7.clock.advance(600_000)
      cin7.sim.tick()
    }
    expect(await cin7.run()).toMatchObject({ status: 'completed' })
    cin7.clock.advance(600_000)
    expect(await cin7.run()).toMatchObject({ status: 'completed' })
    expect([killAfter, await inTarget(cin7.schema)]).toEqual([killAfter, inCompany(cin7.sim)])
  }
})

test('[ENG-1] a full refresh that is killed goes on in its own run, and readers see the former rows until it is whole', async () => {
  await using cin7 = await connector({ size, slowMs: 500 })
  await cin7.run()
  const before = await inTarget(cin7.schema)
  cin7.clock.advance(3_600_000)
  for (let step = 0; step < 10; step += 1) cin7.sim.tick()
  cin7.clock.advance(3_600_000)

  const runId = randomUUID()
  const stop = new AbortController()
  const killOnceKept: SyncRequest['report'] = ({ stream, rowsWritten }) => {
    if (stream === 'sale' && rowsWritten > 0) stop.abort(new Error('killed'))
  }
  expect(await cin7.run({ wish: 'full', runId, signal: stop.signal, report: killOnceKept })).toMatchObject({ status: 'cancelled' })
  expect((await inTarget(cin7.schema))['sales']).toEqual(before['sales'])

  const called = cin7.sim.requests.length
  expect(await cin7.run({ wish: 'full', runId })).toMatchObject({ status: 'completed' })
  expect(await inTarget(cin7.schema)).toEqual(inCompany(cin7.sim))
  const readAgain = cin7.sim.requests.slice(called).filter(({ path }) => path === 'sale')
  expect(readAgain.length).toBeLessThan(cin7.sim.company.sales.length)
})

test('[ENG-1] when the calls of a day are used up, the run says when to go on, and the next days finish what is left', async () => {
  await using cin7 = await connector({ size, limits: { daily: 40 } })
  const runId = randomUUID()
  let days = 0
  for (; days < 10; days += 1) {
    const outcome = await cin7.run({ runId })
    if (outcome.status === 'completed') break
    expect(outcome.fault).toMatchObject({ kind: 'busy' })
    expect(outcome.fault?.waitMs).toBeGreaterThan(0)
    cin7.clock.advance(86_400_000)
  }
  expect(await inTarget(cin7.schema)).toEqual(inCompany(cin7.sim))
  expect(days).toBeLessThanOrEqual(4)
})

/** Resolves once so many calls have been made, with the run stopped in its tracks. */
async function killedAt(sim: Cin7Simulator, requests: number, stop: AbortController): Promise<'killed'> {
  while (sim.requests.length < requests && !stop.signal.aborted) await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('killed'))
  return 'killed'
}

const tables = {
  sales: 'select count(*)::text as rows, coalesce(sum(order_total), 0)::text as total from sale',
  listed: 'select count(*)::text as rows, coalesce(sum(invoice_amount), 0)::text as total from sale_list',
  lines: `select count(*)::text as rows, coalesce(sum(total), 0)::text as total from sale_line where section = 'order'`,
  paid: 'select count(*)::text as rows, coalesce(sum(amount), 0)::text as total from sale_payment',
  purchases: 'select count(*)::text as rows, coalesce(sum(order_total), 0)::text as total from purchase',
  purchaseLines: `select count(*)::text as rows, coalesce(sum(total), 0)::text as total from purchase_line where section = 'order'`,
  products: 'select count(*)::text as rows, coalesce(sum(price_tier1), 0)::text as total from product',
  stock: 'select count(*)::text as rows, coalesce(sum(stock_on_hand), 0)::text as total from product_availability',
  customers: 'select count(*)::text as rows, coalesce(sum(credit_limit), 0)::text as total from customer',
  voided: `select count(*)::text as rows, '0' as total from sale where status = 'VOIDED'`,
  bins: `select count(*)::text as rows, '0' as total from location_bin`,
}

async function inTarget(schema: string): Promise<Record<string, [string, number]>> {
  await client.query(`set search_path = ${schema}`)
  const found: Record<string, [string, number]> = {}
  for (const [name, sql] of Object.entries(tables)) {
    const { rows } = await client.query<{ rows: string; total: string }>(sql)
    found[name] = [rows[0]?.rows ?? '', Math.round(Number(rows[0]?.total) * 100)]
  }
  return found
}

/** The same, counted in the company itself, in cents. */
function inCompany({ company }: Cin7Simulator): Record<string, [string, number]> {
  const { sales, purchases, products, customers, bins } = company
  const rows = <T>(list: readonly T[], cents: (item: T) => number): [string, number] => [
    String(list.length),
    list.reduce((sum, item) => sum + cents(item), 0),
  ]
  const whole = ({ lines, freightCents }: (typeof sales)[number] | (typeof purchases)[number]): number => {
    const before = lines.reduce((sum, line) => sum + line.totalCents + line.taxCents, 0)
    return before + freightCents + Math.round((freightCents * 15) / 100)
  }
  const invoiced = sales.filter((sale) => !sale.voided && sale.stage >= 2)
  const payments = sales.filter((sale) => !sale.voided && sale.stage >= 3).flatMap((sale) => paymentsOf(sale, whole(sale)))
  return {
    sales: rows(sales, whole),
    listed: [String(sales.length), invoiced.reduce((sum, sale) => sum + whole(sale), 0)],
    lines: rows(
      sales.flatMap(({ lines }) => lines),
      ({ totalCents }) => totalCents,
    ),
    paid: rows(payments, (cents) => cents),
    purchases: rows(purchases, whole),
    purchaseLines: rows(
      purchases.flatMap(({ lines }) => lines),
      ({ totalCents }) => totalCents,
    ),
    products: rows(products, ({ priceCents }) => priceCents),
    stock: rows(
      products.flatMap(({ onHand, costCents }) => onHand.map((count) => count * costCents)),
      (cents) => cents,
    ),
    customers: rows(customers, ({ creditLimitCents }) => creditLimitCents),
    voided: [String(sales.filter(({ voided }) => voided).length), 0],
    bins: [String(bins.length), 0],
  }
}

/** One payment for each invoice, of which an advanced sale has two; and a refund where something was credited. */
function paymentsOf({ type, stage, lines }: Cin7Simulator['company']['sales'][number], cents: number): number[] {
  const last = lines.at(-1)
  const second = type === 'Advanced Sale' && last !== undefined ? [last.totalCents + last.taxCents] : []
  const [first] = lines
  const refund = stage >= 4 && first !== undefined ? [first.totalCents + first.taxCents] : []
  return [cents - (second[0] ?? 0), ...second, ...refund]
}
