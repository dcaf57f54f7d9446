import { afterEach, beforeAll, expect, test } from 'vitest'
import { adding, changing } from '@tributary/sims/cin7/injected-faults'
import type { Mishap } from '@tributary/sims/cin7/injected-faults'
import { connectCin7 } from '@tributary/testing/engine/apis/cin7-connector.ts'
import type { SyncOutcome } from '../../sync/sync-request.ts'
import type { Connector } from '@tributary/testing/engine/apis/cin7-connector.ts'

const size = {
  products: 30,
  customers: 8,
  suppliers: 3,
  sales: 14,
  purchases: 4,
  salesMax: 20,
  purchasesMax: 6,
  tasks: 3,
}
const allStreams = ['account', 'product', 'saleList', 'sale', 'stockTransfer', 'transactions']
const tables =
  /^(account|product|product_(supplier|reorder|bom|custom).*|sale|sale_(?!credit_note_list).*|stock_transfer.*|ledger_entry)$/

interface Case {
  readonly what: string
  readonly mishaps: readonly Mishap[]
  /** What the run says; it completes where nothing is said. */
  readonly fault?: { readonly kind: string; readonly code: string; readonly says: unknown }
  /** What is run while it goes wrong, if not all. */
  readonly streams?: readonly string[]
  /** Streams that come to their end in the same run. */
  readonly done?: readonly string[]
}

const page = (text: string): NonNullable<Mishap['reply']> => ({
  status: 200,
  body: `<!DOCTYPE html><html><body>${text}</body></html>`,
})
const failing = { kind: 'passing', code: 'cin7.failing', says: expect.stringContaining('problem of its own') }
const unreachable = {
  kind: 'passing',
  code: 'cin7.unreachable',
  says: expect.stringContaining('tries again with the next run'),
}
const shapeless = {
  kind: 'data',
  code: 'cin7.unknown_shape',
  says: expect.stringContaining('nothing of it was changed'),
}

const cases: readonly Case[] = [
  { what: 'a limit met among the documents', mishaps: [{ kind: 'limit', path: 'sale', after: 2, times: 3 }] },
  {
    what: 'a limit that stays',
    mishaps: [{ kind: 'limit', path: 'sale', after: 2, times: 6 }],
    fault: { kind: 'busy', code: 'cin7.limit_reached', says: expect.stringContaining('What has been read is kept') },
  },
  {
    what: 'a 429 with a time to wait',
    mishaps: [{ kind: 'reply', path: 'salelist', reply: { status: 429, body: '', headers: { 'retry-after': '9' } } }],
  },
  {
    what: 'a fault of Cin7, once',
    mishaps: [{ kind: 'reply', path: 'product', reply: { status: 500, body: 'oops' } }],
  },
  {
    what: 'a fault of Cin7 that stays',
    mishaps: [{ kind: 'reply', path: 'sale', after: 2, times: 3, reply: { status: 500, body: 'oops' } }],
    fault: failing,
  },
  {
    what: 'a connection cut in the middle of an answer',
    mishaps: [
      { kind: 'cut', path: 'product', times: 2 },
      { kind: 'cut', path: 'sale', times: 2 },
    ],
  },
  {
    what: 'a connection that is always cut',
    mishaps: [{ kind: 'cut', path: 'sale', after: 1, times: 5 }],
    fault: unreachable,
  },
  { what: 'connections that break', mishaps: [{ kind: 'drop', path: 'stocktransfer', times: 5 }], fault: unreachable },
  { what: 'a slow answer', mishaps: [{ kind: 'slow', path: 'product', waitMs: 200 }] },
  {
    what: 'a page that says closed, once',
    mishaps: [{ kind: 'reply', path: 'salelist', reply: page('Down for maintenance') }],
  },
  {
    what: 'a page that says closed for long',
    mishaps: [
      { kind: 'reply', path: 'account', times: 3, reply: page('Closed') },
      { kind: 'reply', path: 'ref/account', times: 3, reply: page('Closed') },
    ],
    fault: failing,
  },
  {
    what: 'a page that says not found',
    mishaps: [{ kind: 'reply', path: 'product', reply: page('Page not found') }],
    fault: { kind: 'settings', code: 'cin7.not_available', says: expect.stringContaining('module') },
    done: ['account', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'a field nobody knows',
    mishaps: ['product', 'salelist', 'transactions'].map((path) => ({
      kind: 'reshape',
      path,
      times: Infinity,
      reshape: adding('Surprise', { deep: [1] }),
    })),
  },
  {
    what: 'numbers as text',
    mishaps: ['Total', 'Price', 'Quantity', 'Amount'].map((key) => ({
      kind: 'reshape',
      path: 'sale',
      times: 5,
      reshape: changing(key, String),
    })),
  },
  {
    what: 'the count of rows as text',
    mishaps: [{ kind: 'reshape', path: 'transactions', times: Infinity, reshape: changing('Total', String) }],
  },
  {
    what: 'a list that is null',
    mishaps: [{ kind: 'reshape', path: 'product', reshape: changing('Products', () => null) }],
    fault: shapeless,
    done: ['account', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'a list that has gone',
    mishaps: [{ kind: 'reshape', path: 'ref/account', reshape: changing('AccountsList', () => undefined) }],
    fault: shapeless,
    done: ['product', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'rows without their key',
    mishaps: [{ kind: 'reshape', path: 'product', reshape: changing('ID', () => undefined) }],
    fault: shapeless,
    done: ['account', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'rows that do not tell when they changed',
    mishaps: [{ kind: 'reshape', path: 'salelist', reshape: changing('Updated', () => undefined) }],
    streams: ['sale'],
    fault: shapeless,
  },
]

let cin7: Connector
beforeAll(async () => {
  cin7 = await connectCin7({ size })
  await cin7.run({ streams: allStreams })
  return () => cin7[Symbol.asyncDispose]()
})
afterEach(() => cin7.sim.mishaps.clear())

test.each(cases)('[ENG-1] $what loses and doubles nothing, and the next run goes on', async (given) => {
  const before = await counts()
  goOn()
  cin7.sim.mishaps.order(...given.mishaps)
  const outcome = await cin7.run({ streams: given.streams ?? allStreams })
  expect(told(outcome)).toMatchObject(
    given.fault === undefined ? { status: 'completed' } : { status: 'failed', ...given.fault },
  )
  expect(
    outcome.streams.filter(({ progress }) => progress.phase === 'done').map(({ progress }) => progress.stream),
  ).toEqual(expect.arrayContaining([...(given.done ?? [])]))
  if (given.fault === undefined) expect(await cin7.differences(tables)).toEqual([])
  const after = await counts()
  expect(Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0))).toEqual([])

  cin7.sim.mishaps.clear()
  expect(await cin7.run({ streams: allStreams })).toMatchObject({ status: 'completed', fault: null })
  expect(await cin7.differences(tables)).toEqual([])
})

test('[ENG-1] a value that is no longer told becomes empty, a null list has no rows, and a full refresh brings both back', async () => {
  cin7.sim.mishaps.order({
    kind: 'reshape',
    path: 'product',
    times: Infinity,
    reshape: changing('Barcode', () => undefined),
  })
  expect(await cin7.run({ streams: ['product'], syncMode: 'full' })).toMatchObject({ status: 'completed' })
  expect(await cin7.query('select count(*)::int as rows, count(barcode)::int as told from product')).toEqual([
    { rows: 30, told: 0 },
  ])
  cin7.sim.mishaps.clear()
  cin7.sim.mishaps.order({
    kind: 'reshape',
    path: 'product',
    times: Infinity,
    reshape: changing('Suppliers', () => null),
  })
  expect(await cin7.run({ streams: ['product'], syncMode: 'full' })).toMatchObject({ status: 'completed' })
  expect(await cin7.query('select count(*)::int as rows from product_supplier')).toEqual([{ rows: 0 }])
  cin7.sim.mishaps.clear()
  expect(await cin7.run({ streams: ['product'], syncMode: 'full' })).toMatchObject({ status: 'completed' })
  expect(await cin7.differences(tables)).toEqual([])
})

function told({ status, fault }: SyncOutcome): unknown {
  return { status, kind: fault?.kind, code: fault?.code, says: fault?.notice }
}

/** A day, in which some are sold and moved. */
function goOn(): void {
  for (let hour = 0; hour < 25; hour += 1) {
    cin7.clock.advance(3_600_000)
    if (hour % 5 === 0) cin7.sim.tick()
  }
}

async function counts(): Promise<Record<string, number>> {
  const [row = {}] = await cin7.query(
    'select (select count(*)::int from account) as account, (select count(*)::int from product) as product, (select count(*)::int from sale) as sale, (select count(*)::int from sale_list) as sale_list, (select count(*)::int from ledger_month) as ledger_month',
  )
  return row as Record<string, number>
}
